/** How is a picture shown, with its recognised words marked and the cited ones lit? */
import { useMemo } from 'react';
import { PdfView } from '../pdf/pdf-view.tsx';
import type { DocumentViewProps } from '../view-props.ts';

/** The engine prepares a picture's pages as a PDF whose units are the picture's pixels: they are lit, zoomed and searched as one. */
export function ImageView(props: DocumentViewProps) {
  const { view } = props;
  const pages = useMemo(() => ({ ...view, originalUrl: view.viewUrl ?? view.originalUrl }), [view]);
  return <PdfView {...props} view={pages} />;
}
