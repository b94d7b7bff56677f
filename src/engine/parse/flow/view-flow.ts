/** Which page is shown for a document that is read as a flow of blocks? Drawn from the same blocks that the index holds. */
import type { DocumentKind } from '../../../api/types.ts';
import type { SourceFile } from '../../document.ts';
import { parseAs } from '../parse-document.ts';
import { flowPage } from './flow-page.ts';

/** HTML with `data-block` identifiers; throws ParseFailure as the parser does. */
export async function viewFlow(kind: DocumentKind, file: SourceFile, signal: AbortSignal): Promise<string> {
  if (kind === 'epub') return (await import('./parse-epub.ts')).viewEpub(file, signal);
  if (kind === 'mhtml') return (await import('./parse-mhtml.ts')).viewMhtml(file, signal);
  if (kind === 'notebook') return (await import('./parse-notebook.ts')).viewNotebook(file, signal);
  return flowPage(parseAs(kind, file, signal));
}
