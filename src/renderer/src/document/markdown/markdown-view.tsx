/** How is Markdown shown, rendered or as its source, with the cited words lit? */
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFindInFrame } from '../find/use-find-in-frame.ts';
import { DocumentFrame } from '../frame/frame.tsx';
import { lightRanges, settleOn } from '../frame/light-ranges.ts';
import { sanitisePage } from '../html/sanitise-page.ts';
import { TextView } from '../text/text-view.tsx';
import { useLoadedText } from '../text/use-loaded-text.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { rangesOfLines } from './ranges-of-lines.ts';
import { renderMarkdown } from './render-markdown.ts';
import './markdown-view.css';

/** Longer text is shown as its source only: laid out at once it would freeze the page. UTF-16 units. */
const MAX_RENDERED_LENGTH = 4_000_000;

const pageStyle = `
  html { background: var(--paper, #fffdf8); color: var(--ink, #23211c); font: 17px/1.62 var(--serif, serif); }
  body { max-width: 44em; margin: 0 auto; padding: 32px 40px 80px; }
  h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 0.5em; }
  h1 { font-size: 1.7em; margin-top: 0; } h2 { font-size: 1.35em; } h3 { font-size: 1.12em; }
  p, ul, ol, table, pre, blockquote { margin: 0 0 0.9em; }
  a { color: var(--accent-ink, #1f5f5b); text-decoration: underline; }
  pre, code { font-family: "DejaVu Sans Mono", Consolas, monospace; font-size: 0.84em; }
  pre { padding: 12px 16px; background: var(--ground-deep, #efebe2); overflow-x: auto; }
  blockquote { padding-left: 16px; border-left: 3px solid var(--line-strong, #cbc3b2); color: var(--ink-soft, #6a655a); }
  table { border-collapse: collapse; } th, td { border: 1px solid var(--line, #e0dacd); padding: 4px 10px; text-align: left; }
  hr { border: 0; border-top: 1px solid var(--line, #e0dacd); }
  ::highlight(lectern-cited) { background-color: var(--marker, #ffe97a); color: inherit; }`;

export function MarkdownView(props: DocumentViewProps) {
  const { t } = useTranslation();
  const [isSource, setIsSource] = useState(false);
  const loaded = useLoadedText(props.view.viewUrl);
  const isLong = loaded.state === 'loaded' && loaded.text.length > MAX_RENDERED_LENGTH;
  return (
    <div className="markdown-view">
      <fieldset className="markdown-modes" aria-label={t('doc.mode')}>
        <button
          type="button"
          aria-pressed={!isSource && !isLong}
          disabled={isLong}
          onClick={() => setIsSource(false)}
        >
          {t('doc.rendered')}
        </button>
        <button type="button" aria-pressed={isSource || isLong} onClick={() => setIsSource(true)}>
          {t('doc.source')}
        </button>
      </fieldset>
      <div className="markdown-body">
        {isSource || isLong ? <TextView {...props} /> : <Rendered {...props} />}
      </div>
    </div>
  );
}

function Rendered(props: DocumentViewProps) {
  const { view, anchors, quote, visit, zoom, onPlace, onLit } = props;
  const { t } = useTranslation();
  const loaded = useLoadedText(view.viewUrl);
  const [frame, setFrame] = useState<Document>();
  const [drawn, setDrawn] = useState<Document>();
  const text = loaded.state === 'loaded' ? loaded.text : undefined;

  useEffect(() => {
    if (!frame || text === undefined) return;
    const body = sanitisePage(renderMarkdown(text)).querySelector('body');
    frame.body.replaceChildren(...(body ? [...body.childNodes].map((node) => frame.adoptNode(node)) : []));
    setDrawn(frame);
  }, [frame, text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit lights the same anchors again
  useEffect(() => {
    if (!drawn) {
      if (loaded.state === 'failed' && anchors.length > 0) onLit(false);
      return;
    }
    const ranges = rangesOfLines(drawn.body, anchors, quote);
    const isLit = lightRanges(drawn, ranges);
    if (ranges[0]) settleOn(drawn, ranges[0]);
    if (anchors.length > 0) onLit(isLit);
  }, [drawn, anchors, quote, visit, loaded.state]);

  useFindInFrame(drawn, props);
  const scrolled = useCallback((share: number) => onPlace(`${Math.round(share * 100)} %`), [onPlace]);

  if (loaded.state === 'failed') return <p className="doc-note">{t('doc.broken')}</p>;
  return (
    <DocumentFrame
      title={view.document.title}
      zoom={zoom}
      styleSheet={pageStyle}
      onReady={setFrame}
      onScroll={scrolled}
    />
  );
}
