/** How large is the running text of a document? */
import type { Line } from './lines.ts';

/** The commonest size by characters, so far. */
export class BodySize {
  readonly #characters = new Map<number, number>();
  #best = 0;

  add(line: Line): void {
    // Half points: programs scale text by odd factors.
    const size = Math.round(line.size * 2) / 2;
    const sum = (this.#characters.get(size) ?? 0) + line.text.length;
    this.#characters.set(size, sum);
    if (sum > (this.#characters.get(this.#best) ?? 0)) this.#best = size;
  }

  /** Points; 10 before any text was seen. */
  size(): number {
    return this.#best || 10;
  }
}
