/** Is every encoder that can't be right refused with one clear line, before it makes a vector? */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { OnnxGraph, type OnnxType, onnxTypes, tokenInputs } from '../../build/onnx-graph.ts';
import { makeTokenizer } from '../../build/tiny-tokenizer.ts';
import { embed } from '../../src/engine/config.ts';
import type { EmbedderSpec } from '../../src/engine/embed/encoder-spec.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import { OnnxReranker } from '../../src/engine/embed/onnx-reranker.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { checkReferences } from '../../src/engine/models/check-model.ts';
import { readManifest } from '../../src/engine/models/manifest.ts';
import { RemoteModels } from '../../src/engine/remote-models.ts';
import { temporaryFolder, tinyEmbedderSpec } from './tiny-models.ts';

interface Oddity {
  inputs?: string[];
  inputType?: 'int64' | 'int32';
  /** Added to every value: NaN spoils them. */
  add?: number;
  /** Adds an axis, or takes the tokens' away. */
  rank?: 2 | 4;
  outputType?: OnnxType;
  rows?: number;
}

/** A graph that looks words up, with something odd about it. */
function oddGraph({
  inputs = ['input_ids'],
  inputType,
  add = 0,
  rank,
  outputType,
  rows = 4000,
}: Oddity): Uint8Array {
  const graph = new OnnxGraph();
  const table = graph.floats(new Float32Array(rows * 8).fill(0.5), [rows, 8]);
  let value = graph.node('Add', [graph.node('Gather', [table, inputs[0]!]), graph.float(add)]);
  if (rank === 4) value = graph.node('Unsqueeze', [value, graph.integers([3])]);
  if (rank === 2) value = graph.node('ReduceMean', [value], { axes: [0], keepdims: 0 });
  const type = outputType ?? 'float32';
  graph.node('Cast', [value], { to: onnxTypes[type] }, 'out');
  return graph.encode(tokenInputs(inputs, inputType), [
    { name: 'out', type, shape: Array.from({ length: rank ?? 3 }, (_, axis) => `axis${axis}`) },
  ]);
}

const oddSpec = (oddity: Oddity): EmbedderSpec => {
  const spec = { ...tinyEmbedderSpec(), dimensions: 8 };
  writeFileSync(spec.modelPath, oddGraph(oddity));
  return spec;
};

const line = (says: string) => ({
  code: 'MODEL_INVALID',
  message: expect.stringMatching(new RegExp(`^Model can’t be used: Tiny encoder: [^\n]*${says}[^\n]*$`)),
});

/** Changes tokenizer.json. */
function withTokenizer(change: (definition: Record<string, never>) => unknown): EmbedderSpec {
  const spec = tinyEmbedderSpec();
  const definition = JSON.parse(readFileSync(spec.tokenizerPath, 'utf8'));
  writeFileSync(spec.tokenizerPath, JSON.stringify(change(definition)));
  return spec;
}

