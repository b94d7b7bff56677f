/** How is an ONNX file put together, node by node? */
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;

/** Numbers of the format's types. */
export const onnxTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const;
export type OnnxType = keyof typeof onnxTypes;

/** Attribute values of a node. */
type Attribute = number | number[] | { float: number };

/** An input or output; strings are free dimensions. */
export interface OnnxValue {
  name: string;
  type: OnnxType;
  shape: (string | number)[];
}

/** Collects nodes and weights; every method returns the name of its output. */
export class OnnxGraph {
  private readonly nodes: onnxProto.onnx.INodeProto[] = [];
  private readonly weights: onnxProto.onnx.ITensorProto[] = [];
  private count = 0;

  private fresh(prefix: string): string {
    this.count += 1;
    return `${prefix}_${this.count}`;
  }

  tensor(type: OnnxType, values: ArrayBufferView, dims: number[]): string {
    const name = this.fresh('weight');
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.weights.push({ name, dataType: onnxTypes[type], dims, rawData });
    return name;
  }

  floats(values: Float32Array, dims: number[]): string {
    return this.tensor('float32', values, dims);
  }

  float(value: number): string {
    return this.floats(Float32Array.of(value), []);
  }

  integers(values: number[], dims: number[] = [values.length]): string {
    return this.tensor('int64', BigInt64Array.from(values, BigInt), dims);
  }

  node(
    type: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    output = this.fresh(type),
  ): string {
    this.addNode(type, inputs, [output], attributes);
    return output;
  }

  /** A node with several outputs. */
  nodeOfMany(type: string, inputs: string[], outputs: number): string[] {
    const names = Array.from({ length: outputs }, () => this.fresh(type));
    this.addNode(type, inputs, names, {});
    return names;
  }

  private addNode(
    type: string,
    inputs: string[],
    outputs: string[],
    attributes: Record<string, Attribute>,
  ): void {
    const attribute = Object.entries(attributes).map(([name, value]): onnxProto.onnx.IAttributeProto => {
      if (Array.isArray(value)) return { name, type: 7, ints: value };
      return typeof value === 'number' ? { name, type: 2, i: value } : { name, type: 1, f: value.float };
    });
    this.nodes.push({ opType: type, name: this.fresh('node'), input: inputs, output: outputs, attribute });
  }

  /** A weight whose values stand in another file, named relative to the graph's. */
  outside(type: OnnxType, dims: number[], location: string): string {
    const name = this.fresh('weight');
    const externalData = [{ key: 'location', value: location }];
    this.weights.push({ name, dataType: onnxTypes[type], dims, dataLocation: 1, externalData });
    return name;
  }

  encode(inputs: OnnxValue[], outputs: OnnxValue[]): Uint8Array {
    const valueInfo = ({ name, type, shape }: OnnxValue) => ({
      name,
      type: {
        tensorType: {
          elemType: onnxTypes[type],
          shape: {
            dim: shape.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size })),
          },
        },
      },
    });
    const model = onnx.ModelProto.create({
      irVersion: 8,
      producerName: 'lectern-build',
      opsetImport: [{ domain: '', version: 17 }],
      graph: {
        name: 'encoder',
        node: this.nodes,
        initializer: this.weights,
        input: inputs.map(valueInfo),
        output: outputs.map(valueInfo),
      },
    });
    return onnx.ModelProto.encode(model).finish();
  }
}

/** Token inputs of the shape [batch, tokens]. */
export function tokenInputs(names: string[], type: 'int64' | 'int32' = 'int64'): OnnxValue[] {
  return names.map((name) => ({ name, type, shape: ['batch', 'tokens'] }));
}
