import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { writeGguf } from '../../../build/gguf-writer.ts';
import { listed, makeTinyEncoder } from '../../../build/make-tiny-encoder.ts';
import { checkModel } from '../../../src/engine/models/check-model.ts';
import { listModels } from '../../../src/engine/models/list-models.ts';
import { noStories, storiesModel, temporaryFolder } from '../../models/tiny-models.ts';

const { onnx } = onnxProto;

function gguf(file: string, architecture: string): void {
  writeGguf(file, { 'general.architecture': { type: 'string', value: architecture } }, []);
}

async function only(folder: string) {
  const [model, ...others] = await listModels([folder]);
  expect(others).toEqual([]);
  return model!;
}

describe('listModels', () => {
  it('finds models by their manifests, in the order of the manifests', async () => {
    const folder = temporaryFolder();
    makeTinyEncoder(path.join(folder, 'a'), { id: 'later', order: 50 });
    makeTinyEncoder(path.join(folder, 'b'), { id: 'sooner', order: 10 });
    makeTinyEncoder(path.join(folder, 'c'), { id: 'judge', kind: 'reranker' });
    const models = await listModels([folder, path.join(folder, 'absent')]);
    expect(models.map(({ info }) => [info.id, info.kind, info.state])).toEqual([
      ['sooner', 'embedder', 'ready'],
      ['later', 'embedder', 'ready'],
      ['judge', 'reranker', 'ready'],
    ]);
    expect(models[0]!.info.sizeBytes).toBeGreaterThan(100_000);
  });

  it('leaves out the second of two models with one identifier, naming both places, under a name of its own', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    for (const folder of [path.join(first, 'x'), path.join(first, 'y'), path.join(second, 'x')])
      makeTinyEncoder(folder);
    const models = await listModels([first, second]);
    expect(models.map(({ info }) => [info.id, info.state])).toEqual([
      ['tiny-embedder', 'ready'],
      ['tiny-embedder (2)', 'invalid'],
      ['tiny-embedder (3)', 'invalid'],
    ]);
    expect(models[1]!.info.message).toBe(
      `Model is left out: ${path.join(first, 'y')}: its identifier "tiny-embedder" is that of the model in ${path.join(first, 'x')}, ` +
        'which is used: remove one of the two, or give this one another "id" in its manifest.json.',
    );
  });

  it('recognises a bare GGUF file', async ({ skip }) => {
    const stories = storiesModel();
    if (stories === undefined) return skip(noStories);
    const folder = temporaryFolder();
    copyFileSync(stories, path.join(folder, 'Stories 260K.gguf'));
    const { info, manifest } = await only(folder);
    expect(info).toMatchObject({
      id: 'stories-260k',
      kind: 'generator',
      state: 'ready',
      name: 'Stories 260K',
    });
    expect(manifest).toMatchObject({ model: 'Stories 260K.gguf', contextTokens: 2048 });
  });

  it('recognises a GGUF model in parts as one', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'big'));
    for (const part of [1, 2]) gguf(path.join(folder, 'big', `big-0000${part}-of-00002.gguf`), 'llama');
    const { info, manifest } = await only(folder);
    expect(info).toMatchObject({ id: 'big', state: 'ready' });
    expect(manifest!.files).toHaveLength(2);
  });

  it('recognises an encoder in the layout of sentence-transformers', async () => {
    const folder = temporaryFolder();
    const model = path.join(folder, 'My-Encoder');
    makeTinyEncoder(model);
    rmSync(path.join(model, 'manifest.json'));
    mkdirSync(path.join(model, '1_Pooling'));
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(model, name), JSON.stringify(value));
    write('1_Pooling/config.json', { word_embedding_dimension: 64, pooling_mode_cls_token: true });
    write('sentence_bert_config.json', { max_seq_length: 100 });
    write('config_sentence_transformers.json', { prompts: { query: 'query: ', document: 'passage: ' } });
    const { info, manifest } = await only(folder);
    expect(info).toMatchObject({ id: 'my-encoder', kind: 'embedder', state: 'ready' });
    expect(manifest).toMatchObject({
      pooling: 'cls',
      dimensions: 64,
      maxTokens: 100,
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    });
  });

  it.each([
    {
      fault: 'a manifest that is no JSON',
      make: (folder: string) => writeFileSync(path.join(folder, 'manifest.json'), '{'),
      says: 'no JSON',
    },
    {
      fault: 'a folder of something else',
      make: (folder: string) => writeFileSync(path.join(folder, 'a.txt'), 'x'),
      says: 'no manifest.json',
    },
    {
      fault: 'an encoder in GGUF form',
      make: (folder: string) => gguf(path.join(folder, 'm.gguf'), 'bert'),
      says: '"bert" is not known',
    },
    {
      fault: 'a file that shrank',
      make: (folder: string) => {
        makeTinyEncoder(folder);
        writeFileSync(path.join(folder, 'model.onnx'), 'x');
      },
      says: '"model.onnx" has 1 bytes instead of',
    },
    {
      fault: 'a missing file',
      make: (folder: string) => {
        makeTinyEncoder(folder);
        rmSync(path.join(folder, 'tokenizer.json'));
      },
      says: '"tokenizer.json" is missing',
    },
    {
      fault: 'a missing part',
      make: (folder: string) => gguf(path.join(folder, 'm-00001-of-00002.gguf'), 'llama'),
      says: 'm-00002-of-00002.gguf',
    },
    {
      fault: 'a link that leads out',
      make: (folder: string) => {
        makeTinyEncoder(folder);
        rmSync(path.join(folder, 'tokenizer.json'));
        symlinkSync('/etc/hostname', path.join(folder, 'tokenizer.json'));
      },
      says: 'leads outside its folder',
    },
  ])('lists $fault as invalid, and the others all the same', async ({ make, says }) => {
    const folder = temporaryFolder();
    makeTinyEncoder(path.join(folder, 'good'), { id: 'good' });
    mkdirSync(path.join(folder, 'odd'));
    make(path.join(folder, 'odd'));
    const models = await listModels([folder]);
    expect(models.map(({ info }) => info.state)).toEqual(['ready', 'invalid']);
    expect(models[1]!.info.message).toContain(says);
    expect(models[1]!.info.message).not.toContain('\n');
  });
});

