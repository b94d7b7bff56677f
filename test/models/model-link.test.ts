import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LinkLimits, ModelLink } from '../../src/engine/model-link.ts';
import type { Reply } from '../../src/engine/model-protocol.ts';
import { temporaryFolder } from './tiny-models.ts';

const limits = {
  restartDelayMs: 10,
  maxRestarts: 2,
  restartWindowMs: 60_000,
  heartbeatMs: 1000,
  maxSilenceMs: 30_000,
  maxWaitingCalls: 3,
  idleUnloadMs: 60_000,
};

/** A link to a process that runs this script. */
function linkTo(script: string, changed: Partial<LinkLimits> = {}, onDeath = () => {}): ModelLink {
  const entry = path.join(temporaryFolder(), 'entry.mjs');
  writeFileSync(entry, script);
  const link = new ModelLink({ entry, limits: { ...limits, ...changed }, onDeath });
  onTestFinished(() => link.close());
  return link;
}

const count = (link: ModelLink, signal?: AbortSignal): Promise<number> =>
  link.call({
    name: 'M',
    make: (rpc) => rpc.countTokens('m', 'text') as Promise<Reply<number>>,
    ...(signal ? { signal } : {}),
  });

/** Answers every call after a delay with the number of its process. */
const answering = (delayMs: number) => `
  process.on('message', ({ i }) =>
    setTimeout(() => process.send({ t: 's', i, r: { ok: true, value: process.pid } }), ${delayMs}));
`;

describe('ModelLink', () => {
  it('starts the process at the first call and keeps it', async () => {
    const link = linkTo(answering(0));
    expect(link.pid).toBeUndefined();
    const pid = await count(link);
    expect(link.pid).toBe(pid);
    expect(await Promise.all([count(link), count(link)])).toEqual([pid, pid]);
  });

  it('stays down after too many deaths in a short time, and says so', async () => {
    const link = linkTo('console.error("out of luck"); process.exit(3);');
    for (let death = 1; death <= 3; death += 1) {
      await expect(count(link)).rejects.toMatchObject({
        code: 'MODEL_FAILED',
        message: expect.stringMatching(
          /^Model stopped: M: it ended with status 3; its last words: out of luck: /,
        ),
      });
    }
    await expect(count(link)).rejects.toThrow(
      'Model can’t run: M: its process ended 3 times within 1 minutes',
    );
    expect(link.pid).toBeUndefined();
  });

  it('ends a process that nobody asks, which counts as no death, and starts another when asked', async () => {
    let ends = 0;
    const link = linkTo(answering(50), { idleUnloadMs: 100, maxRestarts: 0 }, () => {
      ends += 1;
    });
    const first = await count(link);
    expect(link.pid).toBe(first);
    await expect.poll(() => link.pid, { timeout: 5000 }).toBeUndefined();
    expect(ends).toBe(1);
    expect(await count(link)).not.toBe(first);
  });

  it('keeps a process that is asked, and rests when told', async () => {
    const link = linkTo(answering(200), { idleUnloadMs: 100 });
    const waiting = count(link);
    await expect.poll(() => link.pid, { timeout: 5000 }).toBeGreaterThan(0);
    expect(await link.rest()).toBe(false);
    expect(await waiting).toBe(link.pid);
    expect(await link.rest()).toBe(true);
    expect(link.pid).toBeUndefined();
    expect(await count(link)).toBeGreaterThan(0);
  });

  it('ends a process that does not answer', async () => {
    const link = linkTo("process.once('message', () => { while (true) {} });", {
      heartbeatMs: 50,
      maxSilenceMs: 400,
    });
    await expect(count(link)).rejects.toThrow('it did not answer for 0.4 seconds');
  });

  it('rejects a call at once when it is cancelled, before and after it was made', async () => {
    const link = linkTo(answering(60_000));
    await expect(count(link, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    const cancel = new AbortController();
    const waiting = count(link, cancel.signal);
    setTimeout(() => cancel.abort(new Error('after')), 50);
    await expect(waiting).rejects.toThrow('after');
  });

  it('takes no more calls than its limit', async () => {
    const link = linkTo(answering(300));
    const calls = await Promise.allSettled([count(link), count(link), count(link), count(link)]);
    expect(calls.map((call) => call.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(await count(link)).toBeGreaterThan(0);
  });

  it('rejects what waits when it is closed, and what comes later', async () => {
    const link = linkTo(answering(60_000));
    const waiting = expect(count(link)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    await expect.poll(() => link.pid, { timeout: 10_000 }).toBeGreaterThan(0);
    link.close();
    await waiting;
    await expect(count(link)).rejects.toThrow('Lectern is closing');
  });

  it('says so when the process can’t be started at all', async () => {
    const link = new ModelLink({ entry: path.join(temporaryFolder(), 'absent.mjs'), limits });
    await expect(count(link)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
  });
});
