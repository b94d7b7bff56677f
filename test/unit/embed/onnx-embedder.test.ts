import { readFileSync, writeFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { TinyEncoderOptions } from '../../../build/make-tiny-encoder.ts';
import type { TinyTokenizerKind } from '../../../build/tiny-tokenizer.ts';
import type { EmbedderSpec, Pooling } from '../../../src/engine/embed/encoder-spec.ts';
import { OnnxEmbedder } from '../../../src/engine/embed/onnx-embedder.ts';
import { cosine, tinyEmbedderSpec } from '../../models/tiny-models.ts';

const texts = [
  'The annual report of the company.',
  'Short.',
  'Срок оплаты по договору поставки составляет сорок пять календарных дней со дня приёмки товара.',
  'Zażółć gęślą jaźń',
  'The payment term of the supply contract is forty-five calendar days after the goods were accepted by the buyer.',
];

/** One text at a time without padding, every sum written out. */
async function reference(spec: EmbedderSpec, text: string): Promise<number[]> {
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(spec.tokenizerPath, 'utf8')), {});
  const session = await InferenceSession.create(spec.modelPath);
  const ids = tokenizer.encode(text).ids;
  const tensor = (values: number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length]);
  const feeds: Record<string, Tensor> = { input_ids: tensor(ids) };
  if (session.inputNames.includes('attention_mask')) feeds.attention_mask = tensor(ids.map(() => 1));
  const output = (await session.run(feeds))[session.outputNames[0]!]!;
  const width = output.dims[2]!;
  const values = Array.from(output.data as Float32Array, Number);
  const vector = Array.from({ length: spec.dimensions }, (_, column) => {
    const at = (token: number) => values[token * width + column]!;
    if (spec.pooling === 'cls') return at(0);
    if (spec.pooling === 'last') return at(ids.length - 1);
    return ids.reduce((sum: number, _id: number, token: number) => sum + at(token), 0) / ids.length;
  });
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

async function check(options: TinyEncoderOptions): Promise<void> {
  const spec = tinyEmbedderSpec(options);
  const embedder = await OnnxEmbedder.load(spec);
  const vectors = await embedder.embed(texts, 'passage');
  for (const [index, text] of texts.entries()) {
    const expected = await reference(spec, text);
    expect(vectors[index]).toHaveLength(spec.dimensions);
    for (const [column, value] of expected.entries()) expect(vectors[index]![column]).toBeCloseTo(value, 4);
  }
  await embedder.close();
}

const kinds: TinyTokenizerKind[] = ['wordpiece', 'unigram', 'bpe'];
const poolings: Pooling[] = ['mean', 'cls', 'last'];

describe('OnnxEmbedder', () => {
  it.each(kinds.flatMap((tokenizer) => poolings.map((pooling) => ({ tokenizer, pooling }))))(
    'gives what a plain computation gives: $tokenizer, $pooling',
    async ({ tokenizer, pooling }) => {
      await check({ tokenizer, pooling, layers: 2, width: 64 });
    },
  );

  it('cuts vectors to the dimensions of the manifest and brings them to unit length again', async () => {
    await check({ layers: 1, dimensions: 24 });
  });

  it.each([
    { output: 'float16' as const, floor: 0.9999 },
    { output: 'int8' as const, floor: 0.999 },
  ])('reads $output outputs', async ({ output, floor }) => {
    const [exact, rough] = await Promise.all([
      OnnxEmbedder.load(tinyEmbedderSpec({ layers: 1 })),
      OnnxEmbedder.load(tinyEmbedderSpec({ layers: 1, output })),
    ]);
    const [a, b] = await Promise.all([exact.embed(texts, 'passage'), rough.embed(texts, 'passage')]);
    for (const [index, vector] of a.entries()) expect(cosine(vector, b[index]!)).toBeGreaterThan(floor);
  });

  it('puts the prefix of the role before a text', async () => {
    const prefixed = await OnnxEmbedder.load(
      tinyEmbedderSpec({ queryPrefix: 'query: ', passagePrefix: 'passage: ' }),
    );
    const plain = await OnnxEmbedder.load(tinyEmbedderSpec());
    expect(await prefixed.embed(['term'], 'query')).toEqual(await plain.embed(['query: term'], 'query'));
    expect(await prefixed.embed(['term'], 'passage')).toEqual(
      await plain.embed(['passage: term'], 'passage'),
    );
  });

  it('keeps the order of texts whatever their lengths, over many batches', async () => {
    const embedder = await OnnxEmbedder.load(tinyEmbedderSpec());
    const many = Array.from({ length: 150 }, (_, index) => `${'word '.repeat(index % 13)}number ${index}`);
    const together = await embedder.embed(many, 'passage');
    for (const index of [0, 12, 77, 149]) {
      const [alone] = await embedder.embed([many[index]!], 'passage');
      expect(cosine(alone!, together[index]!)).toBeCloseTo(1, 5);
    }
  });

  it('gives texts that share words nearer vectors, and nothing for no texts', async () => {
    const embedder = await OnnxEmbedder.load(tinyEmbedderSpec());
    const [question, near, far] = await embedder.embed(
      ['payment term', 'the term of payment', 'weather in Warsaw'],
      'query',
    );
    expect(cosine(question!, near!)).toBeGreaterThan(cosine(question!, far!) + 0.2);
    expect(await embedder.embed([], 'query')).toEqual([]);
  });

  it('stops between batches when cancelled', async () => {
    const embedder = await OnnxEmbedder.load(tinyEmbedderSpec());
    const cancel = new AbortController();
    const many = Array.from({ length: 2000 }, (_, index) => `passage number ${index}`);
    const work = embedder.embed(many, 'passage', cancel.signal);
    cancel.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });

  it.each([
    {
      fault: 'a file that is no ONNX',
      change: (spec: EmbedderSpec) => writeFileSync(spec.modelPath, 'not a model'),
      says: 'ONNX Runtime can’t load it',
    },
    {
      fault: 'a tokenizer that is no JSON',
      change: (spec: EmbedderSpec) => writeFileSync(spec.tokenizerPath, '{'),
      says: 'its tokenizer can’t be read',
    },
    {
      fault: 'an input that the graph lacks',
      change: (spec: EmbedderSpec) => {
        spec.inputs = ['input_ids', 'token_type_ids'];
      },
      says: 'no input token_type_ids',
    },
    {
      fault: 'an output that the graph lacks',
      change: (spec: EmbedderSpec) => {
        spec.output = 'pooler_output';
      },
      says: 'no output "pooler_output"',
    },
  ])('refuses $fault with one clear line', async ({ change, says }) => {
    const spec = tinyEmbedderSpec();
    change(spec);
    await expect(OnnxEmbedder.load(spec)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(new RegExp(`^Model can’t be used: Tiny encoder: .*${says}[^\n]*$`)),
    });
  });

  it('refuses a graph that is narrower than promised', async () => {
    const loading = OnnxEmbedder.load({ ...tinyEmbedderSpec(), dimensions: 100 });
    await expect(loading).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/the shape 1 × \d+ × 64, its manifest promises 100 dimensions/),
    });
  });
});
