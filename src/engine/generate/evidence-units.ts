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
  /** Its pieces, where they were made already. */
  units?: EvidenceUnit[];
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
  /** Where the paragraph or row that it is a part of begins, in the document's text. */
  block: number;
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
  const { passage, language } = evidence;
  return joinPages(evidence.blocks).flatMap((pieces) => {
    const [block] = pieces;
    const inside = pieces.filter(
      ({ start, text }) => start < passage.end && start + text.length > passage.start,
    );
    if (!block || inside.length === 0) return [];
    if (block.kind === 'row' && block.row) return rowUnit(block, block.row, index, language);
    const { text, at } = cutOut(inside, passage);
    const isHeading = block.kind === 'heading' || block.kind === 'title' || isName(block.text, passage);
    const kind = isHeading ? 'heading' : 'sentence';
    const ranges = block.kind === 'code' ? statements(text) : sentences(text);
    return ranges.flatMap((range) => {
      const shown = oneLine(text.slice(range.start, range.end));
      if (!/[\p{L}\p{N}]/u.test(shown)) return [];
      const place = { start: at(range.start), end: at(range.end - 1) + 1 };
      return [
        makeUnit({ passage: index, kind, block: block.start, ...place, text: shown, cells: [] }, language),
      ];
    });
  });
}

/** A line that repeats the document's title or a heading, as the head of a page does, says nothing by itself. */
function isName(text: string, { document, headings }: Passage): boolean {
  const line = oneLine(text);
  return [document.title, ...headings].some((name) => oneLine(name) === line);
}

/** A paragraph goes on over the page's foot and head where it has not ended and the next one begins in lower case. */
function joinPages(blocks: EvidenceBlock[]): EvidenceBlock[][] {
  const joined: EvidenceBlock[][] = [];
  for (const block of blocks) {
    if (block.kind === 'margin') continue;
    const before = joined.at(-1)?.at(-1);
    const goesOn =
      block.kind === 'paragraph' &&
      (before?.kind === 'paragraph' || before?.kind === 'list-item') &&
      /^\p{Ll}/u.test(block.text) &&
      /[\p{L}\p{N},–-]\s*$/u.test(before.text);
    if (goesOn) joined.at(-1)!.push(block);
    else joined.push([block]);
  }
  return joined;
}

/** The part of the blocks that lies in the passage as one text, and where each of its places stands in the document. */
function cutOut(
  blocks: EvidenceBlock[],
  passage: { start: number; end: number },
): { text: string; at: (offset: number) => number } {
  let text = '';
  const pieces = blocks.map((block) => {
    const start = Math.max(block.start, passage.start);
    const end = Math.min(block.start + block.text.length, passage.end);
    const piece = { from: text.length, start };
    text += block.text.slice(start - block.start, end - block.start);
    return piece;
  });
  const at = (offset: number): number => {
    const piece = pieces.findLast(({ from }) => from <= offset)!;
    return piece.start + offset - piece.from;
  };
  return { text, at };
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
  return [
    makeUnit(
      { passage: index, kind: 'row', block: block.start, start: block.start, end, text, cells },
      language,
    ),
  ];
}

/** A sentence that somebody wrote, as a unit: what reads sources can read it as well. */
export function sentenceUnit(text: string, language: Language): EvidenceUnit {
  return makeUnit(
    { passage: 0, kind: 'sentence', block: 0, start: 0, end: text.length, text, cells: [] },
    language,
  );
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
