/** Which token numbers does an encoder read for a text or a pair of texts? */
import { readFile, stat } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { embed } from '../config.ts';
import { PrecompiledCharsmap } from './precompiled-charsmap.ts';
import { TimeLimitPassed, withinTime } from './time-limit.ts';
import { trialTexts } from './tokenizer-trial.ts';

/** Token numbers of one input, with the segment (0 or 1) of each. */
export interface EncodedInput {
  ids: number[];
  segments: number[];
}

/** Special tokens around one text and around a pair, found by asking the tokenizer once. */
interface Frame {
  before: number[];
  between: number[];
  after: number[];
  /** Segment of `before` and the first text, of `between`, of the second text, of `after`. */
  segments: { first: number; between: number[]; second: number; after: number[] };
}

/** What is read here of tokenizer.json. */
interface Definition {
  padding?: { pad_id?: unknown } | null;
  post_processor?: { type?: unknown } | null;
}

/** What is read here of tokenizer_config.json. */
interface Config {
  pad_token?: string | { content?: string } | null;
}

const PROBE = 'a';
/** Token numbers reach the graph as 32 bits. */
const MAX_ID = 2 ** 31 - 1;
const isId = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_ID;

/** Reads tokenizer.json; cuts to the model's length and frames with its special tokens. */
export class EncoderTokenizer {
  /** Token that fills up shorter texts of a run. */
  readonly padId: number;
  /** Largest number that a text can give. */
  readonly highestId: number;
  private readonly tokenizer: Tokenizer;
  private readonly maxTokens: number;
  private readonly single: Frame;
  private pair: Frame | undefined;
  private readonly specialWords: RegExp | undefined;
  /** Special tokens that no text may give, whatever its characters are rewritten to. */
  private readonly specialIds: Set<number>;
  private readonly hasSegments: boolean;

  private constructor(definition: Definition, config: Config, maxTokens: number) {
    this.tokenizer = new Tokenizer(definition, config);
    setCharsmaps(this.tokenizer.normalizer);
    this.maxTokens = maxTokens;
    // RoBERTa knows one segment only, which the tokenizer library forgets.
    this.hasSegments = definition.post_processor?.type !== 'RobertaProcessing';
    const added = [...this.tokenizer.get_added_tokens_decoder().values()].filter((token) => token.special);
    this.specialWords = wordsPattern(added.map((token) => token.content));
    const model = this.tokenizer.model!;
    this.specialIds = new Set(added.map((token) => token.id).filter((id) => id !== model.unk_token_id));
    this.padId = this.findPad(definition, config, added);
    this.single = this.findFrame(false);
    this.highestId = this.findHighest();
  }

  /** @throws Error saying in a few words what is wrong with the files */
  static async load(
    tokenizerPath: string,
    configPath: string | undefined,
    maxTokens: number,
  ): Promise<EncoderTokenizer> {
    const definition: Definition = await readJson(tokenizerPath);
    const config: Config = configPath === undefined ? {} : await readJson(configPath);
    const tokenizer = withinTime(
      embed.tokenizerOpenMs,
      () => new EncoderTokenizer(definition, config, maxTokens),
    );
    tokenizer.tryOut(trialTexts(definition));
    return tokenizer;
  }

  /** Patterns come from the file, and some never end on certain texts: better found now than in the middle of an index run. */
  private tryOut(texts: string[]): void {
    let tried = '';
    try {
      withinTime(embed.tokeniseLimitMs, () => {
        for (const text of texts) {
          tried = text;
          this.plain(text);
        }
      });
    } catch (error) {
      if (!(error instanceof TimeLimitPassed)) throw error;
      throw new Error(
        `its patterns do not end on a text such as ${JSON.stringify(tried.slice(0, 24))}: ${error.message}`,
      );
    }
  }

  /** One text, framed, at most `maxTokens` long: its end is cut. Never empty. */
  encode(text: string): EncodedInput {
    const { before, after } = this.single;
    return this.frame(this.plain(text, Math.max(0, this.maxTokens - before.length - after.length)));
  }

  /** Token numbers as `plain` gave them, with the special tokens of a single text around them. */
  frame(plain: number[]): EncodedInput {
    const { before, after, segments } = this.single;
    const framed = [...before, ...plain, ...after];
    // A tokenizer without special tokens has nothing to say of an empty text, and a graph can't read nothing.
    const ids = framed.length > 0 ? framed : [this.padId];
    return { ids, segments: new Array<number>(ids.length).fill(segments.first) };
  }

  /** Token numbers of a text alone, without special tokens, at most `limit`; what lies beyond is not read. */
  plain(text: string, limit: number = this.maxTokens): number[] {
    const ids: number[] = [];
    for (const piece of piecesOf(cut(text, limit * embed.unitsPerToken), embed.tokenisePiece)) {
      const encoded = this.tokenizer.encode(this.defuse(piece), { add_special_tokens: false });
      for (const id of encoded.ids as (number | undefined)[]) {
        // Rewriting can make the name of a special token of other characters, such as full-width ones.
        if (id !== undefined && !this.specialIds.has(id)) ids.push(id);
      }
      if (ids.length >= limit) return ids.slice(0, limit);
    }
    return ids;
  }

