/** How does a foreign document stand in the page without being able to do anything there? */
import { useEffect, useRef } from 'react';
import { lendFaces } from './lend-faces.ts';
import './frame.css';

export interface DocumentFrameProps {
  /** Name for screen readers: the document's title. */
  title: string;
  /** 1 is the natural size. */
  zoom: number;
  /** Style of the view, after the frame's own. */
  styleSheet?: string;
  /** The frame's document is there and has its base style; called once for each frame. */
  onReady(frameDocument: Document): void;
  /** How far the document is scrolled, 0 to 1. */
  onScroll?(share: number): void;
}

const BASE_STYLE_ID = 'lectern-base';
const HIGHLIGHT = 'lectern-cited';

/** Tokens of the page that the frame's style may use; the frame is a document of its own and inherits none. */
const tokens = [
  '--paper',
  '--page',
  '--ink',
  '--ink-soft',
  '--line',
  '--line-strong',
  '--accent',
  '--accent-ink',
  '--hover',
  '--ground-deep',
  '--marker',
  '--marker-page',
  '--found',
  '--found-now',
  '--serif',
  '--sans',
];

/** A frame without scripts, plug-ins, forms or a network. The parent draws into its document. */
export function DocumentFrame({ title, zoom, styleSheet, onReady, onScroll }: DocumentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const callbacks = useRef({ onReady, onScroll, styleSheet, zoom });
  callbacks.current = { onReady, onScroll, styleSheet, zoom };

  useEffect(() => {
    const element = frame.current!;
    let clean: (() => void) | undefined;
    const begin = (): void => {
      const inner = element.contentDocument;
      // A frame is first empty, then its page.
      if (!inner || inner.readyState === 'loading' || !inner.URL.includes('frame.html')) return;
      if (inner.getElementById(BASE_STYLE_ID)) return;
      clean?.();
      lendFaces(inner);
      addBaseStyle(inner, callbacks.current.styleSheet);
      inner.documentElement.style.setProperty('--zoom', String(callbacks.current.zoom));
      clean = connect(element, inner, (share) => callbacks.current.onScroll?.(share));
      callbacks.current.onReady(inner);
    };
    element.addEventListener('load', begin);
    begin();
    return () => {
      element.removeEventListener('load', begin);
      clean?.();
    };
  }, []);

  useEffect(() => {
    const root = frame.current?.contentDocument?.documentElement;
    root?.style.setProperty('--zoom', String(zoom));
  }, [zoom]);

  return (
    <iframe
      ref={frame}
      className="document-frame"
      title={title}
      src="/frame.html"
      sandbox="allow-same-origin"
    />
  );
}

/** Puts the frame's own style into a document; again after the document's content was replaced. */
export function addBaseStyle(frameDocument: Document, styleSheet = ''): void {
  frameDocument.getElementById(BASE_STYLE_ID)?.remove();
  const style = frameDocument.createElement('style');
  style.id = BASE_STYLE_ID;
  style.textContent = `
    html { zoom: calc(var(--zoom, 1) * var(--fit, 1)); }
    body { overflow-wrap: break-word; }
    img { max-width: 100%; height: auto; }
    a { cursor: default; }
    ::highlight(${HIGHLIGHT}) { background-color: var(--marker-page, #ffe97acc); color: inherit; }
    ::highlight(lectern-found) { background-color: var(--found, #cfe3f5); color: inherit; }
    ::highlight(lectern-found-now) { background-color: var(--found-now, #f0a35e); color: #1d1b17; }
    ${styleSheet}`;
  frameDocument.head.append(style);
  copyTokens(frameDocument);
}

function copyTokens(frameDocument: Document): void {
  const computed = getComputedStyle(document.documentElement);
  for (const name of tokens) {
    const value = computed.getPropertyValue(name);
    if (value !== '') frameDocument.documentElement.style.setProperty(name, value);
  }
}

/** Follows the page's theme, hands keys to the page, and reports scrolling. */
function connect(frame: HTMLIFrameElement, inner: Document, onScroll: (share: number) => void): () => void {
  const theme = new MutationObserver(() => copyTokens(inner));
  theme.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'class', 'style'],
  });
  const passKey = (event: KeyboardEvent): void => {
    const { key, code, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
    const copy = new KeyboardEvent('keydown', {
      key,
      code,
      ctrlKey,
      metaKey,
      altKey,
      shiftKey,
      repeat,
      bubbles: true,
      cancelable: true,
    });
    if (!frame.dispatchEvent(copy)) event.preventDefault();
  };
  const stay = (event: Event): void => event.preventDefault();
  const scrolled = (): void => {
    const { scrollHeight, clientHeight, scrollTop } = inner.documentElement;
    onScroll(scrollHeight <= clientHeight ? 0 : scrollTop / (scrollHeight - clientHeight));
  };
  inner.addEventListener('keydown', passKey);
  inner.addEventListener('click', stay);
  inner.addEventListener('auxclick', stay);
  inner.addEventListener('submit', stay);
  inner.addEventListener('scroll', scrolled, { passive: true });
  return () => {
    theme.disconnect();
    inner.removeEventListener('keydown', passKey);
    inner.removeEventListener('click', stay);
    inner.removeEventListener('auxclick', stay);
    inner.removeEventListener('submit', stay);
    inner.removeEventListener('scroll', scrolled);
  };
}
