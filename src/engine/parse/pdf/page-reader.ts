/** How is a document read on when one of its pages makes PDFium fail? */
import { pdf } from '../../config.ts';
import type { SourceFile } from '../../document.ts';
import { type PageContent, PdfiumDocument } from './pdfium.ts';

/** Pages of a document; a WebAssembly trap costs one page, not the document. */
export class PageReader {
  readonly #file: SourceFile;
  #document: PdfiumDocument;
  #restarts = 0;

  /** Throws ParseFailure (encrypted, damaged) or the operating system's error. */
  static async open(file: SourceFile): Promise<PageReader> {
    return new PageReader(file, await PdfiumDocument.open(file));
  }

  private constructor(file: SourceFile, document: PdfiumDocument) {
    this.#file = file;
    this.#document = document;
  }

  get document(): PdfiumDocument {
    return this.#document;
  }

  /** Content of a page, 0-based; undefined when it can't be read. */
  async read(index: number): Promise<PageContent | undefined> {
    if (this.#restarts > pdf.maxRestarts) return undefined;
    try {
      return this.#document.readPage(index);
    } catch (error) {
      // An instance of WebAssembly is a process of its own: what it was doing is lost, the page is not ours to mend.
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.#restarts += 1;
      this.#document.close();
      this.#document = await PdfiumDocument.open(this.#file);
      return undefined;
    }
  }

  close(): void {
    this.#document.close();
  }
}
