/** Does a call to the engine always end, also when the engine does not live to answer it? */
import type { ClientContext, ClientLink } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../../src/renderer/src/engine/connection.ts';
import type { Session } from '../../../src/renderer/src/engine/session.ts';

class FakeSession implements Session {
  readonly openedBy = Promise.withResolvers<void>();
  readonly closedBy = Promise.withResolvers<void>();
  answer: (path: readonly string[], signal?: AbortSignal) => Promise<unknown> = async () => 'answer';
  opened = this.openedBy.promise;
  closed = this.closedBy.promise;
  link(): ClientLink<ClientContext> {
    return { call: (path, _input, options) => this.answer(path, options.signal) };
  }
  close(): void {
    this.closedBy.resolve();
  }
}

function connect(): { connection: Connection; sessions: FakeSession[] } {
  const sessions: FakeSession[] = [];
  const connection = new Connection(() => {
    const session = new FakeSession();
    sessions.push(session);
    return session;
  });
  return { connection, sessions };
}

const never = (): Promise<never> => new Promise(() => {});
const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error('no'), { code });
};

describe('a connection', () => {
  it('waits for its opening, then answers', async () => {
    const { connection, sessions } = connect();
    const answer = connection.client.status();
    sessions[0]?.openedBy.resolve();
    expect(await answer).toBe('answer');
    expect(connection.getState()).toMatchObject({ phase: 'open', generation: 1 });
    connection.close();
  });

  it('rejects a call that was waiting when the engine ended, and every call until it is back', async () => {
    const { connection, sessions } = connect();
    sessions[0]!.answer = never;
    sessions[0]!.openedBy.resolve();
    const answer = connection.client.status();
    await Promise.resolve();
    sessions[0]!.closedBy.resolve();
    await expect(answer).rejects.toMatchObject({ code: 'ENGINE_GONE' });
    await expect(connection.client.folders.list()).rejects.toMatchObject({ code: 'ENGINE_GONE' });
    connection.reconnect();
    sessions[1]!.openedBy.resolve();
    await expect.poll(() => connection.getState().phase).toBe('open');
    expect(await connection.client.status()).toBe('answer');
    expect(connection.getState()).toMatchObject({ phase: 'open', generation: 2, failures: 0 });
    connection.close();
  });

  it('ends a stream with the same code, after what came', async () => {
    const { connection, sessions } = connect();
    sessions[0]!.answer = async () =>
      (async function* () {
        yield { type: 'text', text: 'Sixty' };
        await never();
      })();
    sessions[0]!.openedBy.resolve();
    const seen: unknown[] = [];
    const read = (async () => {
      for await (const event of await connection.client.ask({ question: 'q' })) {
        seen.push(event);
        sessions[0]!.closedBy.resolve();
      }
    })();
    await expect(read).rejects.toMatchObject({ code: 'ENGINE_GONE' });
    expect(seen).toHaveLength(1);
    connection.close();
  });

  it('takes an abort for a cancelling, whatever error it throws', async () => {
    const { connection, sessions } = connect();
    sessions[0]!.openedBy.resolve();
    const controller = new AbortController();
    sessions[0]!.answer = async () => {
      controller.abort();
      throw new Error('closed');
    };
    await expect(connection.client.status(undefined, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    connection.close();
  });

  it.each([
    ['LIBRARY_BUSY', 'LIBRARY_BUSY'],
    ['TEAPOT', 'INTERNAL'],
  ])('gives a failure with code %s the code %s', async (thrown, code) => {
    const { connection, sessions } = connect();
    sessions[0]!.openedBy.resolve();
    sessions[0]!.answer = failing(thrown);
    await expect(connection.client.status()).rejects.toMatchObject({ code });
    connection.close();
  });
});
