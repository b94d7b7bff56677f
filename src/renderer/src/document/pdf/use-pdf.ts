/** Which document is open, and how large are its pages? */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import { openPdf } from './open-pdf.ts';
import type { PageBox } from './pdf-geometry.ts';

export interface OpenPdf {
  document: PDFDocumentProxy;
  /** A guess (the first page's) until a page was loaded. */
  pages: PageBox[];
  /** Loads a page and remembers its true size. */
  loadPage(index: number): Promise<PDFPageProxy>;
}

type State = { url: string } & (
  | { state: 'opening' }
  | { state: 'failed' }
  | { state: 'open'; document: PDFDocumentProxy; pages: PageBox[] }
);

/** Opens the PDF at a URL and closes it again with the component or with the next URL. */
export function usePdf(url: string): OpenPdf | 'opening' | 'failed' {
  const [state, setState] = useState<State>({ url, state: 'opening' });
  useEffect(() => {
    let isCurrent = true;
    setState({ url, state: 'opening' });
    const task = openPdf(url);
    task.promise
      .then(async (document) => {
        const first = pageBox(await document.getPage(1));
        const pages = Array.from({ length: document.numPages }, () => first);
        if (isCurrent) setState({ url, state: 'open', document, pages });
      })
      .catch(() => {
        if (isCurrent) setState({ url, state: 'failed' });
      });
    return () => {
      isCurrent = false;
      void task.destroy();
    };
  }, [url]);

  const document = state.state === 'open' ? state.document : undefined;
  const loadPage = useCallback(
    async (index: number): Promise<PDFPageProxy> => {
      if (!document) throw new Error('page not loaded: the document is closed: open it again');
      const page = await document.getPage(index + 1);
      const box = pageBox(page);
      setState((before) => {
        if (before.state !== 'open' || before.document !== document) return before;
        if (isSameBox(before.pages[index], box)) return before;
        return { ...before, pages: before.pages.with(index, box) };
      });
      return page;
    },
    [document],
  );
  // For one drawing after the URL changed the state still speaks of the document before.
  if (state.url !== url) return 'opening';
  return state.state === 'open' ? { document: state.document, pages: state.pages, loadPage } : state.state;
}

function pageBox(page: PDFPageProxy): PageBox {
  const [left = 0, bottom = 0, right = 612, top = 792] = page.view;
  return { view: [left, bottom, right, top], rotation: page.rotate, userUnit: page.userUnit };
}

function isSameBox(a: PageBox | undefined, b: PageBox): boolean {
  return (
    a !== undefined &&
    a.rotation === b.rotation &&
    a.userUnit === b.userUnit &&
    a.view.every((value, index) => value === b.view[index])
  );
}
