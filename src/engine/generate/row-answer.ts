/** What does a table's row say to a question: which cell, and in which words? */
import { isFunctionWord } from '../language/function-words.ts';
import { stem } from '../language/stem.ts';
import { words } from '../language/words.ts';
import { askedValues } from './asked-values.ts';
import type { EvidenceUnit, UnitCell } from './evidence-units.ts';
import { holdsFamily, holdsTerm, type QuestionFocus, stemmed } from './question-focus.ts';
import { type Asked, isKindWord } from './read-asked.ts';

/** Share of a row's label that the question must hold for a row whose column it names. */
const leastLabelShare = 0.6;

/** Kinds whose answer is a figure. */
const figureKinds: ReadonlySet<Asked> = new Set<Asked>(['count', 'amount', 'money', 'percent', 'measure']);

/** The cell that the question asks for; undefined where two could be meant or the row is another's. */
export function askedCell(focus: QuestionFocus, unit: EvidenceUnit): UnitCell | undefined {
  const labels = labelCells(focus, unit);
  // A function word elsewhere, but "other" makes another row of a table.
  if (isOther(focus.text) !== labels.some(({ value }) => isOther(value))) return undefined;
  const others = unit.cells.filter((cell) => !labels.includes(cell));
  const scored = others.map((cell) => ({ cell, ...fitOf(focus, unit, cell) }));
  const best = Math.max(0, ...scored.map(({ fit }) => fit));
  const chosen = scored.filter(({ fit }) => fit === best);
  if (best === 0 || chosen.length !== 1) return undefined;
  if (isAskedRow(focus, unit, labels) || (chosen[0]!.named > 0 && labels.length > 0)) return chosen[0]!.cell;
  return undefined;
}

/** One line that reads as a sentence: "Service Desk — Owner: Jonas Wikner"; all cells where none is asked for. */
export function rowSentence(focus: QuestionFocus, unit: EvidenceUnit): string {
  const asked = askedCell(focus, unit);
  const named = labelCells(focus, unit);
  const labels = named.length > 0 ? named : unit.cells.slice(0, 1);
  const label = labels.map(({ value }) => value).join(', ');
  const rest = asked ? [asked] : unit.cells.filter((cell) => !labels.includes(cell));
  if (rest.length === 0) return unit.text;
  // Of two columns the second is the value of the first: its name adds nothing.
  if (unit.cells.length === 2 && rest.length === 1 && labels.length === 1)
    return `${label}: ${rest[0]!.value}`;
  const said = rest.map(({ column, value }) => (column === '' ? value : `${column}: ${value}`));
  return `${label} — ${said.join('; ')}`;
}

/** The cells by which the question names the row: most of their words stand in it. */
function labelCells(focus: QuestionFocus, unit: EvidenceUnit): UnitCell[] {
  return unit.cells.filter((cell) => labelShare(focus, unit, cell.value) >= leastLabelShare);
}

function labelShare(focus: QuestionFocus, unit: EvidenceUnit, label: string): number {
  const content = words(label).filter(({ word }) => !isFunctionWord(word));
  if (content.length === 0) return 0;
  const held = content.filter(({ word }) => {
    const held = { stems: new Set([stem(word, unit.language)]), language: unit.language };
    return focus.terms.some((term) => holdsTerm(held, term) || holdsFamily(held, term));
  });
  return held.length / content.length;
}

/** How well a cell fits: its column named by the question, its value of the asked kind. */
function fitOf(focus: QuestionFocus, unit: EvidenceUnit, cell: UnitCell): { fit: number; named: number } {
  const heading = stemmed(cell.column, unit.language);
  const named = focus.terms.filter((term) => holdsTerm(heading, term)).length;
  const kin = focus.terms.filter((term) => !holdsTerm(heading, term) && holdsFamily(heading, term)).length;
  const isNounColumn = focus.noun.some((word) => holdsTerm(heading, word));
  const isKindColumn = words(cell.column).some(({ word }) => isKindWord(word, focus.asked));
  const ofKind = Math.max(
    0,
    ...askedValues(focus, { text: cell.value, language: unit.language }).map((value) => value.fit),
  );
  // A column of another kind, though the question names it: "how much" is answered by no date.
  if (figureKinds.has(focus.asked) && ofKind === 0) return { fit: 0, named: 0 };
  const isFigure = focus.asked === 'other' && /\p{N}/u.test(cell.value) ? 0.3 : 0;
  return {
    fit: 2 * named + 1.6 * kin + (isNounColumn ? 1 : 0) + (isKindColumn ? 0.5 : 0) + ofKind + isFigure,
    named: named + kin,
  };
}

/** "Operating expenses" is not what "other operating expenses" asks for: label and question must agree both ways. */
function isAskedRow(focus: QuestionFocus, unit: EvidenceUnit, labels: UnitCell[]): boolean {
  // Of two columns the second can only be the value of the first.
  const isNamed = labels.some(({ value }) => labelShare(focus, unit, value) === 1);
  if (!isNamed && !(unit.cells.length === 2 && labels.length === 1)) return false;
  return focus.terms.every(
    (term) =>
      /\d/.test(term.word) ||
      term.isKind ||
      term.weight < 1 ||
      holdsTerm(unit, term) ||
      holdsFamily(unit, term) ||
      isAmountWord(term.word),
  );
}

function isOther(text: string): boolean {
  return /(?<!\p{L})(?:others?|проч\p{L}+|други\p{L}+|pozostał\p{L}+|sonstig\p{L}+|otr[oa]s?)(?!\p{L})/iu.test(
    text,
  );
}

/** Words that only say that a figure is asked for. */
function isAmountWord(word: string): boolean {
  return /^(?:amount|value|figure|number|total|company|year|fiscal|recorded|reported|сумма|значение|число|год\p{L}*|составил\p{L}*|равн\p{L}*|betrag|wert|kwota|wartość|importe|valor)$/u.test(
    word,
  );
}
