/** Which number does Word put before this paragraph? */
import { type Attributes, attribute, isOn, localName, readXml, type XmlListener } from '../zip/read-xml.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import type { Numbering, Styles } from './styles.ts';

interface Level {
  start: number;
  format: string;
  /** Such as "%1.%2."; empty for none. */
  text: string;
  /** The level whose numbers start this one anew; 0 never; undefined for any level above. */
  restart?: number;
  /** All numbers of the label in Arabic figures. */
  isLegal: boolean;
  /** Attributes of the level's indent. */
  indent?: Attributes;
}

interface AbstractList {
  levels: Map<number, Level>;
  /** A numbering style that holds the levels instead. */
  styleLink?: string;
}

interface List {
  abstractId: string;
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

/** What is put before a paragraph. */
export interface Label {
  /** Such as "4.2."; empty for bullets. */
  text: string;
  isBullet: boolean;
  /** Attributes of the indent that the list gives. */
  indent?: Attributes;
}

const MAX_LEVELS = 9;

/** Counts the lists of one document; paragraphs must be asked for in their order. */
export class ListCounter {
  readonly #abstracts: Map<string, AbstractList>;
  readonly #lists: Map<string, List>;
  readonly #styles: Styles;
  /** Present numbers by abstract list: lists of one kind count on. */
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #met = new Set<string>();

  constructor(abstracts: Map<string, AbstractList>, lists: Map<string, List>, styles: Styles) {
    this.#abstracts = abstracts;
    this.#lists = lists;
    this.#styles = styles;
  }

  /** Counts one paragraph; undefined when the list is not there. */
  next(numbering: Numbering): Label | undefined {
    const list = this.#lists.get(numbering.id);
    if (!list || numbering.level >= MAX_LEVELS) return undefined;
    const abstractId = this.#abstractId(list.abstractId);
    const levels = this.#abstracts.get(abstractId)?.levels ?? new Map<number, Level>();
    const levelAt = (at: number): Level | undefined => list.levels.get(at) ?? levels.get(at);
    const level = levelAt(numbering.level);
    if (!level) return undefined;
    const counts = this.#count(abstractId, numbering, list, levelAt);
    const isBullet = level.format === 'bullet';
    const text = isBullet
      ? ''
      : level.text.replace(/%([1-9])/g, (_, digit: string) => {
          const at = Number(digit) - 1;
          const source = levelAt(at);
          const count = counts[at] ?? source?.start ?? 1;
          return formatNumber(count, level.isLegal ? 'decimal' : (source?.format ?? 'decimal'));
        });
    return { text: text.trim(), isBullet, ...(level.indent ? { indent: level.indent } : {}) };
  }

  #count(
    abstractId: string,
    numbering: Numbering,
    list: List,
    levelAt: (at: number) => Level | undefined,
  ): (number | undefined)[] {
    const counts = this.#counts.get(abstractId) ?? [];
    this.#counts.set(abstractId, counts);
    const at = numbering.level;
    if (!this.#met.has(numbering.id)) {
      this.#met.add(numbering.id);
      for (const [level, start] of list.starts) counts[level] = start - 1;
    }
    counts[at] = counts[at] === undefined ? (levelAt(at)?.start ?? 1) : counts[at] + 1;
    for (let above = 0; above < at; above++) counts[above] ??= levelAt(above)?.start ?? 1;
    for (let below = at + 1; below < MAX_LEVELS; below++) {
      const restart = levelAt(below)?.restart;
      if (restart === undefined || (restart > 0 && at < restart)) counts[below] = undefined;
    }
    return counts;
  }

  /** Follows a link to a numbering style, once. */
  #abstractId(id: string): string {
    const link = this.#abstracts.get(id)?.styleLink;
    const linked = link === undefined ? undefined : this.#styles.numberingOf(link);
    return (linked === undefined ? undefined : this.#lists.get(linked)?.abstractId) ?? id;
  }
}