  /**
   * Two texts as a pair; the second is cut first, the first to half of the room. Both as `plain` gave them.
   * @throws Error when the tokenizer does not say how a pair is framed
   */
  join(first: number[], second: number[]): EncodedInput {
    this.pair ??= this.findFrame(true);
    const { before, between, after, segments } = this.pair;
    const room = Math.max(0, this.maxTokens - before.length - between.length - after.length);
    const a = first.slice(0, Math.max(Math.floor(room / 2), room - second.length));
    const b = second.slice(0, room - a.length);
    return {
      ids: [...before, ...a, ...between, ...b, ...after],
      segments: [
        ...new Array<number>(before.length + a.length).fill(segments.first),
        ...segments.between,
        ...new Array<number>(b.length).fill(segments.second),
        ...segments.after,
      ],
    };
  }

  /** Text is data: the name of a special token in it must not become that token. */
  private defuse(text: string): string {
    return this.specialWords === undefined
      ? text
      : text.replace(this.specialWords, (word) => `${word.slice(0, 1)} ${word.slice(1)}`);
  }

  private findPad(definition: Definition, config: Config, added: { id: number; content: string }[]): number {
    const stated = definition.padding?.pad_id;
    if (typeof stated === 'number' && isId(stated)) return stated;
    const name = typeof config.pad_token === 'object' ? config.pad_token?.content : config.pad_token;
    const names = [name, '[PAD]', '<pad>', '<|endoftext|>'];
    for (const pad of names) {
      const found = added.find((token) => token.content === pad);
      if (found) return found.id;
    }
    return 0;
  }

  private findHighest(): number {
    const { before, after } = this.single;
    let highest = Math.max(this.padId, ...before, ...after);
    for (const id of this.tokenizer.model!.tokens_to_ids.values()) {
      if (!isId(id)) {
        throw new Error(`its vocabulary has the number ${String(id).slice(0, 40)}`);
      }
      if (id > highest && !this.specialIds.has(id)) highest = id;
    }
    return highest;
  }

  private findFrame(isPair: boolean): Frame {
    const { ids: bare, tokens: known } = this.tokenizer.encode(PROBE, { add_special_tokens: false });
    const framed = this.tokenizer.encode(PROBE, {
      text_pair: isPair ? PROBE : null,
      add_special_tokens: true,
      return_token_type_ids: true,
    });
    const { ids, tokens } = framed;
    for (const token of tokens) {
      if (!known.includes(token) && this.tokenizer.token_to_id(token) === undefined) {
        throw new Error(`its special token "${token.slice(0, 40)}" is not in its vocabulary`);
      }
    }
    const types = this.hasSegments ? framed.token_type_ids : undefined;
    const typesIn = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => types?.[from + at] ?? 0);
    const start = indexOfRun(ids, bare, 0);
    const end = start + bare.length;
    const second = isPair ? indexOfRun(ids, bare, end) : ids.length;
    const secondEnd = isPair ? second + bare.length : ids.length;
    return {
      before: ids.slice(0, start),
      between: isPair ? ids.slice(end, second) : [],
      after: isPair ? ids.slice(secondEnd) : ids.slice(end),
      segments: {
        first: types?.[start] ?? 0,
        between: isPair ? typesIn(end, second) : [],
        second: types?.[second] ?? 0,
        after: typesIn(secondEnd, ids.length),
      },
    };
  }
}

async function readJson<T>(file: string): Promise<T> {
  const { size } = await stat(file);
  if (size > embed.maxTokenizerBytes) {
    throw new Error(`it has ${size} bytes, at most ${embed.maxTokenizerBytes} are read`);
  }
  return JSON.parse(await readFile(file, 'utf8')) as T;
}

/** The tokenizer library only approximates a table of characters, so the table itself is used. */
function setCharsmaps(normalizer: Tokenizer['normalizer']): void {
  if (normalizer === null) return;
  const { normalizers, charsmap } = normalizer as {
    normalizers?: Tokenizer['normalizer'][];
    charsmap?: unknown;
  };
  for (const part of normalizers ?? []) setCharsmaps(part);
  if (typeof charsmap !== 'string') return;
  const table = new PrecompiledCharsmap(charsmap);
  normalizer.normalize = (text: string) => table.rewrite(text);
}

function wordsPattern(words: string[]): RegExp | undefined {
  const long = words.filter((word) => word.length > 1);
  const escaped = long.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return escaped.length > 0 ? new RegExp(escaped.join('|'), 'g') : undefined;
}

function indexOfRun(ids: number[], run: number[], from: number): number {
  for (let start = from; start + run.length <= ids.length; start += 1) {
    if (run.every((id, offset) => ids[start + offset] === id)) return start;
  }
  throw new Error('it does not say how special tokens frame one text or two');
}

/** The first units of a text, never ending inside a surrogate pair. */
function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

/** A text in pieces of at most so many units, cut before a single space where there is one: no tokenizer joins what stands around it. */
function* piecesOf(text: string, units: number): Generator<string> {
  let start = 0;
  while (text.length - start > units) {
    const space = lastSingleSpace(text, start, start + units);
    const piece = space > start ? text.slice(start, space) : cut(text.slice(start), units);
    yield piece;
    start += piece.length;
  }
  if (start < text.length) yield text.slice(start);
}

/** The last space up to `end` with none beside it; -1 or a place before `start` when there is none. */
function lastSingleSpace(text: string, start: number, end: number): number {
  let space = text.lastIndexOf(' ', end);
  while (space > start && (text[space - 1] === ' ' || text[space + 1] === ' ')) {
    space = text.lastIndexOf(' ', space - 1);
  }
  return space;
}