describe('a graph', () => {
  it.each([
    {
      fault: 'with foreign inputs',
      oddity: { inputs: ['pixel_values', 'input_ids'] },
      says: 'asks for pixel_values',
    },
    { fault: 'without input_ids', oddity: { inputs: ['tokens'] }, says: 'which is no text encoder' },
    { fault: 'that gives no numbers', oddity: { add: Number.NaN }, says: 'its results are no numbers' },
    { fault: 'that gives endless numbers', oddity: { add: Infinity }, says: 'its results are no numbers' },
    {
      fault: 'of four axes',
      oddity: { rank: 4 as const },
      says: 'its output has the shape 1 × \\d+ × 8 × 1',
    },
    {
      fault: 'without an axis of texts',
      oddity: { rank: 2 as const },
      says: 'its output has the shape \\d+ × 8',
    },
    {
      fault: 'of whole numbers',
      oddity: { outputType: 'int64' as const },
      says: 'its output is of type int64',
    },
  ])('$fault is refused', async ({ oddity, says }) => {
    await expect(OnnxEmbedder.load(oddSpec(oddity))).rejects.toMatchObject(line(says));
  });

  it('that a sound one looks like is taken', async () => {
    const embedder = await OnnxEmbedder.load(oddSpec({}));
    const [vector] = await embedder.embed(['x'], 'query');
    for (const value of vector!) expect(value).toBeCloseTo(1 / Math.sqrt(8), 5);
    await embedder.close();
  });

  it('that gives no numbers for one word only is refused when that word comes', async () => {
    const spec = { ...tinyEmbedderSpec({ words: ['poison'] }), dimensions: 8 };
    const graph = new OnnxGraph();
    const values = new Float32Array(4000 * 8).fill(0.5);
    // Words with a token of their own come right after the five special ones.
    values.fill(Number.NaN, 5 * 8, 6 * 8);
    graph.node('Gather', [graph.floats(values, [4000, 8]), 'input_ids'], {}, 'out');
    const output = { name: 'out', type: 'float32' as const, shape: ['batch', 'tokens', 8] };
    writeFileSync(spec.modelPath, graph.encode(tokenInputs(['input_ids']), [output]));
    const embedder = await OnnxEmbedder.load(spec);
    expect(await embedder.embed(['water'], 'passage')).toHaveLength(1);
    await expect(embedder.embed(['water', 'poison'], 'passage')).rejects.toMatchObject(
      line('its results are no numbers'),
    );
    await embedder.close();
  });

  it('whose weights stand in a file beside it is taken', async () => {
    const spec = { ...tinyEmbedderSpec(), dimensions: 8 };
    const graph = new OnnxGraph();
    graph.node('Gather', [graph.outside('float32', [4000, 8], 'weights.bin'), 'input_ids'], {}, 'out');
    const output = { name: 'out', type: 'float32' as const, shape: ['batch', 'tokens', 8] };
    writeFileSync(spec.modelPath, graph.encode(tokenInputs(['input_ids']), [output]));
    writeFileSync(
      path.join(path.dirname(spec.modelPath), 'weights.bin'),
      new Float32Array(4000 * 8).fill(0.5),
    );
    const embedder = await OnnxEmbedder.load(spec);
    const [vector] = await embedder.embed(['x'], 'query');
    expect(vector![0]).toBeCloseTo(1 / Math.sqrt(8), 5);
    await embedder.close();
  });

  it('cut off is refused', async () => {
    const spec = tinyEmbedderSpec();
    truncateSync(spec.modelPath, 5000);
    await expect(OnnxEmbedder.load(spec)).rejects.toMatchObject(line('ONNX Runtime can’t load it'));
  });

  it('with fewer words than its tokenizer counts is refused, for they don’t belong together', async () => {
    await expect(OnnxEmbedder.load(oddSpec({ rows: 3600 }))).rejects.toMatchObject(
      line('its tokenizer counts up to \\d+, which its graph can’t read, so they don’t belong together'),
    );
  });

  it('that gives three numbers per pair is no reranker', async () => {
    await expect(OnnxReranker.load(oddSpec({}))).rejects.toMatchObject(line('one or two numbers per pair'));
  });

  it('that fails on a long text says on how many tokens', async () => {
    // Its table of positions has 1,024 rows.
    const spec = { ...tinyEmbedderSpec({ layers: 1 }), maxTokens: 2000 };
    const embedder = await OnnxEmbedder.load(spec);
    await expect(embedder.embed(['word '.repeat(2000)], 'passage')).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringMatching(/^Model failed: Tiny encoder: it failed on 1 × 2000 tokens \([^\n]+$/),
    });
    expect(await embedder.embed(['short'], 'passage')).toHaveLength(1);
    await embedder.close();
  });
});

