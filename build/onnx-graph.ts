/** How is an ONNX file put together, node by node? */
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
const FLOAT = 1;
const INT64 = 7;

/** Attribute values of a node. */
type Attribute = number | number[] | { float: number };

/** Collects nodes and weights; every method returns the name of its output. */
export class OnnxGraph {
  private readonly nodes: onnxProto.onnx.INodeProto[] = [];
  private readonly weights: onnxProto.onnx.ITensorProto[] = [];
  private count = 0;

  private fresh(prefix: string): string {
    this.count += 1;
    return `${prefix}_${this.count}`;
  }

  floats(values: Float32Array, dims: number[]): string {
    const name = this.fresh('weight');
    this.weights.push({ name, dataType: FLOAT, dims, rawData: new Uint8Array(values.buffer) });
    return name;
  }

  float(value: number): string {
    return this.floats(Float32Array.of(value), []);
  }

  integers(values: number[], dims: number[] = [values.length]): string {
    const name = this.fresh('shape');
    this.weights.push({
      name,
      dataType: INT64,
      dims,
      rawData: new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
    });
    return name;
  }

  node(
    type: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    output = this.fresh(type),
  ): string {
    const attribute = Object.entries(attributes).map(([name, value]): onnxProto.onnx.IAttributeProto => {
      if (Array.isArray(value)) return { name, type: 7, ints: value };
      return typeof value === 'number' ? { name, type: 2, i: value } : { name, type: 1, f: value.float };
    });
    this.nodes.push({ opType: type, name: this.fresh('node'), input: inputs, output: [output], attribute });
    return output;
  }

  /** @param output name, type number of ONNX and shape; strings are free dimensions */
  encode(inputs: string[], output: { name: string; type: number; shape: (string | number)[] }): Uint8Array {
    const valueInfo = (name: string, elemType: number, shape: (string | number)[]) => ({
      name,
      type: {
        tensorType: {
          elemType,
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
        input: inputs.map((name) => valueInfo(name, INT64, ['batch', 'tokens'])),
        output: [valueInfo(output.name, output.type, output.shape)],
      },
    });
    return onnx.ModelProto.encode(model).finish();
  }
}
