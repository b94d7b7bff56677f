/** How are the slides of a presentation drawn? */
import type { DocumentKind } from '../../../api/types.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';

/** HTML with one section a slide. */
export async function viewSlides(
  kind: DocumentKind,
  file: SourceFile,
  _signal: AbortSignal,
): Promise<string> {
  throw new ParseFailure('unsupported', `Preparing a view failed: ${file.name}: ${kind} is not drawn yet.`);
}
