/** How does a random encoder become an ONNX file, in each precision? */
import { OnnxGraph, onnxTypes, tokenInputs } from '../../build/onnx-graph.ts';
import {
  type EncoderWeights,
  type LayerWeights,
  type Linear,
  type Norm,
  normEpsilon,
  quantize,
  ROTARY_BASE,
  staticScale,
  staticZero,
} from './encoder-weights.ts';

/** Adds operators in the type of the graph's activations. */
class Builder {
  readonly graph = new OnnxGraph();
  readonly weights: EncoderWeights;
  /** Type of the activations. */
  readonly type: 'float32' | 'float16';

  constructor(weights: EncoderWeights) {
    this.weights = weights;
    this.type = weights.plan.precision === 'float16' ? 'float16' : 'float32';
  }

  values(values: Float32Array, dims: number[]): string {
    if (this.type === 'float32') return this.graph.floats(values, dims);
    return this.graph.tensor('float16', new Float16Array(values), dims);
  }

  number(value: number): string {
    return this.values(Float32Array.of(value), []);
  }

  node(type: string, inputs: string[], attributes: Parameters<OnnxGraph['node']>[2] = {}): string {
    return this.graph.node(type, inputs, attributes);
  }

  integers(...values: number[]): string {
    return this.graph.integers(values);
  }

  cast(from: string): string {
    return this.node('Cast', [from], { to: onnxTypes[this.type] });
  }

  linear(from: string, { rows, columns, weights, bias }: Linear): string {
    const product = this.product(from, weights, [rows, columns]);
    return bias ? this.node('Add', [product, this.values(bias, [columns])]) : product;
  }

  private product(from: string, weights: Float32Array, dims: number[]): string {
    const { precision } = this.weights.plan;
    if (precision === 'float32' || precision === 'float16') {
      return this.node('MatMul', [from, this.values(weights, dims)]);
    }
    const { graph } = this;
    const { bytes, scale } = quantize(weights);
    const packed = graph.tensor('int8', bytes, dims);
    const weightZero = graph.tensor('int8', Int8Array.of(0), []);
    if (precision === 'int8 dynamic') {
      const [whole, wholeScale, zero] = graph.nodeOfMany('DynamicQuantizeLinear', [from], 3);
      const sums = this.node('MatMulInteger', [whole!, packed, zero!, weightZero]);
      return this.node('Mul', [this.cast(sums), this.node('Mul', [wholeScale!, this.number(scale)])]);
    }
    const activation = [this.number(staticScale), graph.tensor('uint8', Uint8Array.of(staticZero), [])];
    const whole = this.node('QuantizeLinear', [from, ...activation]);
    const rough = this.node('DequantizeLinear', [whole, ...activation]);
    return this.node('MatMul', [
      rough,
      this.node('DequantizeLinear', [packed, this.number(scale), weightZero]),
    ]);
  }

  norm(from: string, { scale, shift }: Norm): string {
    const { style, width } = this.weights.plan;
    const epsilon = normEpsilon[style];
    const factors = this.values(scale, [width]);
    if (shift) {
      return this.node('LayerNormalization', [from, factors, this.values(shift, [width])], {
        axis: -1,
        epsilon: { float: epsilon },
      });
    }
    const square = this.node('ReduceMean', [this.node('Mul', [from, from])], { axes: [-1], keepdims: 1 });
    const length = this.node('Sqrt', [this.node('Add', [square, this.number(epsilon)])]);
    return this.node('Mul', [this.node('Div', [from, length]), factors]);
  }

  /** [batch, tokens, width] to [batch, heads, tokens, width of a head]. */
  split(from: string, heads: number): string {
    const headWidth = this.weights.plan.width / this.weights.plan.heads;
    const parts = this.node('Reshape', [from, this.integers(0, 0, heads, headWidth)]);
    return this.node('Transpose', [parts], { perm: [0, 2, 1, 3] });
  }

  part(from: string, start: number, end: number, axis: number): string {
    return this.node('Slice', [from, this.integers(start), this.integers(end), this.integers(axis)]);
  }
}

