/** How does a machine without any model get an encoder? It makes one: small, random, the same everywhere. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OnnxGraph, onnxTypes, tokenInputs } from './onnx-graph.ts';
import { randomNumbers, randomWeights } from './random-numbers.ts';
import { makeTokenizer, type TinyTokenizerKind } from './tiny-tokenizer.ts';

/** What to make. The weights are random; texts that share words still get near vectors, so searching with it works. */
export interface TinyEncoderOptions {
  /** Default: embedder. */
  kind?: 'embedder' | 'reranker';
  /** Default: tiny-embedder or tiny-reranker. */
  id?: string;
  /** Default: wordpiece. Rerankers need it: it is the kind that tells question and passage apart. */
  tokenizer?: TinyTokenizerKind;
  /** Default: mean. */
  pooling?: 'mean' | 'cls' | 'last';
  /** Width of the graph. Default: 64. */
  width?: number;
  /** Length of a vector, where it is cut. Default: the width. */
  dimensions?: number;
  /** Transformer layers above the word vectors. Default: 0. */
  layers?: number;
  /** Type of the output. Default: float32. */
  output?: 'float32' | 'float16' | 'int8';
  /** Lower-case words with a token of their own. */
  words?: string[];
  /** Default: 128. */
  maxTokens?: number;
  queryPrefix?: string;
  passagePrefix?: string;
  weights?: { keyword: number; vector: number };
  order?: number;
  /** Default: 1. */
  seed?: number;
}

const MAX_POSITIONS = 1024;
const SPECIAL_TOKENS = 5;

/** One transformer layer in the manner of BERT: attention and a feed-forward part, each added and normalised. */
function addLayer(
  graph: OnnxGraph,
  input: string,
  bias: string,
  width: number,
  random: () => number,
): string {
  const heads = Math.max(1, width / 32);
  const headWidth = width / heads;
  const dense = (from: string, rows: number, columns: number): string => {
    const weights = graph.floats(randomWeights(rows * columns, 1 / Math.sqrt(rows), random), [rows, columns]);
    return graph.node('MatMul', [from, weights]);
  };
  const split = (from: string, order: number[]): string => {
    const parts = graph.node('Reshape', [from, graph.integers([0, 0, heads, headWidth])]);
    return graph.node('Transpose', [parts], { perm: order });
  };
  const norm = (from: string): string => {
    const scale = graph.floats(new Float32Array(width).fill(1), [width]);
    const shift = graph.floats(new Float32Array(width), [width]);
    return graph.node('LayerNormalization', [from, scale, shift], { axis: -1 });
  };
  const query = split(dense(input, width, width), [0, 2, 1, 3]);
  const key = split(dense(input, width, width), [0, 2, 3, 1]);
  const value = split(dense(input, width, width), [0, 2, 1, 3]);
  const raw = graph.node('Mul', [graph.node('MatMul', [query, key]), graph.float(1 / Math.sqrt(headWidth))]);
  const attention = graph.node('Softmax', [graph.node('Add', [raw, bias])], { axis: -1 });
  const mixed = graph.node('Transpose', [graph.node('MatMul', [attention, value])], { perm: [0, 2, 1, 3] });
  const joined = dense(graph.node('Reshape', [mixed, graph.integers([0, 0, width])]), width, width);
  const middle = norm(graph.node('Add', [input, joined]));
  const hidden = dense(middle, width, width * 4);
  const bent = graph.node('Mul', [hidden, graph.node('Sigmoid', [hidden])]);
  return norm(graph.node('Add', [middle, dense(bent, width * 4, width)]));
}

/** @param silent number of tokens from the start whose vectors are zero */
function addWordVectors(
  graph: OnnxGraph,
  vocabularySize: number,
  width: number,
  random: () => number,
  silent = 0,
): string {
  const values = randomWeights(vocabularySize * width, 1, random).fill(0, 0, silent * width);
  const table = graph.floats(values, [vocabularySize, width]);
  return graph.node('Gather', [table, 'input_ids'], { axis: 0 });
}

function maskAsFloats(graph: OnnxGraph): string {
  return graph.node('Cast', ['attention_mask'], { to: onnxTypes.float32 });
}

