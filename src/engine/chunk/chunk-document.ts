/** Where is a document cut into the pieces that are searched? */
import { chunk as limits } from '../config.ts';
import type { Block, Chunk, DocumentMetadata, Part, Similarity, Table } from '../document.ts';
import { TableChunker } from './chunk-table.ts';
import { cutUnits, isPrefix, toChunk } from './cut-units.ts';
import { makeUnits, type Unit } from './make-units.ts';

export interface Chunker {
  /** Takes the next part of the document; returns the chunks that are complete. */
  push(part: Part): Promise<Chunk[]>;
  /** Returns the rest, with the document's summary last where it has more than one chunk. */
  end(): Promise<Chunk[]>;
}

/** Longest heading in a path, UTF-16 units. */
const MAX_HEADING_LENGTH = 200;
/** Headings that a summary names at most. */
const MAX_SUMMARY_HEADINGS = 40;

/**
 * Cuts one document as its parts come, at constant memory. With a similarity, boundaries of prose prefer places where
 * neighbouring sentences differ. Chunks of prose and code are slices of the document's text.
 */
export function createChunker(needs: { similarity?: Similarity } = {}): Chunker {
  return new DocumentChunker(needs.similarity);
}

class DocumentChunker implements Chunker {
  private readonly similarity: Similarity | undefined;
  private offset = 0;
  private path: { level: number; text: string }[] = [];
  private metadata: DocumentMetadata = {};
  /** Prose and code that are not cut yet, and their text from `bufferStart`. */
  private units: Unit[] = [];
  private bufferedWords = 0;
  private buffer = '';
  private bufferStart = 0;
  private announced = new Map<number, Table>();
  private table: TableChunker | undefined;
  /** Headings whose text stands beyond a margin or in a table. */
  private lonely: { path: string[]; chunk: Chunk }[] = [];
  private count = 0;
  private readonly summary = new Summary();

  constructor(similarity: Similarity | undefined) {
    this.similarity = similarity;
  }

  async push(part: Part): Promise<Chunk[]> {
    if (part.type === 'metadata') this.metadata = { ...this.metadata, ...part.metadata };
    if (part.type === 'table') {
      this.announced.set(part.table.table, part.table);
      if (part.table.isSheet) this.summary.addHeading(part.table.name);
    }
    if (part.type !== 'block') return [];
    const chunks = await this.pushBlock(part.block);
    this.offset += part.block.text.length;
    this.count += chunks.length;
    return chunks;
  }

  async end(): Promise<Chunk[]> {
    const chunks = [...this.finishTable(), ...(await this.flush(false))];
    this.count += chunks.length;
    // Of a short document it would only repeat the text.
    const isLong = this.count > 1 && this.offset > limits.summaryLength;
    const summary = isLong ? this.summary.toChunk(this.metadata.title) : undefined;
    return summary ? [...chunks, summary] : chunks;
  }

  private async pushBlock(block: Block): Promise<Chunk[]> {
    const isRow = block.kind === 'row' && block.row !== undefined;
    if (block.kind !== 'margin') this.summary.addBlock(block, this.offset);
    if (isRow) return this.pushRow(block);
    const before = this.finishTable();
    // A header or footer of a page parts the text: a slice across it would hold it.
    if (block.kind === 'margin') return [...before, ...(await this.flush(true))];
    if (block.kind === 'heading') this.enterHeading(block);
    if (block.kind === 'code' && block.level !== undefined)
      this.path.length = Math.min(this.path.length, block.level);
    if (this.units.length === 0) {
      // Once something follows them, the cut decides whether it carries them.
      before.push(...this.settleHeadings(false));
      this.buffer = '';
      this.bufferStart = this.offset;
    }
    this.buffer += block.text;
    for (const unit of makeUnits(block, this.offset, this.pathTexts())) {
      this.units.push(unit);
      this.bufferedWords += unit.words;
    }
    const isFull = this.bufferedWords > limits.bufferWords || this.buffer.length > limits.bufferLength;
    return isFull ? [...before, ...(await this.drain())] : before;
  }

  private async pushRow(block: Block): Promise<Chunk[]> {
    const number = block.row!.table;
    if (this.table?.number === number) return this.table.push(block, this.offset);
    const before = [...this.finishTable(), ...(await this.flush(true)), ...this.settleHeadings(true)];
    const table = this.announced.get(number) ?? unnamedTable(number);
    this.table = new TableChunker(table, table.isSheet ? [] : this.pathTexts());
    return [...before, ...this.table.push(block, this.offset)];
  }

  private finishTable(): Chunk[] {
    const chunks = this.table?.finish() ?? [];
    this.table = undefined;
    return chunks;
  }

