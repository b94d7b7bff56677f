/** In which rows is a transcript drawn, and which of its words are lit? */
import type { Anchor } from '../../../../api/anchor.ts';
import type { Range } from '../../../../api/types.ts';
import { findQuote } from '../text/find-quote.ts';
import { type Rows, toRows } from '../text/rows.ts';

/** One stretch of speech, as the engine prepared it. */
export interface CueTimes {
  fromMs: number;
  toMs: number;
  text: string;
}

/** Cues with their text as rows: line n is cue n - 1. */
export interface CueRows {
  cues: CueTimes[];
  rows: Rows;
  /** Offset of each cue's text. */
  starts: number[];
}

/** Undefined where the text is no list of cues. */
export function toCueRows(json: string): CueRows | undefined {
  const cues = JSON.parse(json) as CueTimes[];
  if (!Array.isArray(cues)) return undefined;
  const starts: number[] = [];
  let length = 0;
  for (const { text } of cues) {
    starts.push(length);
    length += text.length + 1;
  }
  return { cues, rows: toRows(cues.map(({ text }) => text).join('\n')), starts };
}

/** Half-open ranges of the rows' text: of each run of cited cues the quote's words where they are found, else all. */
export function litCues({ cues, rows, starts }: CueRows, anchors: Anchor[], quote: string): Range[] {
  const runs: { first: number; last: number }[] = [];
  for (const [at, cue] of cues.entries()) {
    if (!anchors.some((anchor) => anchor.kind === 'time' && isInside(cue, anchor.fromMs, anchor.toMs)))
      continue;
    const run = runs.at(-1);
    if (run && run.last === at - 1) run.last = at;
    else runs.push({ first: at, last: at });
  }
  return runs.map(({ first, last }) => {
    const start = starts[first]!;
    const end = starts[last]! + cues[last]!.text.length;
    const found = findQuote(rows.text.slice(start, end), quote);
    return found ? { start: start + found.start, end: start + found.end } : { start, end };
  });
}

/** A cue of no length stands where it begins. */
function isInside(cue: CueTimes, fromMs: number, toMs: number): boolean {
  return cue.fromMs >= fromMs && cue.toMs <= Math.max(toMs, fromMs);
}

/** Such as "1:02:07" or "2:07". */
export function toClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
