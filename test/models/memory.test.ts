/** Is memory known before a model takes it, and does a resting model make room for the next? */
import { mkdirSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { getLlama } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeGguf } from '../../build/gguf-writer.ts';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels, type ModelHost } from '../../src/engine/model-host.ts';
import { ModelManager } from '../../src/engine/model-manager.ts';
import { readGgufHeader } from '../../src/engine/models/gguf-header.ts';
import { tensorBytes } from '../../src/engine/models/gguf-types.ts';
import { temporaryFolder } from './tiny-models.ts';

const entry = sourceEntries.modelProcess;
const catalogue = path.join(import.meta.dirname, '../../resources/models.json');

let folder: string;

beforeAll(() => {
  folder = temporaryFolder(false);
  mkdirSync(folder, { recursive: true });
  makeTinyQwen(path.join(folder, 'writer.gguf'), {
    width: 256,
    layers: 4,
    heads: 8,
    pieces: 2000,
    contextTokens: 32_768,
  });
  makeTinyEncoder(path.join(folder, 'encoder'), { id: 'encoder', width: 384, layers: 6 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(memoryBytes?: number, place = folder): ModelHost {
  const host = createModels({
    folders: [place],
    entry,
    threads: 1,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  });
  onTestFinished(() => host.close());
  return host;
}

const manage = (host: ModelHost): ModelManager =>
  new ModelManager({
    host,
    folder,
    cataloguePath: catalogue,
    version: '0.0.0-test',
    store: { vectorCoverage: async () => ({ done: 0, total: 0 }) },
    onChanged: () => {},
  });

describe('an estimate', () => {
  it('is seldom exceeded by what a model then takes, and at most twice that', async () => {
    const host = open();
    const infos = new Map((await host.list()).map((info) => [info.id, info]));
    const { generator } = (await host.open('writer')) as {
      generator: { countTokens(text: string): Promise<number> };
    };
    await generator.countTokens('x');
    const { embedder } = (await host.embedder())!;
    await embedder.embed(
      Array.from({ length: 64 }, (_, index) => `${'word '.repeat(120)}${index}`),
      'passage',
    );
    const use = await host.remote.use();
    const ratios = {
      writer: use.writers!.residentBytes / infos.get('writer')!.memoryBytes!,
      encoder: use.encoders!.residentBytes / infos.get('encoder')!.memoryBytes!,
    };
    for (const [what, ratio] of Object.entries(ratios)) {
      expect(ratio, `${what}: ${ratio.toFixed(2)} of the estimate`).toBeGreaterThan(0.5);
      expect(ratio, `${what}: ${ratio.toFixed(2)} of the estimate`).toBeLessThan(1.15);
    }
  });

  it('counts a tensor’s bytes as ggml does, for every type that is known', async () => {
    const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false });
    const bindings = (
      llama as unknown as {
        _bindings: {
          getTypeSizeForGgmlType(type: number): number | undefined;
          getBlockSizeForGgmlType(type: number): number | undefined;
        };
      }
    )._bindings;
    let known = 0;
    for (let type = 0; type <= 42; type += 1) {
      if (tensorBytes(type, 256) === 0) continue;
      known += 1;
      const block = bindings.getBlockSizeForGgmlType(type)!;
      expect(tensorBytes(type, 256 * 8), `type ${type}`).toBe(
        ((256 * 8) / block) * bindings.getTypeSizeForGgmlType(type)!,
      );
    }
    expect(known).toBeGreaterThan(25);
    await llama.dispose();
  });
});

describe('a context', () => {
  it('is sized from the memory there is', async () => {
    const at = async (memoryBytes: number) =>
      (await open(memoryBytes).list()).find(({ id }) => id === 'writer')!.contextTokens;
    expect(await at(2e9)).toBe(8192);
    const file = await readGgufHeader(path.join(folder, 'writer.gguf'));
    const perToken = file.keyValueHeads! * file.keyLength! * 2 * 2;
    const base = (await open(2e9).list()).find(({ id }) => id === 'writer')!.memoryBytes! - 8192 * perToken;
    expect(await at(base + 4096 * perToken)).toBe(4096);
    expect(await at(base + 4096 * perToken - 1)).toBe(2048);
    expect(await at(base + 1024 * perToken)).toBe(1024);
  });

  it('that can’t be is refused with the numbers and the nearest that fits', async () => {
    const host = open(1.2e9);
    const large = path.join(temporaryFolder(), 'large');
    mkdirSync(large);
    const header = { 'general.architecture': { type: 'string', value: 'qwen3' } } as const;
    writeGguf(path.join(large, 'large.gguf'), header, [
      { name: 'w', dims: [16], data: new Float32Array(16) },
    ]);
    truncateSync(path.join(large, 'large.gguf'), 3e9);
    const withLarge = open(1.2e9, large);
    const refused = {
      code: 'MODEL_TOO_LARGE',
      message: expect.stringMatching(
        /^Model does not fit into memory: large: it needs [\d.]+ GB and [\d.]+ GB for 1024 tokens, 1\.2 GB are free: .* The largest that fits is Qwen2\.5 0\.5B Instruct with 1\.1 GB\.$/,
      ),
    };
    await expect(manage(withLarge).choose('large')).rejects.toMatchObject(refused);
    await expect(manage(withLarge).speedTest('large')).rejects.toMatchObject(refused);
    expect(await withLarge.generator()).toBeUndefined();
    expect((await withLarge.list())[0]).toMatchObject({
      state: 'ready',
      message: expect.stringContaining('does not fit'),
    });
    await expect(manage(host).download('qwen2.5-14b-instruct')).rejects.toMatchObject({
      code: 'MODEL_TOO_LARGE',
      message: expect.stringMatching(/Qwen2\.5 14B Instruct: it needs 10\.5 GB, models can have 1\.2 GB/),
    });
  });
});

describe('two models without room for both', () => {
  it('take turns: the one that rests is unloaded first and comes again', async () => {
    const host = open();
    const infos = new Map((await host.list()).map((info) => [info.id, info.memoryBytes!]));
    const tight = open(Math.max(infos.get('writer')!, infos.get('encoder')!) + 1e6);
    const { embedder } = (await tight.embedder())!;
    expect(tight.remote.isLoaded('encoder')).toBe(true);
    const generator = (await tight.generator())!;
    await generator.countTokens('x');
    expect([tight.remote.isLoaded('encoder'), tight.remote.isLoaded('writer')]).toEqual([false, true]);
    expect(await embedder.embed(['again'], 'query')).toHaveLength(1);
    expect([tight.remote.isLoaded('encoder'), tight.remote.isLoaded('writer')]).toEqual([true, false]);
    expect(await generator.countTokens('again')).toBeGreaterThan(0);
  });

  it('stand side by side where there is room', async () => {
    const host = open(8e9);
    await host.embedder();
    await (await host.generator())!.countTokens('x');
    expect([host.remote.isLoaded('encoder'), host.remote.isLoaded('writer')]).toEqual([true, true]);
  });
});

describe('a choice', () => {
  it('decides which model of its kind is used', async () => {
    const place = temporaryFolder();
    makeTinyEncoder(path.join(place, 'first'), { id: 'first', order: 1 });
    makeTinyEncoder(path.join(place, 'second'), { id: 'second', order: 2 });
    const host = open(8e9, place);
    expect((await host.embedder())!.id).toBe('first');
    await manage(host).choose('second');
    expect((await host.embedder())!.id).toBe('second');
    expect((await host.list()).map(({ id, isInUse }) => [id, isInUse])).toEqual([
      ['first', false],
      ['second', true],
    ]);
    await expect(manage(host).choose('third')).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  });
});

describe('a speed test', () => {
  it('measures each kind', async () => {
    const place = temporaryFolder();
    makeTinyEncoder(path.join(place, 'embedder'), { id: 'embedder' });
    makeTinyEncoder(path.join(place, 'reranker'), { id: 'reranker', kind: 'reranker' });
    makeTinyQwen(path.join(place, 'writer.gguf'), { pieces: 2000 });
    const manager = manage(open(8e9, place));
    expect((await manager.speedTest('embedder')).passagesPerSecond).toBeGreaterThan(1);
    expect((await manager.speedTest('reranker')).passagesPerSecond).toBeGreaterThan(1);
    const writer = await manager.speedTest('writer');
    expect(writer.wordsPerSecond).toBeGreaterThan(0.1);
    expect(writer.firstWordMs).toBeGreaterThan(0);
    expect(writer.loadMs).toBeGreaterThan(0);
    expect((await manager.speedTest('writer')).loadMs).toBe(0);
    expect((await manager.list()).every(({ device }) => device === 'CPU')).toBe(true);
  });
});

describe('the machine', () => {
  it('is described at once, with what runs where', async () => {
    const host = open(8e9);
    const manager = manage(host);
    const before = await manager.machine();
    expect(before.cores).toBeGreaterThan(0);
    expect(before.devices.at(-1)).toMatchObject({ kind: 'CPU', state: 'available' });
    for (const device of before.devices.filter(({ state }) => state === 'absent'))
      expect(device.reason).toMatch(/\w/);
    await host.embedder();
    const { devices } = await manager.machine();
    expect(devices.filter(({ state }) => state === 'in-use').length).toBeGreaterThan(0);
  });
});
