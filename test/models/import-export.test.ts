/** Do models travel by a stick, and does nothing wrong come in or go out? */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import { writeGguf } from '../../build/gguf-writer.ts';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels, type ModelsOptions } from '../../src/engine/model-host.ts';
import { ModelManager } from '../../src/engine/model-manager.ts';
import { temporaryFolder } from './tiny-models.ts';

const catalogue = path.join(import.meta.dirname, '../../resources/models.json');

let qwenFolder: string;
let qwen: string;

beforeAll(() => {
  qwenFolder = temporaryFolder(false);
  qwen = path.join(qwenFolder, 'tiny-qwen.gguf');
  makeTinyQwen(qwen, { pieces: 500 });
});

afterAll(() => rmSync(qwenFolder, { recursive: true, force: true }));

interface Machine {
  /** The user's own folder of models. */
  folder: string;
  manager: ModelManager;
}

/** A machine with models of its own and one that came with the program. */
function machine(options: Partial<ModelsOptions> = {}): Machine {
  const [folder, shipped] = [path.join(temporaryFolder(), 'models'), temporaryFolder()];
  makeTinyEncoder(path.join(shipped, 'shipped'), { id: 'shipped', order: 900 });
  const host = createModels({
    folders: [folder, shipped],
    entry: sourceEntries.modelProcess,
    threads: 1,
    ...options,
  });
  const manager = new ModelManager({
    ...{ host, folder, cataloguePath: catalogue, version: '0.0.0-test' },
    store: { vectorCoverage: async () => ({ done: 0, total: 0 }) },
    onChanged: () => {},
  });
  onTestFinished(async () => {
    await manager.close();
    await host.close();
  });
  return { folder, manager };
}

/** Nothing hidden and nothing half stands in a folder. */
const expectClean = (folder: string, names: string[]): void =>
  expect(existsSync(folder) ? readdirSync(folder).sort() : []).toEqual(names);

async function zip(
  file: string,
  entries: Record<string, string | Buffer>,
  modes: Record<string, number> = {},
) {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    archive.addBuffer(Buffer.from(content), name, { compress: false, mode: modes[name] ?? 0o100644 });
  archive.end();
  const pieces: Buffer[] = [];
  for await (const piece of archive.outputStream) pieces.push(piece as Buffer);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

/** A model's folder as entries of an archive. */
function entriesOf(folder: string, name = 'tiny'): Record<string, Buffer> {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [`${name}/${file}`, readFileSync(path.join(folder, file))]),
  );
}

describe('an export', () => {
  it('carries several models to another machine, bytes and origins alike', async () => {
    const first = machine();
    makeTinyEncoder(path.join(first.folder, 'a'), { id: 'a' });
    copyFileSync(qwen, path.join(first.folder, 'writer.gguf'));
    const file = path.join(temporaryFolder(), 'models.zip');
    const { sizeBytes } = await first.manager.exportTo(['a', 'writer'], file);
    expect(sizeBytes).toBe(statSync(file).size);
    const second = machine();
    const infos = await second.manager.importFrom(file);
    expect(infos.map(({ id, state, isVerified }) => [id, state, isVerified])).toEqual([
      ['a', 'ready', true],
      // Nobody ever promised hashes of a bare file.
      ['writer', 'ready', false],
    ]);
    expect(readFileSync(path.join(second.folder, 'writer/writer.gguf'))).toEqual(
      readFileSync(path.join(first.folder, 'writer.gguf')),
    );
    expect((await second.manager.check()).every(({ state }) => state === 'ready')).toBe(true);
    expectClean(second.folder, ['a', 'writer']);
    const onward = path.join(temporaryFolder(), 'onward.zip');
    await second.manager.exportTo(['writer'], onward);
    expect(await machine().manager.importFrom(onward)).toMatchObject([{ id: 'writer', isVerified: false }]);
  });

  it('leaves no half file when it is cancelled, when a file is not as promised, or when the name is taken', async () => {
    const { folder, manager } = machine();
    makeTinyEncoder(path.join(folder, 'a'), { id: 'a' });
    const place = temporaryFolder();
    await expect(
      manager.exportTo(['a'], path.join(place, 'x.zip'), AbortSignal.abort()),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    const stop = new AbortController();
    const running = manager.exportTo(['a'], path.join(place, 'x.zip'), stop.signal);
    setImmediate(() => stop.abort());
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    const weights = readFileSync(path.join(folder, 'a/model.onnx'));
    weights[weights.length - 1]! ^= 1;
    writeFileSync(path.join(folder, 'a/model.onnx'), weights);
    await expect(manager.exportTo(['a'], path.join(place, 'x.zip'))).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining('"model.onnx" was altered'),
    });
    expectClean(place, []);
    writeFileSync(path.join(place, 'taken.zip'), 'mine');
    await expect(manager.exportTo(['shipped'], path.join(place, 'taken.zip'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(readFileSync(path.join(place, 'taken.zip'), 'utf8')).toBe('mine');
    await expect(manager.exportTo(['nobody'], path.join(place, 'y.zip'))).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
    });
  });
});

