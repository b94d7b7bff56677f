/** How is a page of HTML shown with its cited words lit? */
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anchor } from '../../../../api/anchor.ts';
import { useMembers } from '../archive/use-members.ts';
import { useFindInFrame } from '../find/use-find-in-frame.ts';
import { addBaseStyle, DocumentFrame } from '../frame/frame.tsx';
import { lightRanges, rangeInElement, settleOn } from '../frame/light-ranges.ts';
import { useLoadedText } from '../text/use-loaded-text.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { sanitisePage } from './sanitise-page.ts';

/** Foreign pages expect white paper, in the dark theme too: their own colours are made for it. */
const paper =
  'html { background: #fff; color: #1d1b17; color-scheme: light; } ::highlight(lectern-cited) { background-color: #ffe97acc; color: #1d1b17; }';

/** Weaker than any rule of the page: what a page without a style of its own is read in. */
const plain = ':where(html) { font: 16px/1.5 var(--serif, serif); } :where(body) { margin: 24px 32px; }';
/** A page that lays out nothing itself is given a width that can be read. */
const measure =
  ':where(body) { max-width: 44em; } :where(table) { border-collapse: collapse; } :where(th, td) { padding: 4px 10px; text-align: left; vertical-align: top; }';

/** What a kind of page adds to the drawing; the same object each time. */
export interface Dress {
  /** Instead of white paper. */
  styleSheet: string;
  /** Changes the drawn page, but not the text of its blocks. */
  apply(frame: Document): void;
}

export function HtmlView(props: DocumentViewProps & { dress?: Dress }) {
  const { view, anchors, visit, zoom, onPlace, onLit, dress } = props;
  const { t } = useTranslation();
  const loaded = useLoadedText(view.viewUrl);
  const [frame, setFrame] = useState<Document>();
  const [drawn, setDrawn] = useState<Document>();
  const text = loaded.state === 'loaded' ? loaded.text : undefined;

  useEffect(() => {
    if (!frame || text === undefined) return;
    drawPage(frame, text, dress);
    setDrawn(frame);
  }, [frame, text, dress]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit lights the same anchors again
  useEffect(() => {
    if (!drawn) {
      if (loaded.state === 'failed' && anchors.length > 0) onLit(false);
      return;
    }
    const ranges = rangesOf(drawn, anchors);
    const isLit = lightRanges(drawn, ranges);
    if (ranges[0]) settleOn(drawn, ranges[0]);
    if (anchors.length > 0) onLit(isLit);
  }, [drawn, anchors, visit, loaded.state]);

  useFindInFrame(drawn, props);
  useMembers(drawn, props.onMember);
  const scrolled = useCallback((share: number) => onPlace(`${Math.round(share * 100)} %`), [onPlace]);

  if (loaded.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  return (
    <DocumentFrame
      title={view.document.title}
      zoom={zoom}
      styleSheet={dress?.styleSheet ?? paper}
      onReady={setFrame}
      onScroll={scrolled}
    />
  );
}

/** Replaces the frame's content; the frame's own style goes after the page's. */
function drawPage(frame: Document, html: string, dress: Dress | undefined): void {
  const page = sanitisePage(html);
  const head = page.querySelector('head');
  const body = page.querySelector('body');
  const own = frame.documentElement.style.cssText;
  const styles = head ? [...head.querySelectorAll('style')].map((style) => frame.adoptNode(style)) : [];
  const weakest = frame.createElement('style');
  weakest.textContent = styles.length > 0 ? plain : plain + measure;
  frame.head.replaceChildren(weakest, ...styles);
  if (body) frame.documentElement.replaceChild(frame.adoptNode(body), frame.body);
  frame.documentElement.lang = page.lang;
  frame.documentElement.style.cssText = own;
  dress?.apply(frame);
  addBaseStyle(frame, dress?.styleSheet ?? paper);
}

function rangesOf(frame: Document, anchors: Anchor[]): Range[] {
  const elements = new Map<string, Element>();
  for (const element of frame.querySelectorAll('[data-block]'))
    elements.set(element.getAttribute('data-block')!, element);
  return anchors.flatMap((anchor) => {
    if (anchor.kind !== 'element') return [];
    const element = elements.get(anchor.path);
    return (element && rangeInElement(element, anchor.start, anchor.end)) ?? [];
  });
}