function attention(build: Builder, from: string, layer: LayerWeights, bias: string, turn: Turn): string {
  const { plan } = build.weights;
  const headWidth = plan.width / plan.heads;
  const query = turn(build.split(build.linear(from, layer.query), plan.heads));
  const share = (part: string): string => {
    if (plan.keyHeads === plan.heads) return part;
    // Each head of keys serves several neighbouring heads of queries.
    const times = plan.heads / plan.keyHeads;
    const wide = build.node('Unsqueeze', [part, build.integers(2)]);
    const copies = build.node('Concat', Array(times).fill(wide), { axis: 2 });
    return build.node('Reshape', [copies, build.integers(0, plan.heads, -1, headWidth)]);
  };
  const key = share(turn(build.split(build.linear(from, layer.key), plan.keyHeads)));
  const value = share(build.split(build.linear(from, layer.value), plan.keyHeads));
  const flat = build.node('Transpose', [key], { perm: [0, 1, 3, 2] });
  const raw = build.node('Mul', [
    build.node('MatMul', [query, flat]),
    build.number(1 / Math.sqrt(headWidth)),
  ]);
  const shares = build.node('Softmax', [build.node('Add', [raw, bias])], { axis: -1 });
  const mixed = build.node('Transpose', [build.node('MatMul', [shares, value])], { perm: [0, 2, 1, 3] });
  const joined = build.node('Reshape', [mixed, build.integers(0, 0, plan.width)]);
  return build.linear(joined, layer.output);
}

/** Turns the vectors of a head by their position, or leaves them. */
type Turn = (part: string) => string;

function rotary(build: Builder): Turn {
  const { width, heads } = build.weights.plan;
  const headWidth = width / heads;
  const half = headWidth / 2;
  const speeds = Float32Array.from({ length: half }, (_, index) => ROTARY_BASE ** (-index / half));
  const places = build.node('Unsqueeze', [build.cast('position_ids'), build.integers(2)]);
  const angles = build.node('Mul', [places, build.values(speeds, [1, 1, half])]);
  const both = build.node('Concat', [angles, angles], { axis: -1 });
  const perHead = build.node('Unsqueeze', [both, build.integers(1)]);
  const [cosine, sine] = [build.node('Cos', [perHead]), build.node('Sin', [perHead])];
  return (part) => {
    const first = build.part(part, 0, half, 3);
    const second = build.node('Neg', [build.part(part, half, headWidth, 3)]);
    const turned = build.node('Concat', [second, first], { axis: -1 });
    return build.node('Add', [build.node('Mul', [part, cosine]), build.node('Mul', [turned, sine])]);
  };
}

/** Large negative numbers where a token may not look, [batch, 1, tokens or 1, tokens]. */
function maskBias(build: Builder, isCausal: boolean): string {
  const kept = build.node('Unsqueeze', [build.cast('attention_mask'), build.integers(1, 2)]);
  const away = build.node('Mul', [build.node('Sub', [kept, build.number(1)]), build.number(30_000)]);
  if (!isCausal) return away;
  const ones = build.node('Expand', [build.number(1), build.node('Shape', ['input_ids'])]);
  // Order of tokens by counting: a later token stands further than an earlier one.
  const order = build.node('CumSum', [ones, build.graph.integers([1], [])]);
  const row = build.node('Unsqueeze', [order, build.integers(1, 3)]);
  const column = build.node('Unsqueeze', [order, build.integers(1, 2)]);
  const later = build.cast(build.node('Greater', [column, row]));
  return build.node('Sub', [away, build.node('Mul', [later, build.number(30_000)])]);
}

function embeddings(build: Builder): string {
  const { weights } = build;
  const { width, vocabulary, positions, style, padId } = weights.plan;
  const words = build.node('Gather', [build.values(weights.words, [vocabulary, width]), 'input_ids']);
  if (!weights.positions) return words;
  const table = build.values(weights.positions, [positions, width]);
  let places: string;
  if (style === 'roberta') {
    // As in the published graphs: tokens other than padding are counted, from the padding's number on.
    const ids = build.node('Cast', ['input_ids'], { to: onnxTypes.int64 });
    const isWord = build.node('Not', [build.node('Equal', [ids, build.graph.integers([padId], [])])]);
    const ones = build.node('Cast', [isWord], { to: onnxTypes.int32 });
    const counted = build.node('Mul', [build.node('CumSum', [ones, build.graph.integers([1], [])]), ones]);
    const wide = build.node('Cast', [counted], { to: onnxTypes.int64 });
    places = build.node('Add', [wide, build.graph.integers([padId], [])]);
  } else {
    places = 'position_ids';
  }
  let sum = build.node('Add', [words, build.node('Gather', [table, places])]);
  if (weights.segments) {
    const segments = build.values(weights.segments, [2, width]);
    sum = build.node('Add', [sum, build.node('Gather', [segments, 'token_type_ids'])]);
  }
  return build.norm(sum, weights.embeddingNorm!);
}

