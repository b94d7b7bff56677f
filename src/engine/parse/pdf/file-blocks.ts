/** How is a large file read in small pieces without holding it in memory? */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { pdf } from '../../config.ts';

/** Random reads from a file through a bounded set of blocks. Synchronous: PDFium asks from inside WebAssembly. */
export class FileBlocks {
  readonly sizeBytes: number;
  readonly #descriptor: number;
  readonly #blocks = new Map<number, Uint8Array>();

  /** Opens the file; throws the operating system's error when that fails. */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    this.sizeBytes = fstatSync(this.#descriptor).size;
  }

  /** Fills `target` from `position`; false when the file ends before. */
  read(position: number, target: Uint8Array): boolean {
    let done = 0;
    while (done < target.length) {
      const at = position + done;
      const number = Math.floor(at / pdf.readBlockBytes);
      const block = this.#block(number);
      const offset = at - number * pdf.readBlockBytes;
      const part = block.subarray(offset, offset + target.length - done);
      if (part.length === 0) return false;
      target.set(part, done);
      done += part.length;
    }
    return true;
  }

  close(): void {
    this.#blocks.clear();
    closeSync(this.#descriptor);
  }

  #block(number: number): Uint8Array {
    const known = this.#blocks.get(number);
    if (known) return known;
    const bytes = new Uint8Array(pdf.readBlockBytes);
    const length = readSync(this.#descriptor, bytes, 0, bytes.length, number * pdf.readBlockBytes);
    const block = bytes.subarray(0, length);
    // The oldest block goes: PDFium reads a page's objects close together, so recency hardly matters.
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size >= pdf.maxReadBlocks && !oldest.done) this.#blocks.delete(oldest.value);
    this.#blocks.set(number, block);
    return block;
  }
}
