/** Which token numbers does an encoder read for a text or a pair of texts? */
import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { embed } from '../config.ts';

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

const PROBE = 'a';

/** Reads tokenizer.json; cuts to the model's length and frames with its special tokens. */
export class EncoderTokenizer {
  private readonly tokenizer: Tokenizer;
  private readonly maxTokens: number;
  private readonly single: Frame;
  private readonly pair: Frame;
  private readonly specials: RegExp | undefined;

  private constructor(tokenizer: Tokenizer, maxTokens: number) {
    this.tokenizer = tokenizer;
    this.maxTokens = maxTokens;
    this.single = this.findFrame(false);
    this.pair = this.findFrame(true);
    this.specials = this.specialWords();
  }

  /** @throws whatever the tokenizer says of a file that it can't read */
  static async load(
    tokenizerPath: string,
    configPath: string | undefined,
    maxTokens: number,
  ): Promise<EncoderTokenizer> {
    const definition: object = JSON.parse(await readFile(tokenizerPath, 'utf8'));
    const config: object = configPath === undefined ? {} : JSON.parse(await readFile(configPath, 'utf8'));
    return new EncoderTokenizer(new Tokenizer(definition, config), maxTokens);
  }

  /** One text, framed, at most `maxTokens` long: its end is cut. */
  encode(text: string): EncodedInput {
    const { before, after, segments } = this.single;
    const room = Math.max(0, this.maxTokens - before.length - after.length);
    const ids = this.plain(text, room);
    return {
      ids: [...before, ...ids, ...after],
      segments: new Array<number>(before.length + ids.length + after.length).fill(segments.first),
    };
  }

  /** Token numbers of a text alone, without special tokens, at most `limit`. */
  plain(text: string, limit: number = this.maxTokens): number[] {
    const { ids } = this.tokenizer.encode(this.defuse(cut(text, limit * embed.unitsPerToken)), {
      add_special_tokens: false,
    });
    return ids.length > limit ? ids.slice(0, limit) : ids;
  }

  /** Two texts as a pair; the second is cut first, the first to half of the room. Both as `plain` gave them. */
  join(first: number[], second: number[]): EncodedInput {
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
    return this.specials === undefined
      ? text
      : text.replace(this.specials, (word) => `${word.slice(0, 1)} ${word.slice(1)}`);
  }

  private specialWords(): RegExp | undefined {
    const words = [...this.tokenizer.get_added_tokens_decoder().values()]
      .filter((token) => token.special && token.content.length > 1)
      .map((token) => token.content.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return words.length > 0 ? new RegExp(words.join('|'), 'g') : undefined;
  }

  private findFrame(isPair: boolean): Frame {
    const bare = this.tokenizer.encode(PROBE, { add_special_tokens: false }).ids;
    const framed = this.tokenizer.encode(PROBE, {
      text_pair: isPair ? PROBE : null,
      add_special_tokens: true,
      return_token_type_ids: true,
    });
    const { ids, token_type_ids: types } = framed;
    const start = indexOfRun(ids, bare, 0);
    const end = start + bare.length;
    if (!isPair) {
      const segments = { first: types[start] ?? 0, between: [], second: 0, after: [] };
      return { before: ids.slice(0, start), between: [], after: ids.slice(end), segments };
    }
    const second = indexOfRun(ids, bare, end);
    const secondEnd = second + bare.length;
    return {
      before: ids.slice(0, start),
      between: ids.slice(end, second),
      after: ids.slice(secondEnd),
      segments: {
        first: types[start] ?? 0,
        between: types.slice(end, second),
        second: types[second] ?? 0,
        after: types.slice(secondEnd),
      },
    };
  }
}

function indexOfRun(ids: number[], run: number[], from: number): number {
  for (let start = from; start + run.length <= ids.length; start += 1) {
    if (run.every((id, offset) => ids[start + offset] === id)) return start;
  }
  throw new Error('the tokenizer changes a word when special tokens stand around it');
}

/** The first units of a text, never ending inside a surrogate pair. */
function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}