  private enterHeading(block: Block): void {
    const level = block.level ?? 1;
    while (this.path.length > 0 && this.path.at(-1)!.level >= level) this.path.pop();
    const text = this.headingText(block.text);
    this.path.push({ level, text });
    this.summary.addHeading(text);
  }

  private headingText(text: string): string {
    const line = text.replace(/\s+/g, ' ').trim();
    // The line that opens a class ends with a brace or a colon.
    const bare = this.metadata.kind === 'code' ? line.replace(/[\s{:]+$/, '') : line;
    return cutWhole(bare === '' ? line : bare, MAX_HEADING_LENGTH);
  }

  private pathTexts(): string[] {
    return this.path.map((heading) => heading.text);
  }

  /** Cuts everything that waits. With more to come, headings at its end wait for what they stand above. */
  private async flush(hasMore: boolean): Promise<Chunk[]> {
    const path = this.pathTexts();
    let bodyEnd = this.units.length;
    const waits = (unit: Unit | undefined): boolean => unit?.kind === 'heading' && isPrefix(unit.path, path);
    while (hasMore && waits(this.units[bodyEnd - 1])) bodyEnd--;
    const headings = this.units.splice(bodyEnd);
    const cut = this.toChunks(await cutUnits(this.units, this.similarity));
    const chunks = [...(cut.length > 0 || !hasMore ? this.endHeadings(cut) : []), ...cut];
    for (const heading of headings) {
      this.lonely.push({ path: heading.path, chunk: this.toChunks([[heading]])[0]! });
    }
    this.units = [];
    this.bufferedWords = 0;
    this.buffer = '';
    return chunks;
  }

  /** Waiting headings that don't stand above what comes are chunks of their own; those above a table are said with it. */
  private settleHeadings(isTable: boolean): Chunk[] {
    const path = this.pathTexts();
    const alone = this.lonely.filter((heading) => !isPrefix(heading.path, path));
    this.lonely = isTable ? [] : this.lonely.filter((heading) => isPrefix(heading.path, path));
    return alone.map(({ chunk }) => chunk);
  }

  /** Cuts what waits but keeps the last piece, which may still grow. */
  private async drain(): Promise<Chunk[]> {
    const pieces = await cutUnits(this.units, this.similarity);
    const last = pieces.length > 1 ? pieces.pop()! : [];
    const cut = this.toChunks(pieces);
    const chunks = cut.length > 0 ? [...this.endHeadings(cut), ...cut] : [];
    this.units = last;
    this.bufferedWords = last.reduce((sum, unit) => sum + unit.words, 0);
    const keepFrom = last[0]?.start ?? this.bufferStart + this.buffer.length;
    this.buffer = this.buffer.slice(keepFrom - this.bufferStart);
    this.bufferStart = keepFrom;
    return chunks;
  }

  /** Waiting headings that none of these chunks carries, before them. */
  private endHeadings(cut: Chunk[]): Chunk[] {
    const alone = this.lonely.filter(({ path }) => !cut.some((chunk) => isPrefix(path, chunk.headings)));
    this.lonely = [];
    return alone.map(({ chunk }) => chunk);
  }

  private toChunks(pieces: Unit[][]): Chunk[] {
    const slice = (start: number, end: number): string =>
      this.buffer.slice(start - this.bufferStart, end - this.bufferStart);
    return pieces.map((piece) => toChunk(piece, slice));
  }
}

/** Title, headings and beginning of a document. */
class Summary {
  private readonly headings: string[] = [];
  private text = '';
  private start: number | undefined;
  private end = 0;

  addHeading(text: string): void {
    if (this.headings.length < MAX_SUMMARY_HEADINGS) this.headings.push(text);
  }

  addBlock(block: Block, offset: number): void {
    const room = limits.summaryLength - this.text.length;
    if (room <= 0) return;
    // One run only: the range must be one, so a margin between ends it.
    if (this.start !== undefined && this.end !== offset) return;
    this.start ??= offset;
    const piece = cutWhole(block.text, room);
    this.text += piece;
    this.end = offset + piece.length;
  }

  toChunk(title: string | undefined): Chunk | undefined {
    if (this.start === undefined || this.text.trim() === '') return undefined;
    const headings = cutWhole(this.headings.join(' · '), limits.summaryLength);
    const beginning = this.text.replaceAll('\t', ' ').trim();
    const text = [title?.trim(), headings, beginning]
      .filter((line) => line !== undefined && line !== '')
      .join('\n');
    return { kind: 'summary', start: this.start, end: this.end, text, headings: [] };
  }
}

/** At most `limit` units, cut after a space where one is near and never inside a surrogate pair. */
function cutWhole(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const space = text.lastIndexOf(' ', limit);
  if (space > limit / 2) return text.slice(0, space);
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

function unnamedTable(table: number): Table {
  return { table, name: '', isSheet: false, isHidden: false, columns: [], merges: [], widths: [] };
}
