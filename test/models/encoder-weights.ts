/** Which random encoders is the encoder road proven with? Their shapes and weights, read by the graph and by the reference. */
import { randomNumbers, randomWeights } from '../../build/random-numbers.ts';

export type Precision = 'float32' | 'float16' | 'int8 dynamic' | 'int8 static';

/** Shape of an encoder. */
export interface EncoderPlan {
  /** bert: learned positions from 0, segments. roberta: positions counted in the graph from the padding token on. decoder: in the manner of Qwen. */
  style: 'bert' | 'roberta' | 'decoder';
  precision: Precision;
  /** tokens: [batch, tokens, width]. sentence: also the mean per text, [batch, width]. A number: so many logits per text. */
  head: 'tokens' | 'sentence' | 1 | 2;
  vocabulary: number;
  padId: number;
  width: number;
  heads: number;
  /** Heads of keys and values; a decoder shares them. */
  keyHeads: number;
  inner: number;
  layers: number;
  positions: number;
  inputType: 'int64' | 'int32';
}

/** y = x · weights + bias; weights are row-major [rows, columns]. */
export interface Linear {
  rows: number;
  columns: number;
  weights: Float32Array;
  bias?: Float32Array;
}

export interface Norm {
  scale: Float32Array;
  /** Absent for a root mean square norm. */
  shift?: Float32Array;
}

export interface LayerWeights {
  query: Linear;
  key: Linear;
  value: Linear;
  output: Linear;
  /** After attention (bert, roberta) or before it (decoder). */
  firstNorm: Norm;
  /** After the feed-forward part or before it. */
  secondNorm: Norm;
  /** Decoder only: what the inner values are multiplied with. */
  gate?: Linear;
  up: Linear;
  down: Linear;
}

export interface EncoderWeights {
  plan: EncoderPlan;
  words: Float32Array;
  positions?: Float32Array;
  segments?: Float32Array;
  embeddingNorm?: Norm;
  layers: LayerWeights[];
  finalNorm?: Norm;
  /** Cross-encoder: tanh(first token · dense) · out. */
  dense?: Linear;
  out?: Linear;
}

/** Epsilon of the norms, as in the published models. */
export const normEpsilon = { bert: 1e-12, roberta: 1e-5, decoder: 1e-6 } as const;

/** Base of the rotary angles. */
export const ROTARY_BASE = 10_000;

/** Range of activations in static quantization: scale and zero point of unsigned bytes around ±8. */
export const staticScale = 16 / 255;
export const staticZero = 128;

export function drawWeights(plan: EncoderPlan, seed: number): EncoderWeights {
  const random = randomNumbers(seed);
  const isDecoder = plan.style === 'decoder';
  const { width, inner, vocabulary } = plan;
  const keyWidth = (width / plan.heads) * plan.keyHeads;
  const linear = (rows: number, columns: number, hasBias = !isDecoder): Linear => ({
    rows,
    columns,
    weights: randomWeights(rows * columns, 1 / Math.sqrt(rows), random),
    ...(hasBias ? { bias: randomWeights(columns, 0.1, random) } : {}),
  });
  const norm = (): Norm => ({
    scale: randomWeights(width, 0.1, random).map((value) => value + 1),
    ...(isDecoder ? {} : { shift: randomWeights(width, 0.1, random) }),
  });
  const layer = (): LayerWeights => ({
    query: linear(width, width),
    key: linear(width, keyWidth),
    value: linear(width, keyWidth),
    output: linear(width, width),
    firstNorm: norm(),
    secondNorm: norm(),
    ...(isDecoder ? { gate: linear(width, inner) } : {}),
    up: linear(width, inner),
    down: linear(inner, width),
  });
  const isClassifier = typeof plan.head === 'number';
  return {
    plan,
    words: randomWeights(vocabulary * width, 1, random),
    ...(isDecoder ? {} : { positions: randomWeights(plan.positions * width, 0.5, random) }),
    ...(plan.style === 'bert' ? { segments: randomWeights(2 * width, 0.5, random) } : {}),
    ...(isDecoder ? { finalNorm: norm() } : { embeddingNorm: norm() }),
    layers: Array.from({ length: plan.layers }, layer),
    ...(isClassifier ? { dense: linear(width, width), out: linear(width, Number(plan.head)) } : {}),
  };
}

/** Symmetric signed bytes with one scale. */
export function quantize(weights: Float32Array): { bytes: Int8Array; scale: number } {
  const most = weights.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const scale = Math.fround(most / 127);
  return { bytes: Int8Array.from(weights, (value) => Math.round(value / scale)), scale };
}
