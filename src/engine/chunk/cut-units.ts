/** Where do the boundaries of prose and code fall? */
import { chunk as limits } from '../config.ts';
import type { Chunk, Similarity } from '../document.ts';
import type { Unit } from './make-units.ts';

/** A heading with what stands below it, up to the next heading. */
interface Section {
  units: Unit[];
  /** Words below the heading. */
  words: number;
  depth: number;
}

/**
 * Cuts units into runs: by section, small neighbouring sections glued, large ones cut evenly at blocks, sentences and
 * falls of similarity.
 */
export async function cutUnits(units: Unit[], similarity?: Similarity): Promise<Unit[][]> {
  const pieces: Unit[][] = [];
  for (const group of glueSections(toSections(units))) pieces.push(...(await cutGroup(group, similarity)));
  return pieces;
}

function toSections(units: Unit[]): Section[] {
  const sections: Section[] = [];
  for (const unit of units) {
    const last = sections.at(-1);
    if (!last || unit.kind === 'heading' || !samePath(last.units.at(-1)!.path, unit.path)) {
      sections.push({
        units: [unit],
        words: unit.kind === 'heading' ? 0 : unit.words,
        depth: unit.path.length,
      });
    } else {
      last.units.push(unit);
      last.words += unit.words;
    }
  }
  return sections;
}

/** Sections under `minWords` are glued to the next one, so that passages are no slivers. */
function glueSections(sections: Section[]): Unit[][] {
  const groups: Section[] = [];
  for (const section of sections) {
    const last = groups.at(-1);
    if (last && isGlued(last, section)) {
      last.units.push(...section.units);
      last.words += section.words;
    } else groups.push({ ...section, units: [...section.units] });
  }
  const tail = groups.at(-1);
  const before = groups.at(-2);
  if (tail && before && tail.words < limits.tinyWords && fits([...before.units, ...tail.units])) {
    before.units.push(...tail.units);
    groups.pop();
  }
  return groups.map((group) => group.units);
}

function isGlued(before: Section, next: Section): boolean {
  if (before.words < limits.tinyWords) return true;
  if (before.words >= limits.minWords || next.depth < before.depth) return false;
  return before.words + next.words <= limits.targetWords;
}

/** Units from `from` on may stay one run: at most a third over the target, at most two pages. */
function fits(units: Unit[], from = 0): boolean {
  let words = 0;
  const pages = new PageSpan();
  for (let at = from; at < units.length; at++) {
    words += units[at]!.words;
    pages.add(units[at]!);
    if (words > limits.targetWords * 1.3 || pages.length > limits.maxPages) return false;
  }
  return true;
}

/** How many pages a growing run of units covers. */
class PageSpan {
  private first = Number.POSITIVE_INFINITY;
  private last = 0;

  get length(): number {
    return this.last === 0 ? 0 : this.last - this.first + 1;
  }

  add({ pages }: Unit): void {
    if (!pages) return;
    this.first = Math.min(this.first, pages.first);
    this.last = Math.max(this.last, pages.last);
  }
}

async function cutGroup(group: Unit[], similarity: Similarity | undefined): Promise<Unit[][]> {
  if (fits(group)) return [group];
  const falls = similarity && group.length > 4 ? await findFalls(group, similarity) : undefined;
  const pieces: Unit[][] = [];
  let from = 0;
  while (from < group.length) {
    const to = fits(group, from) ? group.length : bestCut(group, from, falls);
    pieces.push(group.slice(from, to));
    from = to;
  }
  return pieces;
}

/** True at i when the similarity of units i − 1 and i is in the group's lower quartile. */
async function findFalls(group: Unit[], similarity: Similarity): Promise<boolean[]> {
  const values = await similarity(group.map((unit) => unit.text));
  const quartile = [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? 0;
  return [false, ...values.map((value) => value <= quartile)];
}

/** Words of a piece when the rest is cut evenly; of a long rest the target itself. */
function evenShare(group: Unit[], from: number): number {
  let rest = 0;
  for (let at = from; at < group.length; at++) {
    rest += group[at]!.words;
    if (rest > limits.targetWords * 10) return limits.targetWords;
  }
  return rest / Math.max(1, Math.round(rest / limits.targetWords));
}

/** Index of the unit that begins the next piece: near an even share, better at a block, a heading or a fall. */
function bestCut(group: Unit[], from: number, falls: boolean[] | undefined): number {
  const share = evenShare(group, from);
  const pages = new PageSpan();
  pages.add(group[from]!);
  let words = group[from]!.words;
  let best = from + 1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let at = from + 1; at < group.length; at++) {
    const unit = group[at]!;
    const isAllowed = group[at - 1]!.kind !== 'heading';
    if (isAllowed) {
      let score = -Math.abs(words - share) / share;
      if (words < limits.minWords) score -= 1;
      if (unit.isBlockStart) score += 0.25;
      if (unit.kind === 'heading') score += 0.25;
      if (falls?.[at]) score += 0.35;
      if (score > bestScore) {
        best = at;
        bestScore = score;
      }
    }
    words += unit.words;
    pages.add(unit);
    if (words > limits.maxWords || pages.length > limits.maxPages) break;
  }
  return best;
}

const samePath = (one: string[], two: string[]): boolean => one.length === two.length && isPrefix(one, two);

/** Every heading of `prefix` also stands above what has `path`. */
export const isPrefix = (prefix: string[], path: string[]): boolean =>
  prefix.every((part, i) => path[i] === part);

function commonPath(units: Unit[]): string[] {
  const [first, ...others] = units;
  let length = first?.path.length ?? 0;
  for (const { path } of others) {
    let same = 0;
    while (same < length && path[same] === first!.path[same]) same++;
    length = same;
  }
  return first?.path.slice(0, length) ?? [];
}

/**
 * The chunk that a run of units makes. Headings that hold for all of it go into `headings`; those that hold for a part
 * stay in the text.
 */
export function toChunk(units: Unit[], slice: (start: number, end: number) => string): Chunk {
  const body = units.filter((unit) => unit.kind !== 'heading');
  const headings = body.length > 0 ? commonPath(body) : (units[0]?.path.slice(0, -1) ?? []);
  const first = units.findIndex((unit) => unit.kind !== 'heading' || !isPrefix(unit.path, headings));
  const start = units[first]!.start;
  const end = units.at(-1)!.end;
  const kind = body.length > 0 && body.every((unit) => unit.kind === 'code') ? 'code' : 'prose';
  return { kind, start, end, text: slice(start, end), headings };
}
