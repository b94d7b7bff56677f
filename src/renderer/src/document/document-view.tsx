/** Which view draws which kind of document, and what is said when it can't? */
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentKind } from '../../../api/types.ts';
import { Boundary } from '../shell/boundary.tsx';
import type { DocumentViewProps } from './view-props.ts';

type View = ComponentType<DocumentViewProps>;

const PdfView = lazy(async () => ({ default: (await import('./pdf/pdf-view.tsx')).PdfView as View }));
const DocxView = lazy(async () => ({ default: (await import('./docx/docx-view.tsx')).DocxView as View }));
const SheetView = lazy(async () => ({ default: (await import('./sheet/sheet-view.tsx')).SheetView as View }));
const HtmlView = lazy(async () => ({ default: (await import('./html/html-view.tsx')).HtmlView as View }));
const MailView = lazy(async () => ({ default: (await import('./mail/mail-view.tsx')).MailView as View }));
const MarkdownView = lazy(async () => ({
  default: (await import('./markdown/markdown-view.tsx')).MarkdownView as View,
}));
const SlidesView = lazy(async () => ({
  default: (await import('./slides/slides-view.tsx')).SlidesView as View,
}));
const ImageView = lazy(async () => ({ default: (await import('./image/image-view.tsx')).ImageView as View }));
const TextView = lazy(async () => ({ default: (await import('./text/text-view.tsx')).TextView as View }));
const TranscriptView = lazy(async () => ({
  default: (await import('./transcript/transcript-view.tsx')).TranscriptView as View,
}));

/** Exhaustive: a new kind of document names its view here. */
const views: Record<DocumentKind, View> = {
  pdf: PdfView,
  docx: DocxView,
  xlsx: SheetView,
  csv: SheetView,
  html: HtmlView,
  markdown: MarkdownView,
  text: TextView,
  code: TextView,
  pptx: SlidesView,
  odp: SlidesView,
  ppt: SlidesView,
  odt: HtmlView,
  rtf: HtmlView,
  doc: HtmlView,
  epub: HtmlView,
  mhtml: HtmlView,
  xml: HtmlView,
  notebook: HtmlView,
  ods: SheetView,
  xls: SheetView,
  xlsb: SheetView,
  database: SheetView,
  transcript: TranscriptView,
  note: TextView,
  mail: MailView,
  mailbox: HtmlView,
  archive: HtmlView,
  image: ImageView,
};

export function DocumentView(props: DocumentViewProps) {
  const { t } = useTranslation();
  const { kind } = props.view.document;
  if (kind === undefined) return <p className="doc-note">{t('doc.noView')}</p>;
  const View = views[kind];
  return (
    <Boundary key={props.view.document.id} fallback={<p className="doc-note">{t('doc.broken')}</p>}>
      <Suspense fallback={<p className="doc-note">{t('doc.drawing')}</p>}>
        <View {...props} />
      </Suspense>
    </Boundary>
  );
}
