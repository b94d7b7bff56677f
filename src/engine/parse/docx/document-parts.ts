/** Which parts of a Word document hold text, and in which order are they walked? */
import { ParseFailure, type SourceFile } from '../../document.ts';
import { findMainPart, type Relation, readRelations } from '../zip/relations.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { readNumbering } from './numbering.ts';
import { readStyles } from './styles.ts';
import type { WalkContext } from './walk-state.ts';

export interface TextPart {
  /** Name in the archive. */
  name: string;
  role: 'body' | 'notes' | 'margin';
}

export interface DocumentParts {
  /** Body, then footnotes, endnotes, headers and footers. The parser and the view must keep to this order. */
  texts: TextPart[];
  context: WalkContext;
}

/** Finds the parts and reads styles and lists. Throws ParseFailure damaged when the document has no body. */
export async function readDocumentParts(
  archive: ZipArchive,
  file: SourceFile,
  signal: AbortSignal,
): Promise<DocumentParts> {
  const main = await findMainPart(archive, 'word/document.xml', signal);
  if (!archive.has(main)) {
    throw new ParseFailure(
      'damaged',
      `Reading failed: ${file.name}: no document part in it: save the file again`,
    );
  }
  const relations = await readRelations(archive, main, signal);
  const partsOf = (type: string): string[] =>
    relations
      .filter((relation: Relation) => relation.type === type && archive.has(relation.target))
      .map(({ target }) => target);
  const styles = await readStyles(archive, partsOf('styles')[0] ?? 'word/styles.xml', signal);
  const lists = await readNumbering(archive, partsOf('numbering')[0] ?? 'word/numbering.xml', styles, signal);
  const names = new Map<string, TextPart['role']>([[main, 'body']]);
  for (const name of [...partsOf('footnotes'), ...partsOf('endnotes')]) names.set(name, 'notes');
  for (const name of [...partsOf('header'), ...partsOf('footer')]) names.set(name, 'margin');
  return {
    texts: [...names].map(([name, role]) => ({ name, role })),
    context: { styles, lists, paragraphs: 0, notes: new Set(), hasForeignPart: false, isCut: false },
  };
}