function embedderGraph(vocabularySize: number, options: TinyEncoderOptions, width: number): Uint8Array {
  const random = randomNumbers(options.seed ?? 1);
  const graph = new OnnxGraph();
  let hidden = addWordVectors(graph, vocabularySize, width, random);
  const layers = options.layers ?? 0;
  if (layers > 0) {
    const positions = graph.floats(randomWeights(MAX_POSITIONS * width, 0.1, random), [MAX_POSITIONS, width]);
    const length = graph.node('Slice', [
      graph.node('Shape', ['input_ids']),
      graph.integers([1]),
      graph.integers([2]),
    ]);
    const place = graph.node('Slice', [positions, graph.integers([0]), length, graph.integers([0])]);
    hidden = graph.node('Add', [hidden, place]);
    const away = graph.node('Mul', [
      graph.node('Sub', [maskAsFloats(graph), graph.float(1)]),
      graph.float(10_000),
    ]);
    const bias = graph.node('Unsqueeze', [away, graph.integers([1, 2])]);
    for (let layer = 0; layer < layers; layer += 1) hidden = addLayer(graph, hidden, bias, width, random);
  }
  const type = options.output ?? 'float32';
  if (type === 'int8') {
    const wide = graph.node('Mul', [hidden, graph.float(30)]);
    const low = graph.node('Max', [graph.node('Round', [wide]), graph.float(-127)]);
    hidden = graph.node('Min', [low, graph.float(127)]);
  }
  graph.node('Cast', [hidden], { to: onnxTypes[type] }, 'last_hidden_state');
  const inputs = layers > 0 ? ['input_ids', 'attention_mask'] : ['input_ids'];
  return graph.encode(tokenInputs(inputs), [
    { name: 'last_hidden_state', type, shape: ['batch', 'tokens', width] },
  ]);
}

/** Logit: how near the mean word vectors of the two parts are, so shared words raise the score. */
function rerankerGraph(vocabularySize: number, options: TinyEncoderOptions, width: number): Uint8Array {
  const graph = new OnnxGraph();
  const words = addWordVectors(
    graph,
    vocabularySize,
    width,
    randomNumbers(options.seed ?? 1),
    SPECIAL_TOKENS,
  );
  const second = graph.node('Cast', ['token_type_ids'], { to: onnxTypes.float32 });
  const first = graph.node('Sub', [maskAsFloats(graph), second]);
  const part = (mask: string): string => {
    const kept = graph.node('Mul', [words, graph.node('Unsqueeze', [mask, graph.integers([2])])]);
    const sum = graph.node('ReduceSum', [kept, graph.integers([1])], { keepdims: 0 });
    const square = graph.node('ReduceSum', [graph.node('Mul', [sum, sum]), graph.integers([1])], {
      keepdims: 1,
    });
    const length = graph.node('Sqrt', [graph.node('Add', [square, graph.float(1e-6)])]);
    return graph.node('Div', [sum, length]);
  };
  const cosine = graph.node(
    'ReduceSum',
    [graph.node('Mul', [part(first), part(second)]), graph.integers([1])],
    { keepdims: 1 },
  );
  graph.node('Mul', [cosine, graph.float(6)], {}, 'logits');
  return graph.encode(tokenInputs(['input_ids', 'attention_mask', 'token_type_ids']), [
    { name: 'logits', type: 'float32', shape: ['batch', 1] },
  ]);
}

/** Size and hash of a file as a manifest lists them. */
export function listed(folder: string, name: string): { path: string; sha256: string; sizeBytes: number } {
  const file = path.join(folder, name);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { path: name, sha256, sizeBytes: statSync(file).size };
}

/** Writes model.onnx, tokenizer.json and manifest.json into a folder, which is made, and returns the manifest. */
export function makeTinyEncoder(folder: string, options: TinyEncoderOptions = {}): Record<string, unknown> {
  const kind = options.kind ?? 'embedder';
  const width = options.width ?? 64;
  const { definition, vocabularySize } = makeTokenizer(options.tokenizer ?? 'wordpiece', options.words);
  const graph = kind === 'embedder' ? embedderGraph : rerankerGraph;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'model.onnx'), graph(vocabularySize, options, width));
  writeFileSync(path.join(folder, 'tokenizer.json'), JSON.stringify(definition));
  const embedderFields = {
    pooling: options.pooling ?? 'mean',
    queryPrefix: options.queryPrefix ?? '',
    passagePrefix: options.passagePrefix ?? '',
    dimensions: options.dimensions ?? width,
    normalise: true,
    ...(options.weights ? { weights: options.weights } : {}),
  };
  const manifest = {
    id: options.id ?? `tiny-${kind}`,
    kind,
    name: kind === 'embedder' ? 'Tiny embedder' : 'Tiny reranker',
    licence: 'CC0-1.0',
    files: [listed(folder, 'model.onnx'), listed(folder, 'tokenizer.json')],
    precision: 'random weights',
    order: options.order ?? 100,
    model: 'model.onnx',
    tokenizer: 'tokenizer.json',
    maxTokens: options.maxTokens ?? 128,
    ...(kind === 'embedder' ? embedderFields : {}),
  };
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

if (import.meta.main) {
  const [folder, kind] = process.argv.slice(2);
  if (folder === undefined || (kind !== undefined && kind !== 'embedder' && kind !== 'reranker')) {
    process.stderr.write('usage: node build/make-tiny-encoder.ts FOLDER [embedder|reranker]\n');
    process.exitCode = 2;
  } else {
    makeTinyEncoder(folder, { kind });
  }
}
