/** How is PDFium, compiled to WebAssembly, asked for a document's pages and properties? */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { pdf, recognise } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { type DrawnPage, drawPage } from './draw-page.ts';
import { FileBlocks } from './file-blocks.ts';
import { type GlyphPage, readGlyphs, scratchBytes } from './glyphs.ts';
import { drawnKinds, type Note, readNote } from './notes.ts';
import { type Bookmark, readOutline } from './outline.ts';
import { type PageMarks, readMarks } from './page-marks.ts';
import { cleanText, fetchText, withName } from './pdfium-text.ts';

/** PDFium's raw exports: the wrapped functions of the package cost a conversion on each call. */
export interface RawPdfium {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  HEAPF32: Float32Array;
  [exported: `_${string}`]: (...arguments_: number[]) => number;
}

// Values of FPDF_GetLastError, fpdfview.h.
const passwordError = 4;
const securityError = 5;
// Result of FPDFPage_Flatten, fpdf_flatten.h.
const flattened = 1;

// The one thing kept between documents: compiled code, which never changes. Compiling costs 30 ms and loses what
// the optimising compiler has done; an instance of it costs 11 ms.
let compiled: Promise<WebAssembly.Module> | undefined;

function compiledPdfium(): Promise<WebAssembly.Module> {
  compiled ??= readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')).then(
    (bytes) => WebAssembly.compile(bytes),
  );
  return compiled;
}

/** The module's memory views, and its exports without the wrappers that emscripten puts around them. */
function directCalls(module: WrappedPdfiumModule['pdfium']): RawPdfium {
  const exported = module.wasmExports as unknown as Record<string, (...arguments_: number[]) => number>;
  const direct = Object.fromEntries(Object.entries(exported).map(([name, call]) => [`_${name}`, call]));
  // Read each time: they are replaced when memory grows.
  const memory = module as unknown as Pick<RawPdfium, 'HEAPU8' | 'HEAPU32' | 'HEAPF32'>;
  return Object.defineProperties(direct as unknown as RawPdfium, {
    HEAPU8: { get: () => memory.HEAPU8 },
    HEAPU32: { get: () => memory.HEAPU32 },
    HEAPF32: { get: () => memory.HEAPF32 },
  });
}

/** What one page shows. */
export interface PageContent {
  glyphs: GlyphPage;
  marks: PageMarks;
  notes: Note[];
}

/** One open document in an instance of its own, so that nothing of a bad file reaches the next one. */
export class PdfiumDocument {
  readonly pageCount: number;
  readonly #raw: RawPdfium;
  readonly #module: WrappedPdfiumModule['pdfium'];
  readonly #blocks: FileBlocks;
  readonly #document: number;

  /** Opens a file. Throws ParseFailure (encrypted, damaged) or the operating system's error. */
  static async open(file: SourceFile): Promise<PdfiumDocument> {
    const code = await compiledPdfium();
    const { pdfium } = await init({
      instantiateWasm: (
        imports: WebAssembly.Imports,
        receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
      ) => {
        const instance = new WebAssembly.Instance(code, imports);
        receive(instance, code);
        return instance.exports;
      },
      // PDFium speaks of faults through its results; what it prints would only reach a terminal.
      print: () => {},
      printErr: () => {},
    } as Parameters<typeof init>[0]);
    return new PdfiumDocument(file, pdfium);
  }

  private constructor(file: SourceFile, module: WrappedPdfiumModule['pdfium']) {
    this.#module = module;
    this.#raw = directCalls(module);
    this.#blocks = new FileBlocks(file.path);
    this.#raw._PDFiumExt_Init!();
    this.#document = this.#raw._FPDF_LoadCustomDocument!(this.#fileAccess(), 0);
    if (this.#document === 0) {
      const error = this.#raw._FPDF_GetLastError!();
      this.#blocks.close();
      throw openFailure(file, error);
    }
    this.pageCount = this.#raw._FPDF_GetPageCount!(this.#document);
  }

