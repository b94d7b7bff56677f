/** Does every kind of encoder give, value by value, what plain loops over the same weights give? */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { makeTokenizer, type TinyTokenizerKind } from '../../build/tiny-tokenizer.ts';
import type { EmbedderSpec, EncoderSpec, Pooling } from '../../src/engine/embed/encoder-spec.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import { OnnxReranker } from '../../src/engine/embed/onnx-reranker.ts';
import { encoderGraph } from './encoder-graph.ts';
import { referenceScore, referenceTokens, referenceVector } from './encoder-reference.ts';
import { drawWeights, type EncoderPlan, type EncoderWeights, type Precision } from './encoder-weights.ts';
import { temporaryFolder } from './tiny-models.ts';

const texts = [
  'The annual report of the company.',
  'Short.',
  'Срок оплаты по договору — 45 дней.',
  '',
  'The payment term of the supply contract is forty-five calendar days after the goods came.',
];

const words = ['the', 'report', 'payment', 'term', 'query', 'passage', 'оплаты'];

const tokenizers = { bert: 'wordpiece', roberta: 'unigram', decoder: 'qwen' } as const;

/**
 * Largest difference of a number of a unit vector; what was seen is a tenth of it or less. float32: sums in another order.
 * float16: the runtime keeps activations in half floats, the reference does not. int8: a value on the border of two bytes may
 * fall to either side on another processor.
 */
const tolerances: Record<Precision, number> = {
  float32: 2e-6,
  float16: 2e-3,
  'int8 static': 1e-2,
  'int8 dynamic': 1e-2,
};

/** In a batch, dynamic quantization takes its range from all texts at once: other bytes, within what 8 bits can tell. */
const batchTolerances: Record<Precision, number> = { ...tolerances, 'int8 dynamic': 5e-2 };

interface Made {
  weights: EncoderWeights;
  tokenizer: Tokenizer;
  spec: EncoderSpec;
}

function make(changes: Partial<EncoderPlan>): Made {
  const style = changes.style ?? 'bert';
  const kind: TinyTokenizerKind = tokenizers[style];
  const { definition, vocabularySize } = makeTokenizer(kind, words);
  const folder = temporaryFolder();
  const isDecoder = style === 'decoder';
  const weights = drawWeights(
    {
      style,
      precision: 'float32',
      head: 'tokens',
      vocabulary: vocabularySize,
      padId: style === 'bert' ? 0 : 1,
      width: 48,
      heads: 4,
      keyHeads: isDecoder ? 2 : 4,
      inner: 96,
      layers: 2,
      positions: 100,
      inputType: 'int64',
      ...changes,
    },
    11,
  );
  const spec = {
    name: 'Proof',
    modelPath: path.join(folder, 'model.onnx'),
    tokenizerPath: path.join(folder, 'tokenizer.json'),
    maxTokens: 96,
    threads: 1,
    devices: { worked: 'CPU' as const },
    fingerprint: 'proof',
  };
  writeFileSync(spec.modelPath, encoderGraph(weights));
  writeFileSync(spec.tokenizerPath, JSON.stringify(definition));
  return { weights, tokenizer: new Tokenizer(definition, {}), spec };
}

interface Case {
  plan: Partial<EncoderPlan>;
  pooling?: Pooling;
  dimensions?: number;
  queryPrefix?: string;
  passagePrefix?: string;
  output?: string;
  padding?: 'left' | 'right';
}

function differences(found: Float32Array[], expected: number[][]): number {
  expect(found.map((vector) => vector.length)).toEqual(expected.map((vector) => vector.length));
  const each = expected.flatMap((vector, row) =>
    vector.map((value, index) => Math.abs(value - found[row]![index]!)),
  );
  return each.reduce((most, value) => Math.max(most, value), 0);
}