describe('an import', () => {
  it('takes a GGUF file, reads its header and keeps its hash from then on', async () => {
    const { folder, manager } = machine();
    const source = path.join(temporaryFolder(), 'Tiny Qwen.gguf');
    copyFileSync(qwen, source);
    expect(await manager.importFrom(source)).toMatchObject([
      { id: 'tiny-qwen', kind: 'generator', state: 'ready', isVerified: false, contextTokens: 4096 },
    ]);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'tiny-qwen/manifest.json'), 'utf8'));
    expect(manifest.hashes).toBe('own');
    expect(manifest.files).toEqual([
      {
        path: 'Tiny Qwen.gguf',
        sizeBytes: statSync(source).size,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    const copy = path.join(folder, 'tiny-qwen/Tiny Qwen.gguf');
    const bytes = readFileSync(copy);
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(copy, bytes);
    expect((await manager.check()).find(({ id }) => id === 'tiny-qwen')).toMatchObject({ state: 'invalid' });
  });

  it('tries an encoder before it stays: one whose manifest promises other dimensions leaves nothing behind', async () => {
    const { folder, manager } = machine();
    const source = path.join(temporaryFolder(), 'wrong');
    makeTinyEncoder(source, { id: 'wrong', width: 32, dimensions: 48 });
    await expect(manager.importFrom(source)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
    expect(existsSync(path.join(folder, 'wrong'))).toBe(false);
  });

  it('takes a folder of one model, and a folder of several', async () => {
    const { folder, manager } = machine();
    const source = temporaryFolder();
    makeTinyEncoder(path.join(source, 'one'), { id: 'one' });
    makeTinyEncoder(path.join(source, 'two'), { id: 'two', kind: 'reranker' });
    expect(await manager.importFrom(path.join(source, 'one'))).toMatchObject([{ id: 'one', state: 'ready' }]);
    const both = await manager.importFrom(source);
    expect(both.map(({ id, message }) => [id, message])).toEqual([
      ['one', 'It was installed before and left as it is.'],
      ['two', undefined],
    ]);
    expectClean(folder, ['one', 'two']);
  });

  it('says what is there already', async () => {
    const { manager } = machine();
    const source = path.join(temporaryFolder(), 'm');
    makeTinyEncoder(source, { id: 'shipped' });
    await expect(manager.importFrom(source)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('"shipped" is installed already'),
    });
  });

  it('refuses what is too large for the machine, with the numbers and what fits', async () => {
    const { folder, manager } = machine({ memoryBytes: 1.3e9 });
    const source = path.join(temporaryFolder(), 'Large.gguf');
    // A tensor of 2 GB that is not written: the file is sparse.
    const header = { 'general.architecture': { type: 'string', value: 'qwen3' } } as const;
    writeGguf(source, header, [{ name: 'w', dims: [16], data: new Float32Array(16) }]);
    truncateSync(source, 2e9);
    await expect(manager.importFrom(source)).rejects.toMatchObject({
      code: 'MODEL_TOO_LARGE',
      message: expect.stringMatching(
        /^Model does not fit this machine: Large: it needs [\d.]+ GB, models can have 1\.3 GB .*The largest that fits is Qwen2\.5 0\.5B Instruct with 1\.1 GB\.$/,
      ),
    });
    expectClean(folder, []);
  });

  it('stops when cancelled and leaves nothing', async () => {
    const { folder, manager } = machine();
    const source = path.join(temporaryFolder(), 'm');
    makeTinyEncoder(source, { id: 'm' });
    const stop = new AbortController();
    const running = manager.importFrom(source, stop.signal);
    stop.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expectClean(folder, []);
  });

  const bad: { fault: string; says: RegExp; make(folder: string): Promise<string> | string }[] = [
    {
      fault: 'a GGUF file that was cut short',
      says: /cut short, \d+ of \d+ bytes/,
      make: (folder) => {
        const file = path.join(folder, 'cut.gguf');
        copyFileSync(qwen, file);
        truncateSync(file, statSync(file).size - 100_000);
        return file;
      },
    },
    {
      fault: 'a GGUF file with a lying header',
      says: /claims \d+ entries/,
      make: (folder) => {
        const file = path.join(folder, 'lies.gguf');
        copyFileSync(qwen, file);
        const bytes = readFileSync(file);
        bytes.writeBigUInt64LE(2n ** 60n, 16);
        writeFileSync(file, bytes);
        return file;
      },
    },
    {
      fault: 'a GGUF file of an unknown architecture',
      says: /architecture "zebra" is not known/,
      make: (folder) => {
        const file = path.join(folder, 'zebra.gguf');
        writeGguf(file, { 'general.architecture': { type: 'string', value: 'zebra' } }, []);
        return file;
      },
    },
    {
      fault: 'a manifest with a path that climbs out',
      says: /files\.0\.path/,
      make: (folder) => {
        const manifest = makeTinyEncoder(folder);
        (manifest.files as { path: string }[])[0]!.path = '../../etc/passwd';
        writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
        return folder;
      },
    },
    {
      fault: 'a file that leads out of its folder',
      says: /leads outside its folder/,
      make: (folder) => {
        makeTinyEncoder(folder);
        rmSync(path.join(folder, 'tokenizer.json'));
        symlinkSync('/etc/hostname', path.join(folder, 'tokenizer.json'));
        return folder;
      },
    },
    {
      fault: 'a folder of something else',
      says: /no manifest\.json and no layout that is known/,
      make: (folder) => {
        writeFileSync(path.join(folder, 'photo.jpg'), 'x');
        return folder;
      },
    },
    {
      fault: 'a file of something else',
      says: /neither a folder of a model, nor a GGUF file, nor an archive/,
      make: (folder) => {
        writeFileSync(path.join(folder, 'text.gguf'), 'Dear Sir');
        return path.join(folder, 'text.gguf');
      },
    },
    { fault: 'nothing', says: /is not there/, make: (folder) => path.join(folder, 'none.gguf') },
    {
      fault: 'altered weights',
      says: /"model\.onnx" was altered/,
      make: (folder) => {
        makeTinyEncoder(folder);
        const bytes = readFileSync(path.join(folder, 'model.onnx'));
        bytes[bytes.length - 5]! ^= 1;
        writeFileSync(path.join(folder, 'model.onnx'), bytes);
        return folder;
      },
    },
    {
      fault: 'an archive that was cut short',
      says: /no whole zip archive/,
      make: async (folder) => {
        makeTinyEncoder(path.join(folder, 'm'));
        const file = await zip(path.join(folder, 'cut.zip'), entriesOf(path.join(folder, 'm')));
        truncateSync(file, statSync(file).size - 200);
        return file;
      },
    },
    {
      fault: 'an archive of something else',
      says: /it holds no model/,
      make: (folder) => zip(path.join(folder, 'a.zip'), { 'photo.jpg': 'x' }),
    },
    {
      fault: 'an archive with a link',
      says: /"tiny\/tokenizer\.json" is a link/,
      make: (folder) => {
        makeTinyEncoder(path.join(folder, 'm'));
        const entries = { ...entriesOf(path.join(folder, 'm')), 'tiny/tokenizer.json': '/etc/passwd' };
        return zip(path.join(folder, 'a.zip'), entries, { 'tiny/tokenizer.json': 0o120777 });
      },
    },
    {
      fault: 'an archive whose entries lead out',
      says: /its directory can’t be used \(invalid relative path: \.\.\/\.\.\/evil\)/,
      make: async (folder) => {
        makeTinyEncoder(path.join(folder, 'm'));
        const entries = { ...entriesOf(path.join(folder, 'm')), 'aa/bb/evil': 'x' };
        const file = await zip(path.join(folder, 'a.zip'), entries);
        writeFileSync(
          file,
          Buffer.from(readFileSync(file).toString('latin1').replaceAll('aa/bb/evil', '../../evil'), 'latin1'),
        );
        return file;
      },
    },
    {
      fault: 'an archive with other bytes than its manifest promises',
      says: /"tokenizer\.json" was altered/,
      make: async (folder) => {
        makeTinyEncoder(path.join(folder, 'm'));
        const entries = entriesOf(path.join(folder, 'm'));
        const tokenizer = Buffer.from(entries['tiny/tokenizer.json']!);
        tokenizer[10]! ^= 1;
        return zip(path.join(folder, 'a.zip'), { ...entries, 'tiny/tokenizer.json': tokenizer });
      },
    },
    {
      fault: 'an archive with a huge manifest',
      says: /manifest\.json has \d+ bytes/,
      make: (folder) => zip(path.join(folder, 'a.zip'), { 'x/manifest.json': ' '.repeat(300 * 1024) }),
    },
  ];

  it.each(bad)('refuses $fault in one line and leaves nothing', async ({ says, make }) => {
    const { folder, manager } = machine();
    const source = path.join(temporaryFolder(), 'source');
    mkdirSync(source);
    const error = await manager
      .importFrom(await make(source))
      .catch((thrown: Error & { code?: string }) => thrown);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(MODEL_INVALID|BAD_REQUEST)$/) });
    expect((error as Error).message).toMatch(says);
    expect((error as Error).message).not.toContain('\n');
    expectClean(folder, []);
  });
});

describe('a removal', () => {
  it('takes the files, never those that came with the program, nor ones that are not there', async () => {
    const { folder, manager } = machine();
    makeTinyEncoder(path.join(folder, 'a'), { id: 'a' });
    mkdirSync(folder, { recursive: true });
    copyFileSync(qwen, path.join(folder, 'bare.gguf'));
    appendFileSync(path.join(folder, 'other.txt'), 'mine');
    await manager.remove('a');
    await manager.remove('bare');
    expectClean(folder, ['other.txt']);
    await expect(manager.remove('shipped')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('came with the program'),
    });
    await expect(manager.remove('a')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });

  it('lets go of a model that is loaded', async () => {
    const { folder, manager } = machine();
    makeTinyEncoder(path.join(folder, 'a'), { id: 'a', order: 1 });
    expect(await manager.speedTest('a')).toMatchObject({ id: 'a', device: 'CPU' });
    await manager.remove('a');
    expect((await manager.list()).map(({ id }) => id)).toEqual(['shipped']);
    copyFileSync(catalogue, path.join(folder, 'unrelated.json'));
    expectClean(folder, ['unrelated.json']);
  });
});