export async function readNumbering(
  archive: ZipArchive,
  part: string,
  styles: Styles,
  signal: AbortSignal,
): Promise<ListCounter> {
  const listener = new NumberingListener();
  await readXml(archive, part, listener, signal);
  return new ListCounter(listener.abstracts, listener.lists, styles);
}

class NumberingListener implements XmlListener {
  readonly abstracts = new Map<string, AbstractList>();
  readonly lists = new Map<string, List>();
  #abstract: AbstractList | undefined;
  #list: List | undefined;
  #override = 0;
  #level: Level | undefined;

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    const value = attribute(attributes, 'val');
    if (local === 'abstractNum') {
      this.#abstract = { levels: new Map() };
      this.abstracts.set(attribute(attributes, 'abstractNumId') ?? '', this.#abstract);
    } else if (local === 'num') {
      this.#list = { abstractId: '', starts: new Map(), levels: new Map() };
      this.lists.set(attribute(attributes, 'numId') ?? '', this.#list);
    } else if (local === 'lvl') {
      const level: Level = { start: 1, format: 'decimal', text: '', isLegal: false };
      this.#level = level;
      (this.#list ?? this.#abstract)?.levels.set(Number(attribute(attributes, 'ilvl') ?? 0), level);
    } else if (local === 'numStyleLink' && this.#abstract && value !== undefined)
      this.#abstract.styleLink = value;
    else if (local === 'abstractNumId' && this.#list && value !== undefined) this.#list.abstractId = value;
    else if (local === 'lvlOverride') this.#override = Number(attribute(attributes, 'ilvl') ?? 0);
    else if (local === 'startOverride') this.#list?.starts.set(this.#override, Number(value ?? 1));
    else if (this.#level) readLevel(this.#level, local, value, attributes);
  }

  close(name: string): void {
    const local = localName(name);
    if (local === 'abstractNum') this.#abstract = undefined;
    else if (local === 'num') this.#list = undefined;
    else if (local === 'lvl') this.#level = undefined;
  }

  text(): void {}
}

function readLevel(level: Level, local: string, value: string | undefined, attributes: Attributes): void {
  if (local === 'start') level.start = Number(value ?? 1);
  else if (local === 'numFmt') level.format = value ?? 'decimal';
  else if (local === 'lvlText') level.text = value ?? '';
  else if (local === 'lvlRestart') level.restart = Number(value ?? 0);
  else if (local === 'isLgl') level.isLegal = isOn(attributes);
  else if (local === 'ind') level.indent = attributes;
}

const RUSSIAN_LETTERS = 'абвгдежзиклмнопрстуфхцчшщэюя';
const LATIN_LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A count as the list writes it; unknown ways of writing become figures. */
function formatNumber(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return toLetters(count, LATIN_LETTERS);
    case 'upperLetter':
      return toLetters(count, LATIN_LETTERS).toUpperCase();
    case 'russianLower':
      return toLetters(count, RUSSIAN_LETTERS);
    case 'russianUpper':
      return toLetters(count, RUSSIAN_LETTERS).toUpperCase();
    case 'lowerRoman':
      return toRoman(count).toLowerCase();
    case 'upperRoman':
      return toRoman(count);
    case 'decimalZero':
      return String(count).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(count);
  }
}

/** After the last letter Word doubles it: z, aa, bb. */
function toLetters(count: number, letters: string): string {
  if (count < 1) return '';
  const letter = letters[(count - 1) % letters.length]!;
  return letter.repeat(Math.min(Math.floor((count - 1) / letters.length) + 1, 20));
}

const ROMAN: [number, string][] = [
  ...([
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
  ] as [number, string][]),
  ...([
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ] as [number, string][]),
];

function toRoman(count: number): string {
  if (count < 1 || count > 4999) return String(count);
  let rest = count;
  let roman = '';
  for (const [value, sign] of ROMAN) {
    while (rest >= value) {
      roman += sign;
      rest -= value;
    }
  }
  return roman;
}
