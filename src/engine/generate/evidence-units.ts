/** Into which citable pieces, sentences and table rows, does a passage fall? */
import type { Language, Passage } from '../../api/types.ts';
import type { BlockKind } from '../document.ts';
import { sentences } from '../language/sentences.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';

/** A stored block as far as citing needs it. */
export interface EvidenceBlock {
  kind: BlockKind;
  /** Offset in the document's text. */
  start: number;
  text: string;
  row?: { table: number; row: number; isHeader: boolean; columns: string[] };
}

/** A passage with its blocks and the language it is written in. */
export interface EvidencePassage {
  passage: Passage;
  blocks: EvidenceBlock[];
  language: Language;
}

/** A cell of a row unit. */
export interface UnitCell {
  column: string;
  value: string;
}

export interface EvidenceUnit {
  /** Index of its passage among the evidence. */
  passage: number;
  kind: 'sentence' | 'row' | 'heading';
  /** Range in the document's text. */
  start: number;
  end: number;
  /** As shown: a sentence on one line, a row as "column: value" pairs. */
  text: string;
  /** For rows, the cells that hold something. */
  cells: UnitCell[];
  language: Language;
  /** Folded words and their stems, for comparing. */
  words: string[];
  stems: Set<string>;
}

/** UTF-16 units of a comment that is still shown with its line of code; a licence is not. */
const maxCommentLength = 400;

/** The units of a passage in document order; headings are units too, marked as such. */
export function evidenceUnits(evidence: EvidencePassage, index: number): EvidenceUnit[] {
  const { passage, blocks, language } = evidence;
  return blocks.flatMap((block) => {
    const start = Math.max(block.start, passage.start);
    const end = Math.min(block.start + block.text.length, passage.end);
    if (start >= end || block.kind === 'margin') return [];
    if (block.kind === 'row' && block.row) return rowUnit(block, block.row, index, language);
    const text = block.text.slice(start - block.start, end - block.start);
    const kind = block.kind === 'heading' || block.kind === 'title' ? 'heading' : 'sentence';
    const ranges = block.kind === 'code' ? statements(text) : sentences(text);
    return ranges.flatMap((range) => {
      const shown = oneLine(text.slice(range.start, range.end));
      if (!/[\p{L}\p{N}]/u.test(shown)) return [];
      return [
        makeUnit(
          {
            passage: index,
            kind,
            start: start + range.start,
            end: start + range.end,
            text: shown,
            cells: [],
          },
          language,
        ),
      ];
    });
  });
}

function rowUnit(
  block: EvidenceBlock,
  row: NonNullable<EvidenceBlock['row']>,
  index: number,
  language: Language,
): EvidenceUnit[] {
  if (row.isHeader) return [];
  const texts = block.text.replace(/\n$/, '').split('\t');
  const cells = texts
    .map((value, column) => ({ column: oneLine(row.columns[column] ?? ''), value: oneLine(value) }))
    .filter(({ value }) => value !== '');
  if (cells.length === 0) return [];
  const text = cells.map(({ column, value }) => (column === '' ? value : `${column}: ${value}`)).join(' · ');
  const end = block.start + block.text.replace(/\n$/, '').length;
  return [makeUnit({ passage: index, kind: 'row', start: block.start, end, text, cells }, language)];
}

function makeUnit(
  unit: Omit<EvidenceUnit, 'words' | 'stems' | 'language'>,
  language: Language,
): EvidenceUnit {
  const found = words(unit.text).map(({ word }) => word);
  return { ...unit, language, words: found, stems: new Set(found.map((word) => stem(word, language))) };
}

/** White space of any kind as one space, ends trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const commentLine = /^\s*(?:\/\/|\/\*|\*|#|--|;;)/;

/** Lines of code; a comment says what the line below it is and stands with that. */
function statements(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let above: number | undefined;
  for (const match of text.matchAll(/[^\n]+/g)) {
    const end = match.index + match[0].length;
    if (commentLine.test(match[0]) && end - (above ?? match.index) < maxCommentLength) {
      above ??= match.index;
      continue;
    }
    found.push({ start: above ?? match.index, end });
    above = undefined;
  }
  if (above !== undefined) found.push({ start: above, end: text.trimEnd().length });
  return found;
}