async function check({ plan, ...options }: Case): Promise<void> {
  const { weights, tokenizer, spec } = make(plan);
  const pooling = options.pooling ?? 'mean';
  const dimensions = options.dimensions ?? weights.plan.width;
  const prefixes = { queryPrefix: options.queryPrefix ?? '', passagePrefix: options.passagePrefix ?? '' };
  const full: EmbedderSpec = { ...spec, ...options, ...prefixes, pooling, dimensions, normalise: true };
  const embedder = await OnnxEmbedder.load(full);
  for (const role of ['query', 'passage'] as const) {
    const prefix = role === 'query' ? prefixes.queryPrefix : prefixes.passagePrefix;
    const expected = texts.map((text) => {
      const ids = tokenizer.encode(prefix + text).ids;
      return referenceVector(
        referenceTokens(
          weights,
          ids,
          ids.map(() => 0),
        ),
        pooling,
        dimensions,
      );
    });
    const { precision } = weights.plan;
    const together = await embedder.embed(texts, role);
    expect(differences(together, expected)).toBeLessThan(batchTolerances[precision]);
    const alone: Float32Array[] = [];
    for (const text of texts) alone.push(...(await embedder.embed([text], role)));
    expect(differences(alone, expected)).toBeLessThan(tolerances[precision]);
  }
  await embedder.close();
}

const precisions: Precision[] = ['float32', 'float16', 'int8 static', 'int8 dynamic'];
const e5 = { queryPrefix: 'query: ', passagePrefix: 'passage: ' };
const qwen = { queryPrefix: 'Instruct: find the passage that answers\nQuery:' };

describe('an embedder', () => {
  it.each(
    precisions.flatMap((precision) => (['mean', 'cls'] as const).map((pooling) => ({ precision, pooling }))),
  )(
    'in the manner of BERT computes what plain loops do: $precision, $pooling',
    async ({ precision, pooling }) => {
      await check({ plan: { style: 'bert', precision }, pooling });
    },
  );

  it.each(precisions)('in the manner of E5, with prefixes: %s', async (precision) => {
    await check({ plan: { style: 'roberta', precision }, ...e5 });
  });

  it.each(precisions)('in the manner of Qwen, last token, cut to fewer dimensions: %s', async (precision) => {
    await check({ plan: { style: 'decoder', precision }, pooling: 'last', dimensions: 20, ...qwen });
  });

  it.each(['mean', 'last'] as const)('whose shorter texts are filled up on the left: %s', async (pooling) => {
    await check({ plan: { style: 'decoder' }, pooling, padding: 'left' });
  });

  it('that reads 32-bit numbers', async () => {
    await check({ plan: { style: 'bert', inputType: 'int32' } });
  });

  it('whose graph makes the vector of a text itself, by the name of its output', async () => {
    await check({
      plan: { style: 'roberta', head: 'sentence' },
      output: 'sentence_embedding',
      dimensions: 32,
    });
  });
});

describe('a cross-encoder', () => {
  it.each(precisions.flatMap((precision) => ([1, 2] as const).map((head) => ({ precision, head }))))(
    'gives the probability that plain loops give: $precision, $head logits',
    async ({ precision, head }) => {
      const { weights, tokenizer, spec } = make({ style: 'bert', head, precision });
      const reranker = await OnnxReranker.load(spec);
      const question = 'When is the payment due?';
      // The tokenizer library takes an empty second text for none.
      const passages = texts.filter((text) => text !== '');
      const together = await reranker.score(question, passages);
      for (const [index, passage] of passages.entries()) {
        const pair = tokenizer.encode(question, { text_pair: passage, return_token_type_ids: true });
        const expected = referenceScore(weights, pair.ids, pair.token_type_ids);
        const [alone] = await reranker.score(question, [passage]);
        expect(Math.abs(alone! - expected)).toBeLessThan(tolerances[precision]);
        expect(Math.abs(together[index]! - expected)).toBeLessThan(batchTolerances[precision]);
      }
      await reranker.close();
    },
  );
});