function gelu(build: Builder, from: string): string {
  const bent = build.node('Erf', [build.node('Div', [from, build.number(Math.SQRT2)])]);
  const half = build.node('Mul', [from, build.number(0.5)]);
  return build.node('Mul', [half, build.node('Add', [bent, build.number(1)])]);
}

function addLayer(build: Builder, from: string, layer: LayerWeights, bias: string, turn: Turn): string {
  if (layer.gate) {
    const seen = attention(build, build.norm(from, layer.firstNorm), layer, bias, turn);
    const middle = build.node('Add', [from, seen]);
    const calm = build.norm(middle, layer.secondNorm);
    const gate = build.linear(calm, layer.gate);
    const open = build.node('Mul', [gate, build.node('Sigmoid', [gate])]);
    const inner = build.node('Mul', [open, build.linear(calm, layer.up)]);
    return build.node('Add', [middle, build.linear(inner, layer.down)]);
  }
  const seen = attention(build, from, layer, bias, turn);
  const middle = build.norm(build.node('Add', [from, seen]), layer.firstNorm);
  const inner = gelu(build, build.linear(middle, layer.up));
  return build.norm(build.node('Add', [middle, build.linear(inner, layer.down)]), layer.secondNorm);
}

function meanOfTokens(build: Builder, hidden: string): string {
  const mask = build.node('Unsqueeze', [build.cast('attention_mask'), build.integers(2)]);
  const sum = build.node('ReduceSum', [build.node('Mul', [hidden, mask]), build.integers(1)], {
    keepdims: 0,
  });
  return build.node('Div', [sum, build.node('ReduceSum', [mask, build.integers(1)], { keepdims: 0 })]);
}

const inputNames = {
  bert: ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'],
  roberta: ['input_ids', 'attention_mask'],
  decoder: ['input_ids', 'attention_mask', 'position_ids'],
} as const;

/** The ONNX file of an encoder; activations are half floats where the weights are. */
export function encoderGraph(weights: EncoderWeights): Uint8Array {
  const { plan } = weights;
  const build = new Builder(weights);
  const { graph, type } = build;
  const isDecoder = plan.style === 'decoder';
  const bias = maskBias(build, isDecoder);
  const turn = isDecoder ? rotary(build) : (part: string) => part;
  let hidden = embeddings(build);
  for (const layer of weights.layers) hidden = addLayer(build, hidden, layer, bias, turn);
  if (weights.finalNorm) hidden = build.norm(hidden, weights.finalNorm);
  const inputs = tokenInputs([...inputNames[plan.style]], plan.inputType);
  if (weights.dense && weights.out) {
    const first = build.node('Squeeze', [build.part(hidden, 0, 1, 1), build.integers(1)]);
    const bent = build.node('Tanh', [build.linear(first, weights.dense)]);
    graph.node('Identity', [build.linear(bent, weights.out)], {}, 'logits');
    return graph.encode(inputs, [{ name: 'logits', type, shape: ['batch', weights.out.columns] }]);
  }
  graph.node('Identity', [hidden], {}, 'last_hidden_state');
  const outputs = [
    { name: 'last_hidden_state', type, shape: ['batch', 'tokens', plan.width] as (string | number)[] },
  ];
  if (plan.head === 'sentence') {
    graph.node('Identity', [meanOfTokens(build, hidden)], {}, 'sentence_embedding');
    outputs.push({ name: 'sentence_embedding', type, shape: ['batch', plan.width] });
  }
  return graph.encode(inputs, outputs);
}
