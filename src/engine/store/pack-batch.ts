/** How does a batch travel from the parse worker that read it to the thread that writes it? */
import { Deserializer, Serializer } from 'node:v8';
import type { BlockKind, ChunkKind, ChunkTerms, Table } from '../document.ts';
import { packEach } from './pack-spans.ts';
import type { DocumentBatch } from './types.ts';

// Written once by the worker and read once by the writer; the engine's thread between them hands the bytes on. As objects a
// batch would be taken apart and put together once more there. Values stand one after the other, since objects would repeat
// the name of every field.

/** A batch as bytes, see packBatch; alone in its buffer, so that it can be handed over. */
export type PackedBatch = Uint8Array;

/** A block as its rows in the library take it. */
export interface PackedBlock {
  kind: BlockKind;
  level: number;
  text: string;
  /** See pack-spans.ts. */
  spans: Uint8Array;
  row?: {
    table: number;
    row: number;
    isHeader: boolean;
    cellCount: number;
    /** JSON array: text, or [text, value] where the value is more than its text. */
    cells: string;
  };
}

/** A chunk as its rows in the library take it. */
export interface PackedChunk {
  kind: ChunkKind;
  start: number;
  end: number;
  text: string;
  /** JSON array of its headings. */
  path: string;
  terms: ChunkTerms;
}

export interface UnpackedBatch {
  tables: Table[];
  blocks: PackedBlock[];
  chunks: PackedChunk[];
}

/** Tables, values of the blocks, values of the chunks. */
type Values = [Table[], unknown[], unknown[]];
type BlockValues = [BlockKind, number, string, number, number, number, boolean, number, string];
type ChunkValues = [
  ChunkKind,
  number,
  number,
  string,
  string,
  ...[string, string, string, string, ChunkTerms['language']],
];
const blockValues = 9 satisfies BlockValues['length'];
const chunkValues = 10 satisfies ChunkValues['length'];
/** Table number of a block that is no row. */
const noTable = -1;

export function packBatch({ tables, blocks, chunks }: DocumentBatch): PackedBatch {
  const spans = packEach(blocks.map((block) => block.spans));
  const ofBlocks: unknown[] = [];
  for (const [index, { kind, level, text, row }] of blocks.entries()) {
    const cells = row?.cells.map((cell) => (cell.value === undefined ? cell.text : [cell.text, cell.value]));
    const ofRow = [row?.table ?? noTable, row?.row ?? 0, row?.isHeader ?? false, cells?.length ?? 0] as const;
    const length = spans.lengths[index]!;
    const values: BlockValues = [
      kind,
      level ?? 0,
      text,
      length,
      ...ofRow,
      cells ? JSON.stringify(cells) : '',
    ];
    ofBlocks.push(...values);
  }
  const ofChunks: unknown[] = [];
  for (const { chunk, terms } of chunks) {
    const { kind, start, end, text } = chunk;
    const { title, headings, words, stems, language } = terms;
    const path = JSON.stringify(chunk.headings);
    const values: ChunkValues = [kind, start, end, text, path, title, headings, words, stems, language];
    ofChunks.push(...values);
  }
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue([tables, ofBlocks, ofChunks] satisfies Values);
  serializer.writeRawBytes(spans.bytes);
  return serializer.releaseBuffer();
}

/** What packBatch was given, as rows. */
export function unpackBatch(packed: PackedBatch): UnpackedBatch {
  const deserializer = new Deserializer(packed);
  deserializer.readHeader();
  const [tables, ofBlocks, ofChunks] = deserializer.readValue() as Values;
  const blocks: PackedBlock[] = [];
  for (let at = 0; at < ofBlocks.length; at += blockValues) {
    const [kind, level, text, bytes, table, row, isHeader, cellCount, cells] = ofBlocks.slice(
      at,
      at + blockValues,
    ) as BlockValues;
    blocks.push({
      ...{ kind, level, text, spans: deserializer.readRawBytes(bytes) },
      ...(table === noTable ? {} : { row: { table, row, isHeader, cellCount, cells } }),
    });
  }
  const chunks: PackedChunk[] = [];
  for (let at = 0; at < ofChunks.length; at += chunkValues) {
    const [kind, start, end, text, path, title, headings, words, stems, language] = ofChunks.slice(
      at,
      at + chunkValues,
    ) as ChunkValues;
    chunks.push({ kind, start, end, text, path, terms: { title, headings, words, stems, language } });
  }
  return { tables, blocks, chunks };
}
