/** Where do the lines drawn on a page stand for text that runs in one direction? */
import type { PageMarks, Rule } from './page-marks.ts';

/** In the frame of the text, see Piece: `across` at v from u to u, `down` at u from v to v; both ascending by `at`. */
export interface FrameRules {
  across: Rule[];
  down: Rule[];
}

const sameLine = 1.2; // points between two strokes of one line: double lines, edges of neighbouring cells
const touching = 3; // points between two strokes that go on in one line

/** Rules for a direction, 0 to 3 as in `directions`; strokes of one line are one rule. */
export function rulesInFrame({ level, upright }: PageMarks, direction: number): FrameRules {
  const isLevel = direction % 2 === 0;
  // u and v grow against x and y in two directions each, see the frames of pieces.
  const isAcrossTurned = isLevel ? direction === 0 : direction === 3;
  const isAlongTurned = direction === 2 || direction === 3;
  const turn = (rules: Rule[], flipAt: boolean, flipEnds: boolean): Rule[] =>
    rules.map(({ at, from, to }) => ({
      at: flipAt ? -at : at,
      from: flipEnds ? -to : from,
      to: flipEnds ? -from : to,
    }));
  return {
    across: joined(turn(isLevel ? level : upright, isAcrossTurned, isAlongTurned)),
    down: joined(turn(isLevel ? upright : level, isAlongTurned, isAcrossTurned)),
  };
}

function joined(rules: Rule[]): Rule[] {
  const sorted = rules.toSorted((a, b) => a.at - b.at);
  const found: Rule[] = [];
  for (let index = 0; index < sorted.length; ) {
    const first = sorted[index]!;
    let end = index + 1;
    while (end < sorted.length && sorted[end]!.at - first.at <= sameLine) end += 1;
    const group = sorted.slice(index, end).sort((a, b) => a.from - b.from);
    let open: Rule | undefined;
    for (const rule of group) {
      if (open && rule.from <= open.to + touching) open.to = Math.max(open.to, rule.to);
      else {
        open = { ...rule };
        found.push(open);
      }
    }
    index = end;
  }
  return found;
}

/** True where a rule that runs down stands between two places of one line. `down` ascends by `at`. */
export function isParted(down: Rule[], u0: number, u1: number, v: number): boolean {
  let low = 0;
  let high = down.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (down[middle]!.at < u0) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < down.length && down[index]!.at <= u1; index += 1) {
    if (down[index]!.from <= v && v <= down[index]!.to) return true;
  }
  return false;
}
