/** How is a mail shown: its head, what is attached, its page, with the cited words lit? */
import { HtmlView } from '../html/html-view.tsx';
import type { DocumentViewProps } from '../view-props.ts';
import { dressMail } from './dress-mail.ts';

/**
 * The head goes with the theme, and so do words without a page of their own; a page that the writer laid out stands on white paper, since
 * its colours are made for it.
 */
const styleSheet = `
  html { height: 100%; background: var(--paper, #fffdf8); color: var(--ink, #23211c); }
  body { display: flex; flex-direction: column; min-height: 100%; margin: 0 !important; max-width: none !important; background: none !important; }
  .mail-head { display: flex; flex-direction: column; gap: 2px; padding: 18px 28px 14px; border-bottom: 1px solid var(--line, #e0dacd); font: 14px/1.5 var(--sans, sans-serif); }
  .mail-head > p { display: grid; grid-template-columns: 94px 1fr; column-gap: 12px; margin: 0; overflow-wrap: anywhere; }
  .mail-head > p > b { font-weight: 400; color: var(--ink-soft, #655f54); }
  .mail-head > .subject { order: -1; align-items: baseline; margin-bottom: 8px; font: 600 19px/1.3 var(--serif, serif); }
  .mail-head > .subject > b { font: 14px/1.3 var(--sans, sans-serif); }
  .mail-head > [data-member] { cursor: pointer; color: var(--accent-ink, #1f5f8b); }
  .mail-head > [data-member]:is(:hover, :focus-visible) { text-decoration: underline; text-underline-offset: 3px; }
  .mail-head > p:not([data-member]) + [data-member] { margin-top: 8px; }
  .letter { flex: 1 0 auto; padding: 20px 28px 32px; }
  .letter[data-shape="words"] { max-width: 44em; font: 16px/1.55 var(--serif, serif); }
  .letter[data-shape="page"] { background-color: #fff; color: #1d1b17; color-scheme: light; }
  :where(.letter[data-shape="page"]) { font: 16px/1.5 var(--serif, serif); }
  :where(.letter blockquote) { margin: 8px 0; padding-left: 14px; border-left: 2px solid var(--line-strong, #cbc3b2); }
  :where(.letter table) { border-collapse: collapse; }
  :where(.letter th, .letter td) { text-align: left; vertical-align: top; }
  ::highlight(lectern-cited) { background-color: var(--marker, #ffe97a); color: inherit; }
  .letter[data-shape="page"]::highlight(lectern-cited), .letter[data-shape="page"] ::highlight(lectern-cited) { background-color: #ffe97a; color: #1d1b17; }
`;

const dress = { styleSheet, apply: dressMail };

export function MailView(props: DocumentViewProps) {
  return <HtmlView {...props} dress={dress} />;
}
