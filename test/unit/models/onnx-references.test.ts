import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { makeTinyEncoder } from '../../../build/make-tiny-encoder.ts';
import { readOnnxReferences } from '../../../src/engine/models/onnx-references.ts';
import { temporaryFolder } from '../../models/tiny-models.ts';

const { onnx } = onnxProto;

const outside = (location: string): onnxProto.onnx.ITensorProto => ({
  name: 'w',
  dataType: 1,
  dims: [1],
  dataLocation: 1,
  externalData: [
    { key: 'offset', value: '0' },
    { key: 'location', value: location },
  ],
});

function write(model: onnxProto.onnx.IModelProto): string {
  const file = path.join(temporaryFolder(), 'model.onnx');
  writeFileSync(file, onnx.ModelProto.encode(onnx.ModelProto.create(model)).finish());
  return file;
}

describe('readOnnxReferences', () => {
  it('finds none in a model that is whole in itself', async () => {
    const folder = temporaryFolder();
    makeTinyEncoder(folder, { layers: 2 });
    expect(await readOnnxReferences(path.join(folder, 'model.onnx'))).toEqual([]);
  });

  it.each([
    { place: 'among the weights', graph: { initializer: [outside('/etc/passwd')] } },
    {
      place: 'in a constant',
      graph: { node: [{ opType: 'Constant', attribute: [{ name: 'value', t: outside('/etc/passwd') }] }] },
    },
    {
      place: 'in a branch',
      graph: {
        node: [
          {
            opType: 'If',
            attribute: [{ name: 'then_branch', g: { initializer: [outside('/etc/passwd')] } }],
          },
        ],
      },
    },
    { place: 'in a sparse weight', graph: { sparseInitializer: [{ values: outside('/etc/passwd') }] } },
  ])('finds a reference $place', async ({ graph }) => {
    expect(await readOnnxReferences(write({ irVersion: 8, graph }))).toEqual(['/etc/passwd']);
  });

  it.each([
    { fault: 'text', spoil: (file: string) => writeFileSync(file, 'this is no model at all') },
    {
      fault: 'a file cut off',
      spoil: (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
    },
  ])('refuses $fault', async ({ spoil }) => {
    const file = write({ irVersion: 8, graph: { initializer: [outside('weights.bin')] } });
    spoil(file);
    await expect(readOnnxReferences(file)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });
});