  /** Content of a page, 0-based; undefined when the page can't be loaded. */
  readPage(index: number): PageContent | undefined {
    const memory = this.#module.wasmExports;
    const scratch = memory.malloc(scratchBytes);
    const { page, notes } = this.#loadPage(index, scratch);
    const text = page === 0 ? 0 : this.#raw._FPDFText_LoadPage!(page);
    const glyphs = text === 0 ? undefined : readGlyphs(this.#raw, page, text, scratch);
    const content = glyphs && {
      glyphs,
      marks: readMarks(this.#raw, page, scratch, glyphs.visible),
      notes,
    };
    memory.free(scratch);
    if (text !== 0) this.#raw._FPDFText_ClosePage!(text);
    if (page !== 0) this.#raw._FPDF_ClosePage!(page);
    return content;
  }

  /** Picture of a page, 0-based; undefined when it can't be loaded or drawn. Default: as fine as recognition wants it. */
  drawPage(index: number, dpi: number = recognise.dpi): DrawnPage | undefined {
    const page = this.#raw._FPDF_LoadPage!(this.#document, index);
    if (page === 0) return undefined;
    const drawn = drawPage(this.#raw, page, { dpi, maxPixels: recognise.maxPixels });
    this.#raw._FPDF_ClosePage!(page);
    return drawn;
  }

  /** Loads a page with the text of its form fields and notes, which PDFium leaves out unless they are part of the page. */
  #loadPage(index: number, scratch: number): { page: number; notes: Note[] } {
    const raw = this.#raw;
    const notes: Note[] = [];
    const page = raw._FPDF_LoadPage!(this.#document, index);
    const count = page === 0 ? 0 : Math.min(raw._FPDFPage_GetAnnotCount!(page), pdf.maxAnnotationsPerPage);
    let isDrawn = false;
    for (let at = 0; at < count; at += 1) {
      const annotation = raw._FPDFPage_GetAnnot!(page, at);
      if (annotation === 0) continue;
      const kind = raw._FPDFAnnot_GetSubtype!(annotation);
      const note = readNote(raw, this.#module.wasmExports, annotation, kind, scratch);
      if (note) notes.push(note);
      isDrawn ||= drawnKinds.has(kind);
      raw._FPDFPage_CloseAnnot!(annotation);
    }
    if (!isDrawn || raw._FPDFPage_Flatten!(page, 0) !== flattened) return { page, notes };
    raw._FPDF_ClosePage!(page);
    return { page: raw._FPDF_LoadPage!(this.#document, index), notes };
  }

  /** A text of the document's information dictionary, such as "Title"; empty when absent. */
  property(name: string): string {
    const memory = this.#module.wasmExports;
    return withName(this.#raw, memory, name, (key) =>
      fetchText(this.#raw, memory, (buffer, bytes) =>
        this.#raw._FPDF_GetMetaText!(this.#document, key, buffer, bytes),
      ),
    );
  }

  /** Bookmarks by page, 1-based. */
  outline(): Map<number, Bookmark[]> {
    return readOutline(this.#raw, this.#module.wasmExports, this.#document);
  }

  /** Names of the files that are attached to the document. */
  attachments(): string[] {
    const raw = this.#raw;
    const count = Math.min(raw._FPDFDoc_GetAttachmentCount!(this.#document), pdf.maxAttachments);
    return Array.from({ length: Math.max(count, 0) }, (_, index) => {
      const attachment = raw._FPDFDoc_GetAttachment!(this.#document, index);
      const write = (buffer: number, bytes: number): number =>
        raw._FPDFAttachment_GetName!(attachment, buffer, bytes);
      const name = attachment === 0 ? '' : fetchText(raw, this.#module.wasmExports, write);
      return cleanText(name) || `${index + 1}`;
    });
  }

  /** Closes the file; the instance's memory goes with the last reference to it. */
  close(): void {
    this.#blocks.close();
  }

  /** An FPDF_FILEACCESS: length, function that reads, and its parameter. */
  #fileAccess(): number {
    const blocks = this.#blocks;
    const raw = this.#raw;
    const read = this.#module.addFunction(
      (_parameter: number, position: number, to: number, size: number) => {
        const target = raw.HEAPU8.subarray(to >>> 0, (to >>> 0) + (size >>> 0));
        return blocks.read(position >>> 0, target) ? 1 : 0;
      },
      'iiiii',
    );
    const access = this.#module.wasmExports.malloc(12);
    raw.HEAPU32.set([blocks.sizeBytes, read, 0], access / 4);
    return access;
  }
}

function openFailure(file: SourceFile, error: number): ParseFailure {
  if (error === passwordError || error === securityError) {
    return new ParseFailure(
      'encrypted',
      `PDF not read: ${file.name}: it is protected by a password: save a copy without one`,
    );
  }
  return new ParseFailure(
    'damaged',
    `PDF not read: ${file.name}: its structure is broken: open and save it again`,
  );
}