describe('a graph that asks for what was written before', () => {
  it.each(['float32', 'float16'] as const)('gets nothing, of the type %s', async (type) => {
    const spec = { ...tinyEmbedderSpec(), dimensions: 8 };
    const graph = new OnnxGraph();
    const table = graph.floats(new Float32Array(4000 * 8).fill(0.5), [4000, 8]);
    const past = graph.node('Cast', ['past_key_values.0.key'], { to: onnxTypes.float32 });
    const sum = graph.node('ReduceSum', [past, graph.integers([1, 2])], { keepdims: 0 });
    const nothing = graph.node('Unsqueeze', [sum, graph.integers([1])]);
    graph.node('Add', [graph.node('Gather', [table, 'input_ids']), nothing], {}, 'out');
    const cache = { name: 'past_key_values.0.key', type, shape: ['batch', 2, 'past', 8] };
    const output = { name: 'out', type: 'float32' as const, shape: ['batch', 'tokens', 8] };
    writeFileSync(spec.modelPath, graph.encode([...tokenInputs(['input_ids']), cache], [output]));
    const embedder = await OnnxEmbedder.load(spec);
    const vectors = await embedder.embed(['one', 'one two three'], 'passage');
    for (const vector of vectors) expect(vector[0]).toBeCloseTo(1 / Math.sqrt(8), 5);
    await embedder.close();
  });
});

describe('a tokenizer', () => {
  it('of more bytes than the limit is not read', async () => {
    const spec = tinyEmbedderSpec();
    truncateSync(spec.tokenizerPath, embed.maxTokenizerBytes + 1);
    await expect(OnnxEmbedder.load(spec)).rejects.toMatchObject(
      line('it has 67108865 bytes, at most 67108864 are read'),
    );
  });

  const splitBy = (pattern: string) =>
    withTokenizer((definition) => ({
      ...definition,
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
          { type: 'BertPreTokenizer' },
        ],
      },
    }));

  it.each(['(a+)+$', '(wolf|wolfwolf|w|o|l|f)+#'])(
    'whose pattern %s never ends is refused while it is tried, with the reason',
    async (pattern) => {
      await expect(OnnxEmbedder.load(splitBy(pattern))).rejects.toMatchObject(
        line('its patterns do not end on a text such as "[^"]+": it took more than 5 s'),
      );
    },
  );

  it('whose pattern hangs on a text that no trial foresees ends that call alone', async () => {
    const spec = splitBy('([\\u{1F0A1}-\\u{1F0A3}]+)+x');
    const models = new RemoteModels({ entry: sourceEntries.modelProcess });
    onTestFinished(() => models.close());
    const embedder = await models.embedder('hostile', spec);
    const { encoders } = models.pids;
    const hanging = embedder.embed(['\u{1F0A2}'.repeat(60)], 'passage');
    const meanwhile = embedder.embed(['a question'], 'query');
    await expect(hanging).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringMatching(/its tokenizer did not come to an end on a text of 120 characters/),
    });
    expect(await meanwhile).toHaveLength(1);
    expect(models.pids.encoders).toBe(encoders);
  });

  it('nested without end is refused', async () => {
    const spec = tinyEmbedderSpec();
    const depth = 200_000;
    const nested = `${'{"type":"Sequence","normalizers":['.repeat(depth)}${']}'.repeat(depth)}`;
    const definition = JSON.stringify({ ...makeTokenizer('wordpiece').definition, normalizer: 'HERE' });
    writeFileSync(spec.tokenizerPath, definition.replace('"HERE"', nested));
    await expect(OnnxEmbedder.load(spec)).rejects.toMatchObject(line('its tokenizer can’t be read'));
  });

  it.each([
    {
      fault: 'whose special token is unknown',
      change: (d: Record<string, never>) => ({ ...d, added_tokens: [], model: withoutWord(d, '[SEP]') }),
      says: 'its special token "\\[SEP\\]" is not in its vocabulary',
    },
    {
      fault: 'with a number below zero',
      change: (d: Record<string, never>) => ({ ...d, model: withWord(d, 'oddity', -5) }),
      says: 'its vocabulary has the number -5',
    },
    {
      fault: 'with a number that is none',
      change: (d: Record<string, never>) => ({ ...d, model: withWord(d, 'oddity', 'x') }),
      says: 'its vocabulary has the number x',
    },
    {
      fault: 'with a number past its graph',
      change: (d: Record<string, never>) => ({ ...d, model: withWord(d, 'oddity', 2_000_000) }),
      says: 'its tokenizer counts up to 2000000',
    },
    {
      fault: 'of an unknown kind',
      change: (d: Record<string, never>) => ({ ...d, model: { type: 'Magic' } }),
      says: 'can’t be read',
    },
    { fault: 'that is a list', change: () => [], says: 'can’t be read' },
    { fault: 'that is nothing', change: () => null, says: 'can’t be read' },
    {
      fault: 'with a broken pattern',
      change: (d: Record<string, never>) => ({
        ...d,
        pre_tokenizer: { type: 'Split', pattern: { Regex: '(' }, behavior: 'Isolated', invert: false },
      }),
      says: 'can’t be read',
    },
  ])('$fault is refused', async ({ change, says }) => {
    await expect(OnnxEmbedder.load(withTokenizer(change))).rejects.toMatchObject(line(says));
  });

  it('that knows no form for two texts serves an embedder and no reranker', async () => {
    const definition = makeTokenizer('qwen').definition;
    const spec = tinyEmbedderSpec({ tokenizer: 'qwen' });
    writeFileSync(
      spec.tokenizerPath,
      JSON.stringify({ ...definition, post_processor: { type: 'ByteLevel' } }),
    );
    const embedder = await OnnxEmbedder.load(spec);
    const [empty, word] = await embedder.embed(['', 'word'], 'passage');
    expect(empty!.every(Number.isFinite)).toBe(true);
    expect(word).not.toEqual(empty);
    await embedder.close();
    await expect(OnnxReranker.load(spec)).rejects.toMatchObject(
      line('does not say how special tokens frame'),
    );
  });
});

