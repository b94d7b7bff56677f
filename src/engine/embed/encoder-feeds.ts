/** Which tensors does a graph get for a batch of token numbers? */
import { Tensor } from 'onnxruntime-node';
import type { EncodedInput } from './encoder-tokenizer.ts';
import type { EncoderSession } from './onnx-runtime.ts';

/** How shorter inputs of a batch are filled up. */
export interface Padding {
  /** Token that fills; the attention mask keeps it out. */
  id: number;
  side: 'left' | 'right';
}

const perToken = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);
/** Decoders made for writing ask for what was written before: here nothing. */
const cacheInput = /^past_key_values\.\d+\.(key|value)$/;

type Metadata = EncoderSession['inputMetadata'][number];

function isUsable(name: string, metadata: Metadata | undefined): boolean {
  if (metadata?.isTensor !== true) return false;
  const { type } = metadata;
  return perToken.has(name) ? type === 'int64' || type === 'int32' : type === 'float32' || type === 'float16';
}

/** Why a graph can't be given token numbers, in words; undefined when it can. */
export function inputFault(session: EncoderSession, promised: string[]): string | undefined {
  const { inputNames, inputMetadata } = session;
  const foreign = inputNames.filter((name) => !perToken.has(name) && !cacheInput.test(name));
  if (foreign.length > 0 || !inputNames.includes('input_ids')) {
    return `its graph asks for ${inputNames.slice(0, 8).join(', ').slice(0, 200)}, which is no text encoder`;
  }
  const absent = promised.filter((name) => !inputNames.includes(name));
  if (absent.length > 0) return `its graph has no input ${absent.join(', ')}`;
  const odd = inputNames.find((name, index) => !isUsable(name, inputMetadata[index]));
  return odd === undefined ? undefined : `its input ${odd} is of a type that no text encoder has`;
}

type ValueOf = (input: EncodedInput, position: number) => number;

function readerOf(name: string): ValueOf {
  switch (name) {
    case 'input_ids':
      return (input, position) => input.ids[position]!;
    case 'attention_mask':
      return () => 1;
    case 'token_type_ids':
      return (input, position) => input.segments[position]!;
    default:
      return (_, position) => position;
  }
}

/** All inputs of a run, each of the shape [batch, longest]. */
export function makeFeeds(
  session: EncoderSession,
  batch: EncodedInput[],
  padding: Padding,
): Record<string, Tensor> {
  const width = Math.max(...batch.map((input) => input.ids.length));
  const feeds: Record<string, Tensor> = {};
  session.inputNames.forEach((name, index) => {
    const metadata = session.inputMetadata[index];
    const fill = name === 'input_ids' ? padding.id : 0;
    feeds[name] = perToken.has(name)
      ? tokenTensor(batch, width, { value: readerOf(name), fill, side: padding.side }, metadata)
      : emptyCache(batch.length, metadata);
  });
  return feeds;
}

function tokenTensor(
  batch: EncodedInput[],
  width: number,
  { value, fill, side }: { value: ValueOf; fill: number; side: Padding['side'] },
  metadata: Metadata | undefined,
): Tensor {
  const isShort = metadata?.isTensor === true && metadata.type === 'int32';
  const count = batch.length * width;
  // 64-bit integers are written through a 32-bit view of their low halves: a BigInt per token is ten times slower.
  const words = new Int32Array(isShort ? count : count * 2);
  const step = isShort ? 1 : 2;
  batch.forEach((input, row) => {
    const { length } = input.ids;
    const shift = side === 'left' ? width - length : 0;
    for (let at = 0; at < width; at += 1) {
      const position = at - shift;
      words[(row * width + at) * step] = position >= 0 && position < length ? value(input, position) : fill;
    }
  });
  const dims = [batch.length, width];
  return isShort
    ? new Tensor('int32', words, dims)
    : new Tensor('int64', new BigInt64Array(words.buffer), dims);
}

/** A cache of no tokens, [batch, heads, 0, width of a head]. */
function emptyCache(rows: number, metadata: Metadata | undefined): Tensor {
  const shape = metadata?.isTensor === true ? metadata.shape : [];
  const dims = shape.map((size, axis) => (axis === 0 ? rows : typeof size === 'number' ? size : 0));
  return metadata?.isTensor === true && metadata.type === 'float16'
    ? new Tensor('float16', new Uint16Array(0), dims)
    : new Tensor('float32', new Float32Array(0), dims);
}
