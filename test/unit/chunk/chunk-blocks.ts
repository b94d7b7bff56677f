/** Which chunks do these blocks give? Shared by the chunker's tests. */
import { createChunker } from '../../../src/engine/chunk/chunk-document.ts';
import type { Block, BlockKind, Chunk, Part, Similarity, Table } from '../../../src/engine/document.ts';

export const block = (kind: BlockKind, text: string, more: Partial<Block> = {}): Part => ({
  type: 'block',
  block: { kind, text: `${text}\n`, spans: [], ...more },
});

export const heading = (level: number, text: string): Part => block('heading', text, { level });

export const table = (number: number, columns: string[], more: Partial<Table> = {}): Part => ({
  type: 'table',
  table: {
    table: number,
    name: '',
    isSheet: false,
    isHidden: false,
    columns,
    merges: [],
    widths: [],
    ...more,
  },
});

export function row(
  number: number,
  index: number,
  texts: string[],
  isHeader = false,
  values: unknown[] = [],
): Part {
  let start = 0;
  const cells = texts.map((text, i) => {
    const cell = { text, start, ...(values[i] === undefined ? {} : { value: values[i] as number }) };
    start += text.length + 1;
    return cell;
  });
  return block('row', texts.join('\t'), { row: { table: number, row: index, isHeader, cells } });
}

export const onPage = (part: Part, page: number): Part => {
  if (part.type !== 'block') return part;
  const span = {
    start: 0,
    end: part.block.text.length - 1,
    anchor: { kind: 'page' as const, page, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] },
  };
  return { type: 'block', block: { ...part.block, spans: [span] } };
};

export interface Chunked {
  chunks: Chunk[];
  text: string;
  /** Blocks with their offset in the text. */
  blocks: { block: Block; start: number }[];
}

export async function chunkParts(parts: Part[], similarity?: Similarity): Promise<Chunked> {
  const chunker = createChunker(similarity ? { similarity } : {});
  const chunks: Chunk[] = [];
  const blocks: Chunked['blocks'] = [];
  let text = '';
  for (const part of parts) {
    chunks.push(...(await chunker.push(part)));
    if (part.type !== 'block') continue;
    blocks.push({ block: part.block, start: text.length });
    text += part.block.text;
  }
  chunks.push(...(await chunker.end()));
  return { chunks, text, blocks };
}

/** `count` words in sentences of ten. */
export const prose = (count: number, name = 'word'): string =>
  Array.from(
    { length: count },
    (_, i) => `${i % 10 === 0 ? 'The ' : ''}${name}${i}${i % 10 === 9 ? '.' : ''}`,
  ).join(' ');