const vocabularyOf = (definition: Record<string, never>) =>
  (definition as unknown as { model: { vocab: Record<string, unknown> } }).model;

function withWord(definition: Record<string, never>, word: string, id: unknown): object {
  const model = vocabularyOf(definition);
  return { ...model, vocab: { ...model.vocab, [word]: id } };
}

function withoutWord(definition: Record<string, never>, word: string): object {
  const model = vocabularyOf(definition);
  return {
    ...model,
    vocab: Object.fromEntries(Object.entries(model.vocab).filter(([known]) => known !== word)),
  };
}

describe('text', () => {
  it.each([
    {
      tokenizer: 'unigram' as const,
      text: 'a ＜/s＞ b',
      why: 'that is rewritten to the name of a special token',
    },
    {
      tokenizer: 'qwen' as const,
      text: 'a <|endoftext|> b <|im_start|>system',
      why: 'that names special tokens of Qwen',
    },
  ])('$why is data', async ({ tokenizer, text }) => {
    const embedder = await OnnxEmbedder.load(tinyEmbedderSpec({ tokenizer }));
    const ids = embedder.encoder.tokenizer.plain(text);
    const { definition } = makeTokenizer(tokenizer);
    const special = (definition as { added_tokens: { id: number; content: string }[] }).added_tokens;
    const unknown = special.find((token) => token.content === '<unk>')?.id;
    expect(ids.filter((id) => id !== unknown && special.some((token) => token.id === id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(2);
    await embedder.close();
  });
});

describe('a manifest', () => {
  it('whose graph has another name than .onnx is searched for outside files too', async () => {
    const folder = temporaryFolder();
    const manifest = makeTinyEncoder(folder);
    const graph = new OnnxGraph();
    graph.node('Gather', [graph.outside('float32', [9, 8], '../../secret.bin'), 'input_ids'], {}, 'out');
    const output = { name: 'out', type: 'float32' as const, shape: ['texts', 'tokens', 8] };
    const bytes = graph.encode(tokenInputs(['input_ids']), [output]);
    writeFileSync(path.join(folder, 'weights.dat'), bytes);
    const files = [
      ...(manifest.files as object[]),
      { path: 'weights.dat', sha256: '0'.repeat(64), sizeBytes: bytes.length },
    ];
    const read = readManifest({ ...manifest, model: 'weights.dat', files }, folder);
    await expect(checkReferences(folder, read)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining('"weights.dat" reads from "../../secret.bin"'),
    });
  });
});
