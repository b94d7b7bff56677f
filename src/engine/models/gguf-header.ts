/** What does a GGUF file say of itself, read with limits and without loading it? */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { models } from '../config.ts';
import { Cursor, readValue, type Value } from './gguf-cursor.ts';
import { quantizationOf, tensorBytes } from './gguf-types.ts';

/** What Lectern needs to know before it hands a file to llama.cpp. */
export interface GgufHeader {
  /** 2 or 3. */
  version: number;
  /** Such as "qwen3". */
  architecture: string;
  name?: string;
  /** SPDX name or words, where the file says so. */
  licence?: string;
  /** Such as "Q4_K_M". */
  quantization?: string;
  /** Tokens that the model was trained on. */
  contextTokens?: number;
  layers?: number;
  embeddingLength?: number;
  heads?: number;
  /** Heads of keys and values: of all layers together, since layers may differ. */
  keyValueHeads?: number;
  /** Numbers of a key and of a value, of one head. */
  keyLength?: number;
  valueLength?: number;
  /** Kind of tokenizer, such as "gpt2". */
  tokenizer?: string;
  vocabulary?: number;
  hasChatTemplate: boolean;
  /** The file pools its outputs: an encoder, not a writer. */
  isEncoder: boolean;
  tensors: number;
  sizeBytes: number;
}

type Pairs = Map<string, Value>;

async function readPairs(cursor: Cursor): Promise<{ version: number; tensors: number; pairs: Pairs }> {
  if ((await cursor.take(4)).toString('latin1') !== 'GGUF') throw cursor.invalid('it is not a GGUF file');
  const version = await cursor.u32();
  if (version !== 2 && version !== 3) throw cursor.invalid(`GGUF version ${version} is not known`);
  const tensors = await cursor.count(models.maxGgufTensors, 'tensors');
  const keys = await cursor.count(models.maxGgufKeys, 'entries');
  const pairs: Pairs = new Map();
  for (let index = 0; index < keys; index += 1) {
    const key = await cursor.text();
    pairs.set(key, await readValue(cursor));
  }
  return { version, tensors, pairs };
}

/** Where the last tensor ends, by the table of tensors; types that are not known count nothing. */
async function readTensorsEnd(cursor: Cursor, tensors: number, pairs: Pairs): Promise<number> {
  const alignment = pairs.get('general.alignment');
  const step = typeof alignment === 'number' && alignment > 0 ? alignment : 32;
  let end = 0;
  let layers = 0;
  for (let index = 0; index < tensors; index += 1) {
    const layer = /^blk\.(\d{1,6})\./.exec(await cursor.text())?.[1];
    if (layer !== undefined) layers = Math.max(layers, Number(layer) + 1);
    const dimensions = await cursor.u32();
    if (dimensions > 8) throw cursor.invalid(`its GGUF header claims a tensor of ${dimensions} dimensions`);
    let numbers = 1;
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      numbers *= await cursor.count(Number.MAX_SAFE_INTEGER, 'numbers in one tensor');
    }
    const bytes = tensorBytes(await cursor.u32(), numbers);
    const offset = await cursor.count(Number.MAX_SAFE_INTEGER, 'bytes before one tensor');
    end = Math.max(end, offset + bytes);
  }
  const claimed = pairs.get(`${pairs.get('general.architecture')}.block_count`);
  // A part of a model in several files holds some of the layers only.
  if (!pairs.has('split.count') && layers > 0 && typeof claimed === 'number' && claimed > layers) {
    throw cursor.invalid(`its GGUF header claims ${claimed} layers, ${layers} are there`);
  }
  return Math.ceil(cursor.position / step) * step + end;
}

/**
 * Reads the metadata of a GGUF file, and whether its tensors can all be in it.
 * @throws AppError MODEL_INVALID when the header is broken, lies about lengths or passes a limit, or the file was cut short
 */
export async function readGgufHeader(file: string): Promise<GgufHeader> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const cursor = new Cursor(handle, path.basename(file), size);
    const { version, tensors, pairs } = await readPairs(cursor);
    const described = describe(cursor, pairs);
    const end = await readTensorsEnd(cursor, tensors, pairs);
    if (end > size) throw cursor.invalid(`it was cut short, ${size} of ${end} bytes are there`);
    return { version, ...described, tensors, sizeBytes: size };
  } finally {
    await handle.close();
  }
}

function describe(cursor: Cursor, pairs: Pairs): Omit<GgufHeader, 'version' | 'tensors' | 'sizeBytes'> {
  const text = (key: string) => {
    const value = pairs.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const number = (key: string) => {
    const value = pairs.get(key);
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const architecture = text('general.architecture');
  if (architecture === undefined || !/^[a-z0-9_.-]{1,64}$/i.test(architecture)) {
    throw cursor.invalid('it does not name its architecture');
  }
  const own = (key: string) => number(`${architecture}.${key}`);
  for (const [key, most] of Object.entries(models.mostGguf)) {
    const value = pairs.get(`${architecture}.${key}`);
    // llama.cpp trusts these: a zero or a count beyond any model ends its process.
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 1 && value <= most)) {
      throw cursor.invalid(
        `its GGUF header claims ${value} as its ${key.replace(/^.*\./, '').replaceAll('_', ' ')}`,
      );
    }
  }
  const tokens = pairs.get('tokenizer.ggml.tokens');
  const [layers, heads, embeddingLength] = [
    own('block_count'),
    own('attention.head_count'),
    own('embedding_length'),
  ];
  // Where a file does not say, a head is its share of the whole width.
  const headLength = embeddingLength && heads ? Math.ceil(embeddingLength / heads) : undefined;
  return {
    architecture,
    name: text('general.name')?.slice(0, 200),
    licence: text('general.license')?.slice(0, 200),
    quantization: quantizationOf(pairs.get('general.file_type')),
    contextTokens: own('context_length'),
    ...{ layers, heads, embeddingLength },
    keyValueHeads: keyValueHeads(pairs.get(`${architecture}.attention.head_count_kv`), layers, heads),
    keyLength: own('attention.key_length') ?? headLength,
    valueLength: own('attention.value_length') ?? headLength,
    tokenizer: text('tokenizer.ggml.model'),
    vocabulary: typeof tokens === 'object' ? tokens.length : undefined,
    hasChatTemplate: text('tokenizer.chat_template') !== undefined,
    isEncoder:
      pairs.has(`${architecture}.pooling_type`) || pairs.get(`${architecture}.attention.causal`) === false,
  };
}

function keyValueHeads(
  value: Value | undefined,
  layers: number | undefined,
  heads: number | undefined,
): number | undefined {
  if (typeof value === 'object' && value.numbers)
    return value.numbers.reduce((sum, count) => sum + Math.max(0, count), 0);
  const each = typeof value === 'number' && value > 0 ? value : heads;
  return each === undefined || layers === undefined ? undefined : each * layers;
}
