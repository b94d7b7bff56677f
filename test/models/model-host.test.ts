import { fork } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import type { ChatMessage, Generator } from '../../src/engine/document.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels, type ModelHost } from '../../src/engine/model-host.ts';
import { temporaryFolder } from './tiny-models.ts';

const question: ChatMessage[] = [{ role: 'user', content: 'What does the contract say?' }];
const entry = sourceEntries.modelProcess;

let folder: string;
let models: ModelHost;
let generator: Generator;

beforeAll(async () => {
  folder = temporaryFolder(false);
  makeTinyEncoder(path.join(folder, 'embedder'), { weights: { keyword: 0.8, vector: 0.2 }, maxTokens: 256 });
  makeTinyEncoder(path.join(folder, 'reranker'), { kind: 'reranker' });
  makeTinyQwen(path.join(folder, 'tiny-qwen.gguf'), { pieces: 2000 });
  models = createModels({ folders: [folder], entry, threads: 1 });
  generator = (await models.generator())!;
});

afterAll(async () => {
  await models?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** A library of models of its own, closed after the work. */
async function withModels<T>(place: string, work: (models: ModelHost) => Promise<T>): Promise<T> {
  const own = createModels({ folders: [place], entry, threads: 1 });
  return work(own).finally(() => own.close());
}

describe('an embedder in the model process', () => {
  it('gives the vectors that it gives here, with the weights of its manifest', async () => {
    const installed = (await models.embedder())!;
    expect(installed).toMatchObject({ keywordWeight: 0.8, vectorWeight: 0.2 });
    const texts = ['payment term', 'срок оплаты', '', 'a much longer text about the weather in Warsaw'];
    const direct = await OnnxEmbedder.load({
      name: 'direct',
      modelPath: path.join(folder, 'embedder/model.onnx'),
      tokenizerPath: path.join(folder, 'embedder/tokenizer.json'),
      maxTokens: 256,
      threads: 1,
      fingerprint: '',
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      dimensions: 64,
      normalise: true,
    });
    expect(await installed.embedder.embed(texts, 'passage')).toEqual(await direct.embed(texts, 'passage'));
  });

  it('embeds more texts than one message takes', async () => {
    const { embedder } = (await models.embedder())!;
    const texts = Array.from({ length: 600 }, (_, index) => `passage ${index}`);
    const vectors = await embedder.embed(texts, 'passage');
    expect(vectors).toHaveLength(600);
    expect(vectors[599]).toEqual((await embedder.embed(['passage 599'], 'passage'))[0]);
  });

  it('answers a question while passages are embedded', async () => {
    const { embedder } = (await models.embedder())!;
    const order: string[] = [];
    const many = Array.from({ length: 512 }, (_, index) => `${'word '.repeat(180)}${index}`);
    await Promise.all([
      embedder.embed(many, 'passage').then(() => order.push('passages')),
      embedder.embed(['question'], 'query').then(() => order.push('question')),
    ]);
    expect(order).toEqual(['question', 'passages']);
  });

  it('rejects what waits when the process dies, and works again', async () => {
    const { embedder } = (await models.embedder())!;
    const waiting = embedder.embed(
      Array.from({ length: 256 }, () => 'word '.repeat(200)),
      'passage',
    );
    setTimeout(() => process.kill(models.remote.pids.encoders!, 'SIGKILL'), 20);
    await expect(waiting).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('SIGKILL'),
    });
    expect(await embedder.embed(['again'], 'query')).toHaveLength(1);
  });

  it('stops when cancelled', async () => {
    const { embedder } = (await models.embedder())!;
    const work = embedder.embed(
      Array.from({ length: 1000 }, () => 'word '.repeat(200)),
      'passage',
      AbortSignal.timeout(30),
    );
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a reranker in the model process', () => {
  it('prefers the passage that shares the question’s words', async () => {
    const reranker = (await models.reranker())!;
    const [far, near] = await reranker.score('payment term', [
      'weather in Warsaw',
      'the payment term is 45 days',
    ]);
    expect(near).toBeGreaterThan(far!);
  });
});

describe('a language model in the model process', () => {
  it('streams in several pieces and counts tokens', async () => {
    let pieces = 0;
    for await (const piece of generator.generate(question, { maxTokens: 300, temperature: 0 })) {
      pieces += 1;
      expect(piece).not.toBe('');
    }
    expect(pieces).toBeGreaterThan(1);
    expect(generator.contextTokens).toBe(4096);
    expect(await generator.countTokens('Hello, world!')).toBeGreaterThan(3);
  });

  it('carries on two generations one after the other', async () => {
    const options = { maxTokens: 40, temperature: 0 };
    const [first, second] = await Promise.all([
      read(generator.generate(question, options)),
      read(generator.generate(question, options)),
    ]);
    expect(second).toBe(first);
  });

  it('keeps what came when the process is killed, says which model, and writes again', async () => {
    let text = '';
    const reading = async () => {
      for await (const piece of generator.generate(question, { maxTokens: 3000, temperature: 0 })) {
        if (text === '') process.kill(models.remote.pids.writers!, 'SIGKILL');
        text += piece;
      }
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringMatching(/^Model stopped: Tiny random Qwen3: it was ended by SIGKILL: [^\n]+$/),
    });
    expect(text).not.toBe('');
    expect(
      (await read(generator.generate(question, { maxTokens: 20, temperature: 0 }))).length,
    ).toBeGreaterThan(0);
  });

  it('leaves the encoders alone when it dies', async () => {
    const { embedder } = (await models.embedder())!;
    await embedder.embed(['x'], 'query');
    const before = models.remote.pids.encoders;
    process.kill(models.remote.pids.writers!, 'SIGKILL');
    await embedder.embed(['y'], 'query');
    expect(models.remote.pids.encoders).toBe(before);
    await expect.poll(() => models.remote.pids.writers, { timeout: 10_000 }).toBeUndefined();
  });

  it('stops writing when cancelled, and when nobody reads on', async () => {
    const cancel = new AbortController();
    const reading = async () => {
      for await (const _ of generator.generate(question, {
        maxTokens: 3000,
        temperature: 0,
        signal: cancel.signal,
      }))
        cancel.abort();
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    for await (const _ of generator.generate(question, { maxTokens: 3000, temperature: 0 })) break;
    // Were one of them still writing, this would wait for thousands of tokens.
    expect(
      (await read(generator.generate(question, { maxTokens: 4, temperature: 0 }))).length,
    ).toBeGreaterThan(0);
  });

  it('tells the memory that its processes hold', async () => {
    const use = await models.remote.use();
    expect(use.writers!.residentBytes).toBeGreaterThan(50e6);
  });
});

describe('broken models', () => {
  it('are refused with one line each while the good one is used', async () => {
    const place = temporaryFolder();
    makeTinyEncoder(path.join(place, 'broken'), { id: 'broken', order: 1 });
    writeFileSync(
      path.join(place, 'broken/model.onnx'),
      readFileSync(path.join(place, 'broken/tokenizer.json')).subarray(0, 500),
    );
    const manifest = JSON.parse(readFileSync(path.join(place, 'broken/manifest.json'), 'utf8'));
    manifest.files[0].sizeBytes = 500;
    writeFileSync(path.join(place, 'broken/manifest.json'), JSON.stringify(manifest));
    makeTinyEncoder(path.join(place, 'good'), { id: 'good', order: 2 });
    await withModels(place, async (own) => {
      expect((await own.list()).map((model) => model.state)).toEqual(['ready', 'ready']);
      const { embedder } = (await own.embedder())!;
      expect(embedder.fingerprint).toMatch(/^good:/);
      const [broken, good] = await own.list();
      expect(broken).toMatchObject({
        id: 'broken',
        state: 'invalid',
        message: expect.stringContaining('was altered'),
      });
      expect(good).toMatchObject({ id: 'good', state: 'ready', device: 'CPU' });
    });
  });

  it('whose weights are cut off are seen before they are loaded', async () => {
    const place = temporaryFolder();
    const whole = readFileSync(path.join(folder, 'tiny-qwen.gguf'));
    writeFileSync(path.join(place, 'cut.gguf'), whole.subarray(0, whole.length - 100_000));
    await withModels(place, async (own) => {
      expect(await own.list()).toMatchObject([
        { id: 'cut.gguf', state: 'invalid', message: expect.stringContaining('cut short') },
      ]);
      expect(await own.generator()).toBeUndefined();
    });
  });

  it('that llama.cpp refuses are MODEL_INVALID, and the engine lives on', async () => {
    const place = temporaryFolder();
    const bytes = readFileSync(path.join(folder, 'tiny-qwen.gguf'));
    bytes.write('q', bytes.lastIndexOf('output_norm.weight'));
    writeFileSync(path.join(place, 'odd.gguf'), bytes);
    await withModels(place, async (own) => {
      const odd = (await own.generator())!;
      await expect(read(odd.generate(question, { maxTokens: 5, temperature: 0 }))).rejects.toMatchObject({
        code: 'MODEL_INVALID',
        message: expect.stringMatching(/^Model[^\n]+Tiny random Qwen3[^\n]+$/),
      });
      expect(await own.list()).toMatchObject([{ id: 'odd', state: 'invalid' }]);
      expect(await own.generator()).toBeUndefined();
    });
  });

  it('of other names and none at all leave nothing', async () => {
    const place = temporaryFolder();
    mkdirSync(path.join(place, 'empty'));
    await withModels(place, async (own) => {
      expect(await own.list()).toEqual([]);
      expect(await own.embedder()).toBeUndefined();
      expect(await own.reranker()).toBeUndefined();
      expect(await own.generator()).toBeUndefined();
    });
  });

  it('are noticed when they are dropped in later', async () => {
    const place = temporaryFolder();
    await withModels(place, async (own) => {
      expect(await own.embedder()).toBeUndefined();
      makeTinyEncoder(path.join(place, 'new'), { id: 'new' });
      expect((await own.list()).map((model) => model.id)).toEqual(['new']);
      expect((await own.check())[0]).toMatchObject({ state: 'ready' });
      expect((await own.embedder())!.embedder.fingerprint).toMatch(/^new:/);
    });
  });
});

describe('the model process', () => {
  it('makes a model invalid that ends it while loading', async () => {
    const place = temporaryFolder();
    const entryThatDies = path.join(place, 'dies.mjs');
    writeFileSync(entryThatDies, "process.once('message', () => process.abort());");
    makeTinyEncoder(path.join(place, 'm'), { id: 'm' });
    const own = createModels({ folders: [place], entry: entryThatDies, threads: 1 });
    expect(await own.embedder()).toBeUndefined();
    expect((await own.list())[0]!.message).toMatch(
      /^Model stopped: Tiny embedder \(while loading\): it was ended by SIGABRT[^\n]*$/,
    );
    await own.close();
  });

  it('ends when its engine is gone', async () => {
    const parent = path.join(temporaryFolder(), 'parent.mjs');
    writeFileSync(
      parent,
      `import { fork } from 'node:child_process';
       const child = fork(${JSON.stringify(entry)}, [], { serialization: 'advanced' });
       child.once('spawn', () => setTimeout(() => { process.send(child.pid); }, 500));`,
    );
    const engine = fork(parent, [], { stdio: 'ignore' });
    const pid = await new Promise<number>((resolve) =>
      engine.once('message', (message) => resolve(Number(message))),
    );
    expect(isAlive(pid)).toBe(true);
    engine.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  // A process that ended but was not collected yet counts as ended.
  const status = path.join('/proc', String(pid), 'stat');
  try {
    return !/\) Z /.test(readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
}

describe('copies of one model', () => {
  it('are loaded once', async () => {
    const place = temporaryFolder();
    copyFileSync(path.join(folder, 'tiny-qwen.gguf'), path.join(place, 'one.gguf'));
    await withModels(place, async (own) => {
      const [a, b] = await Promise.all([own.generator(), own.generator()]);
      expect(a).toBe(b);
    });
  });
});
