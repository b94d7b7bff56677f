/** How is one page drawn, its text laid over it for selecting, and everything freed again? */
import { type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { canvasRatio } from './pdf-geometry.ts';

export interface DrawnPage {
  /** Resolves when canvas and text stand; rejects when drawing failed or was stopped. */
  done: Promise<void>;
  /** Stops drawing and frees the bitmap. */
  stop(): void;
}

/** Draws into `host`, which has the page's size at `scale` pixels per point; replaces what stood there when done. */
export function drawPage(page: PDFPageProxy, host: HTMLElement, scale: number): DrawnPage {
  const viewport = page.getViewport({ scale });
  const ratio = canvasRatio(viewport, window.devicePixelRatio);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(Math.floor(viewport.width * ratio), 1);
  canvas.height = Math.max(Math.floor(viewport.height * ratio), 1);
  canvas.setAttribute('aria-hidden', 'true');
  const text = document.createElement('div');
  text.className = 'textLayer';
  const drawing = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
  const layer = new TextLayer({
    textContentSource: page.streamTextContent({ includeMarkedContent: true, disableNormalization: true }),
    container: text,
    viewport,
  });
  const old = [...host.children];
  const place = async (): Promise<void> => {
    await drawing.promise;
    // The sharper bitmap replaces the stretched one in the same frame.
    host.append(canvas);
    for (const element of old) discard(element);
    await layer.render();
    host.append(text);
  };
  return {
    done: place(),
    stop: () => {
      drawing.cancel();
      layer.cancel();
    },
  };
}

/** Removes an element that `drawPage` made; a canvas without size gives its memory back at once. */
export function discard(element: Element): void {
  if (element instanceof HTMLCanvasElement) {
    element.width = 0;
    element.height = 0;
  }
  element.remove();
}
