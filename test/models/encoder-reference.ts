/** What does a random encoder compute? Plain loops over one text, no batches, no padding, every sum written out. */
import {
  type EncoderPlan,
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

/** [tokens][width], in double precision. */
type Rows = number[][];

/** Half to even, as the runtime rounds. */
function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const clampByte = (value: number): number => Math.min(255, Math.max(0, value));

/** Activations as unsigned bytes and back, with one scale and zero point for all rows. */
function throughBytes(rows: Rows, scale: number, zero: number): Rows {
  return rows.map((row) => row.map((value) => (clampByte(roundEven(value / scale) + zero) - zero) * scale));
}

/** The formula of DynamicQuantizeLinear: the range always holds zero. */
function throughDynamicBytes(rows: Rows): Rows {
  const all = rows.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const scale = Math.fround((high - low) / 255);
  return throughBytes(rows, scale, clampByte(roundEven(-low / scale)));
}

/** The encoder with the rounding of its precision. */
class Reference {
  private readonly plan: EncoderPlan;
  private readonly weights: EncoderWeights;

  constructor(weights: EncoderWeights) {
    this.plan = weights.plan;
    this.weights = weights;
  }

  private stored(value: number): number {
    return this.plan.precision === 'float16' ? Math.f16round(value) : value;
  }

  linear(rows: Rows, { rows: height, columns, weights, bias }: Linear): Rows {
    const { precision } = this.plan;
    const isInt8 = precision === 'int8 dynamic' || precision === 'int8 static';
    const packed = isInt8 ? quantize(weights) : undefined;
    const weightAt = (index: number): number =>
      packed ? packed.bytes[index]! * packed.scale : this.stored(weights[index]!);
    let input = rows;
    if (precision === 'int8 dynamic') input = throughDynamicBytes(rows);
    if (precision === 'int8 static') input = throughBytes(rows, Math.fround(staticScale), staticZero);
    return input.map((row) => {
      const result: number[] = [];
      for (let column = 0; column < columns; column += 1) {
        let sum = bias ? this.stored(bias[column]!) : 0;
        for (let at = 0; at < height; at += 1) sum += row[at]! * weightAt(at * columns + column);
        result.push(sum);
      }
      return result;
    });
  }

  norm(rows: Rows, { scale, shift }: Norm): Rows {
    const epsilon = this.stored(normEpsilon[this.plan.style]);
    return rows.map((row) => {
      let mean = 0;
      if (shift) for (const value of row) mean += value / row.length;
      let variance = 0;
      for (const value of row) variance += (value - mean) ** 2 / row.length;
      const deviation = Math.sqrt(variance + epsilon);
      return row.map(
        (value, index) =>
          ((value - mean) / deviation) * this.stored(scale[index]!) +
          (shift ? this.stored(shift[index]!) : 0),
      );
    });
  }

  private embed(ids: number[], segments: number[]): Rows {
    const { width, style, padId } = this.plan;
    const { words, positions, segments: segmentRows, embeddingNorm } = this.weights;
    const rowOf = (table: Float32Array, row: number, column: number) =>
      this.stored(table[row * width + column]!);
    const rows = ids.map((id, place) => {
      const row: number[] = [];
      for (let column = 0; column < width; column += 1) {
        let sum = rowOf(words, id, column);
        if (positions) sum += rowOf(positions, style === 'roberta' ? place + 1 + padId : place, column);
        if (segmentRows) sum += rowOf(segmentRows, segments[place]!, column);
        row.push(sum);
      }
      return row;
    });
    return embeddingNorm ? this.norm(rows, embeddingNorm) : rows;
  }

  /** Turns pairs of values, half a head apart, by an angle that grows with the place. */
  private turn(row: number[], place: number): number[] {
    const headWidth = this.plan.width / this.plan.heads;
    const half = headWidth / 2;
    return row.map((value, index) => {
      const within = index % headWidth;
      const angle = place * ROTARY_BASE ** (-(within % half) / half);
      const partner = within < half ? -row[index + half]! : row[index - half]!;
      return value * Math.cos(angle) + partner * Math.sin(angle);
    });
  }

  private attend(rows: Rows, layer: LayerWeights): Rows {
    const { width, heads, keyHeads, style } = this.plan;
    const headWidth = width / heads;
    const isDecoder = style === 'decoder';
    const turnAll = (part: Rows): Rows =>
      isDecoder ? part.map((row, place) => this.turn(row, place)) : part;
    const query = turnAll(this.linear(rows, layer.query));
    const key = turnAll(this.linear(rows, layer.key));
    const value = this.linear(rows, layer.value);
    const mixed: Rows = rows.map(() => new Array<number>(width).fill(0));
    for (let head = 0; head < heads; head += 1) {
      const from = head * headWidth;
      const shared = Math.floor(head / (heads / keyHeads)) * headWidth;
      for (let place = 0; place < rows.length; place += 1) {
        const last = isDecoder ? place : rows.length - 1;
        const scores: number[] = [];
        for (let other = 0; other <= last; other += 1) {
          let dot = 0;
          for (let at = 0; at < headWidth; at += 1) {
            dot += query[place]![from + at]! * key[other]![shared + at]!;
          }
          scores.push(dot / Math.sqrt(headWidth));
        }
        const most = Math.max(...scores);
        const powers = scores.map((score) => Math.exp(score - most));
        const total = powers.reduce((sum, power) => sum + power, 0);
        powers.forEach((power, other) => {
          for (let at = 0; at < headWidth; at += 1) {
            mixed[place]![from + at]! += (power / total) * value[other]![shared + at]!;
          }
        });
      }
    }
    return this.linear(mixed, layer.output);
  }

  private layer(rows: Rows, layer: LayerWeights): Rows {
    if (layer.gate) {
      const middle = add(rows, this.attend(this.norm(rows, layer.firstNorm), layer));
      const calm = this.norm(middle, layer.secondNorm);
      const gate = this.linear(calm, layer.gate);
      const up = this.linear(calm, layer.up);
      const inner = gate.map((row, place) =>
        row.map((value, index) => (value / (1 + Math.exp(-value))) * up[place]![index]!),
      );
      return add(middle, this.linear(inner, layer.down));
    }
    const middle = this.norm(add(rows, this.attend(rows, layer)), layer.firstNorm);
    const inner = this.linear(middle, layer.up).map((row) => row.map(gelu));
    return this.norm(add(middle, this.linear(inner, layer.down)), layer.secondNorm);
  }

  run(ids: number[], segments: number[]): Rows {
    let rows = this.embed(ids, segments);
    for (const layer of this.weights.layers) rows = this.layer(rows, layer);
    return this.weights.finalNorm ? this.norm(rows, this.weights.finalNorm) : rows;
  }
}

const add = (a: Rows, b: Rows): Rows =>
  a.map((row, place) => row.map((value, index) => value + b[place]![index]!));

const gelu = (value: number): number => 0.5 * value * (1 + erf(value / Math.SQRT2));

/** Error function by its power series, summed until nothing changes; exact enough for the |x| < 6 that occur. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 300; n += 1) {
    term *= -(x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Vectors of all tokens of one text. */
export function referenceTokens(weights: EncoderWeights, ids: number[], segments: number[]): number[][] {
  return new Reference(weights).run(ids, segments);
}

/** One vector of unit length, cut to `dimensions` first. */
export function referenceVector(
  tokens: number[][],
  pooling: 'mean' | 'cls' | 'last',
  dimensions: number,
): number[] {
  const vector: number[] = [];
  for (let column = 0; column < dimensions; column += 1) {
    if (pooling === 'cls') vector.push(tokens[0]![column]!);
    else if (pooling === 'last') vector.push(tokens[tokens.length - 1]![column]!);
    else vector.push(tokens.reduce((sum, row) => sum + row[column]!, 0) / tokens.length);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** Probability that a pair belongs together: logistic of one logit, or the second share of two. */
export function referenceScore(weights: EncoderWeights, ids: number[], segments: number[]): number {
  const reference = new Reference(weights);
  const first = reference.run(ids, segments)[0]!;
  const bent = reference.linear([first], weights.dense!)[0]!.map(Math.tanh);
  const logits = reference.linear([bent], weights.out!)[0]!;
  if (logits.length === 1) return 1 / (1 + Math.exp(-logits[0]!));
  const [no, yes] = logits.map((logit) => Math.exp(logit));
  return yes! / (no! + yes!);
}
