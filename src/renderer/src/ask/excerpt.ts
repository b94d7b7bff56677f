/** Which part of a long passage is shown first? */
import type { Range } from '../../../api/types.ts';

/** A passage up to this long is shown whole; of a longer one, a window of about this length. UTF-16 units. */
export const excerptLength = 420;
/** How far before the first matched word the beginning of its line or sentence is looked for. */
const lead = 160;

/** The window that holds most of the different matched words, begun at a line or sentence where one is near. */
export function excerpt(text: string, matches: Range[]): Range {
  if (text.length <= excerptLength * 1.25) return { start: 0, end: text.length };
  const sorted = [...matches].sort((one, other) => one.start - other.start);
  let best = { worth: -1, start: 0 };
  for (const first of sorted) {
    const inside = sorted.filter(
      ({ start, end }) => start >= first.start && end <= first.start + excerptLength - lead,
    );
    const words = new Set(inside.map(({ start, end }) => text.slice(start, end).toLowerCase()));
    const worth = words.size + inside.length / 1000;
    if (worth > best.worth) best = { worth, start: first.start };
  }
  const start = beginning(text, best.start);
  const end = ending(text, Math.min(text.length, start + excerptLength));
  return { start, end };
}

function beginning(text: string, at: number): number {
  const from = Math.max(0, at - lead);
  const before = text.slice(from, at);
  const breaks = [...before.matchAll(/\n|[.!?…]\s+(?=[\p{Lu}\p{N}"«(])/gu)];
  const last = breaks.at(-1);
  if (last !== undefined) return from + last.index + last[0].length;
  if (from === 0) return 0;
  return from + before.indexOf(' ') + 1;
}

/** Never inside a word. */
function ending(text: string, at: number): number {
  if (at === text.length) return at;
  const space = text.lastIndexOf(' ', at);
  return space > at - 40 ? space : at;
}
