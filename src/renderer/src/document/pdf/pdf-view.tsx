/** x */
import type { DocumentViewProps } from '../view-props.ts';
export function PdfView(props: DocumentViewProps) {
  return <div onClick={() => props.onLit(true)}>{props.view.originalUrl}</div>;
}