describe('checkModel', () => {
  it('accepts what the manifest promises and names a file of the same size that was altered', async () => {
    const folder = temporaryFolder();
    const place = path.join(folder, 'm');
    makeTinyEncoder(place);
    const { manifest } = await only(folder);
    await checkModel(place, manifest!);
    const file = path.join(place, 'model.onnx');
    const bytes = readFileSync(file);
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(file, bytes);
    await expect(checkModel(place, manifest!)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(
        `"model.onnx" was altered, its SHA-256 is ${createHash('sha256').update(bytes).digest('hex')}`,
      ),
    });
  });

  it.each([
    { location: '../../secret.bin', isAccepted: false },
    { location: '/etc/passwd', isAccepted: false },
    { location: 'unlisted.bin', isAccepted: false },
    { location: 'tokenizer.json', isAccepted: true },
  ])('accepts outside data at "$location": $isAccepted', async ({ location, isAccepted }) => {
    const folder = temporaryFolder();
    const place = path.join(folder, 'm');
    const promised = makeTinyEncoder(place);
    const extra = onnx.ModelProto.encode({
      graph: {
        initializer: [
          { name: 'w', dataType: 1, dims: [1], externalData: [{ key: 'location', value: location }] },
        ],
      },
    }).finish();
    appendFileSync(path.join(place, 'model.onnx'), extra);
    const files = ['model.onnx', 'tokenizer.json'].map((name) => listed(place, name));
    writeFileSync(path.join(place, 'manifest.json'), JSON.stringify({ ...promised, files }));
    const check = checkModel(place, (await only(folder)).manifest!);
    if (isAccepted) await check;
    else await expect(check).rejects.toThrow(`"model.onnx" reads from "${location}"`);
  });
});
