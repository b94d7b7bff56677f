/** Does the whole engine work with an embedder and a language model, and outlive them? */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import type { Answer, AnswerEvent } from '../../src/api/types.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { ModelHost } from '../../src/engine/model-host.ts';
import { temporaryFolder } from './tiny-models.ts';

const question = 'How much is the rent of the mill?';

describe('an engine with models', () => {
  let root: string;
  let engine: Engine;

  beforeAll(async () => {
    root = temporaryFolder(false);
    makeTinyEncoder(path.join(root, 'models', 'embedder'));
    makeTinyQwen(path.join(root, 'models', 'tiny-qwen.gguf'), { pieces: 2000 });
    const folder = path.join(root, 'documents');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'lease.txt'), 'The rent of the mill is 900 crowns a month.\n');
    writeFileSync(path.join(folder, 'goose.txt'), 'A goose guards the gate of the castle.\n');
    engine = await createEngine({
      libraryPath: path.join(root, 'library'),
      modelFolders: [path.join(root, 'models')],
      version: '0.0.0-test',
      modelThreads: 1,
    });
    await engine.folders.index((await engine.folders.add(folder)).id);
    await engine.embedAll();
  }, 120_000);

  afterAll(async () => {
    await engine?.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** Asks, and does something when the first words of the answer come. */
  async function ask(onText?: () => void): Promise<{ events: AnswerEvent[]; answer: Answer }> {
    const events: AnswerEvent[] = [];
    let isTold = false;
    for await (const event of engine.ask({ question })) {
      events.push(event);
      if (event.type === 'text' && !isTold) {
        isTold = true;
        onText?.();
      }
    }
    const done = events.at(-1);
    if (done?.type !== 'done') throw new Error('the answer did not end');
    return { events, answer: done.answer };
  }

  it('embeds everything that it indexed, and searches by words and meaning', async () => {
    const installed = await engine.models.embedder();
    const { done, total } = await engine.store.vectorCoverage(installed!.embedder.fingerprint);
    expect(done).toBe(total);
    const result = await engine.search({ question });
    expect(result.method).toBe('hybrid');
    expect(result.hits[0]?.why.lists.map((list) => list.name)).toHaveLength(2);
  });

  it('streams what the language model writes, after the passages', async () => {
    const { events, answer } = await ask();
    expect(events[0]?.type).toBe('passages');
    expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(1);
    expect(answer).toMatchObject({ mode: 'generated', model: 'Tiny random Qwen3' });
    // Random weights say nothing true, so nothing may pass as supported.
    expect(answer.sentences.every((sentence) => sentence.support !== 'supported')).toBe(true);
  }, 60_000);

  it('keeps what streamed when the process dies, says why, and answers the next question', async () => {
    const { writers } = (engine.models as ModelHost).remote.pids;
    const { answer } = await ask(() => process.kill(writers!, 'SIGKILL'));
    expect(answer.failure?.code).toBe('MODEL_FAILED');
    expect(answer.answer.length).toBeGreaterThan(0);
    const next = await ask();
    expect(next.answer.failure).toBeUndefined();
  }, 120_000);

  it('quotes the documents when it is asked to leave the model out', async () => {
    for await (const event of engine.ask({ question, withoutModel: true })) {
      if (event.type === 'done') expect(event.answer).toMatchObject({ mode: 'extractive' });
    }
  });
});
