/** Which rows of a sheet are at hand, and which must be fetched? */
import type { SheetRows } from '../../../../api/types.ts';

/** Rows fetched together. */
const BLOCK_ROWS = 200;
/** Blocks kept; the ones that were not seen for longest go first. */
const MAX_BLOCKS = 40;

type Load = (from: number, count: number) => Promise<SheetRows>;

/** Rows of one sheet in blocks, each fetched once while it is kept. */
export class SheetRowCache {
  readonly #load: Load;
  readonly #onChange: () => void;
  /** By number of block, in the order of their last use. */
  readonly #blocks = new Map<number, Map<number, string[]>>();
  readonly #wanted = new Set<number>();

  constructor(load: Load, onChange: () => void) {
    this.#load = load;
    this.#onChange = onChange;
  }

  /** Cells of a row; undefined while it is not at hand. */
  row(row: number): string[] | undefined {
    const block = this.#blocks.get(blockOf(row));
    return block && (block.get(row) ?? []);
  }

  /** Fetches what is missing of these rows. */
  want(firstRow: number, lastRow: number): void {
    for (let block = blockOf(firstRow); block <= blockOf(lastRow); block++) {
      const kept = this.#blocks.get(block);
      if (kept) {
        this.#blocks.delete(block);
        this.#blocks.set(block, kept);
      } else if (!this.#wanted.has(block)) this.#fetch(block);
    }
  }

  #fetch(block: number): void {
    this.#wanted.add(block);
    this.#load(block * BLOCK_ROWS + 1, BLOCK_ROWS).then(
      ({ rows }) => {
        this.#wanted.delete(block);
        this.#blocks.set(block, new Map(rows.map(({ row, cells }) => [row, cells])));
        for (const oldest of this.#blocks.keys()) {
          if (this.#blocks.size <= MAX_BLOCKS) break;
          this.#blocks.delete(oldest);
        }
        this.#onChange();
      },
      // A lost connection is told by the page; the rows are asked for again with the next scrolling.
      () => this.#wanted.delete(block),
    );
  }
}

function blockOf(row: number): number {
  return Math.floor((row - 1) / BLOCK_ROWS);
}
