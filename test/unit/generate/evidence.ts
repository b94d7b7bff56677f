/** Evidence for tests: passages of plain paragraphs, of pages and of table rows. */
import type { Language } from '../../../src/api/types.ts';
import type { EvidenceBlock, EvidencePassage } from '../../../src/engine/generate/evidence-units.ts';

type BlockSketch = Omit<EvidenceBlock, 'start'>;

/** One passage of the blocks, which follow each other from offset 0. */
export function evidenceOfBlocks(sketches: BlockSketch[], language: Language, title = 'a'): EvidencePassage {
  let start = 0;
  const blocks = sketches.map((sketch) => {
    const block = { ...sketch, start };
    start += sketch.text.length;
    return block;
  });
  const text = sketches.map((sketch) => sketch.text).join('');
  const document = { id: 1, folderId: 1, path: 'a.txt', title, kind: 'text' as const, isArchived: false };
  return {
    passage: { document, start: 0, end: text.length, text, headings: [], anchors: [] },
    blocks,
    language,
  };
}

/** Each line is a paragraph. */
export function evidenceOfLines(lines: string[], language: Language): EvidencePassage {
  return evidenceOfBlocks(
    lines.map((line) => ({ kind: 'paragraph', text: `${line}\n` })),
    language,
  );
}

/** The rows of one table beneath its columns. */
export function evidenceOfRows(columns: string[], rows: string[][], language: Language): EvidencePassage {
  return evidenceOfBlocks(
    rows.map((cells, index) => ({
      kind: 'row',
      text: `${cells.join('\t')}\n`,
      row: { table: 1, row: index + 2, isHeader: false, columns },
    })),
    language,
  );
}
