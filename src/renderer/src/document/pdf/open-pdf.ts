/** How is a PDF opened for drawing, with everything that it needs from our own origin? */
import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, VerbosityLevel } from 'pdfjs-dist';
import rendererUrl from 'pdfjs-dist/build/pdf.renderer.min.mjs?url';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/** Pictures with more pixels than this are not drawn: they would take gigabytes. */
const maxImagePixels = 100_000_000;
/** Bytes asked for at once; pages of a large file come as they are needed. */
const rangeBytes = 256 * 1024;

/** Starts reading the document at a URL path; `destroy()` of the result ends it and its worker. */
export function openPdf(url: string): PDFDocumentLoadingTask {
  GlobalWorkerOptions.workerSrc = workerUrl;
  // Bitmaps are drawn in a worker, so that scrolling never waits for a page.
  GlobalWorkerOptions.rendererSrc = rendererUrl;
  const assets = (folder: string): string => new URL(`/pdfjs/${folder}/`, document.baseURI).href;
  return getDocument({
    url: new URL(url, document.baseURI).href,
    cMapUrl: assets('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: assets('standard_fonts'),
    wasmUrl: assets('wasm'),
    iccUrl: assets('iccs'),
    rangeChunkSize: rangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    maxImageSize: maxImagePixels,
    verbosity: VerbosityLevel.ERRORS,
  });
}
