/** Does the browser shell keep strangers out, and serve documents as mere data? */
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startBrowserShell } from '../../src/server/server.ts';
import { connectByBrowser, openTestLibrary, type TestLibrary } from './shells.ts';

describe('the browser shell', () => {
  let library: TestLibrary;
  let browser: Awaited<ReturnType<typeof connectByBrowser>>;
  let documentId = 0;

  beforeAll(async () => {
    library = await openTestLibrary();
    browser = await connectByBrowser(library.engine);
    const folder = await browser.client.folders.add({ path: library.folder });
    await browser.client.folders.index({ id: folder.id });
    documentId = (await browser.client.documents.list({ text: 'lease' })).rows[0]!.id;
  });

  afterAll(async () => {
    await browser.close();
    await library.close();
  });

  const get = (
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> =>
    new Promise((resolve, reject) => {
      request(
        { host: '127.0.0.1', port: browser.shell.port, path, method, headers, agent: false },
        (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => {
            body += chunk.toString();
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        },
      )
        .on('error', reject)
        .end();
    });

  const signedIn = () => ({ cookie: browser.cookie });

  it('takes a launch code once', async () => {
    const url = new URL(browser.shell.launchUrl());
    const first = await get(url.pathname + url.search);
    expect(first.status).toBe(200);
    expect(String(first.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await get(url.pathname + url.search)).status).toBe(401);
    expect((await get('/?launch=guess')).status).toBe(401);
  });

  it('shows nothing without the cookie', async () => {
    for (const path of ['/', '/frame.html', `/documents/${documentId}/original`]) {
      expect((await get(path)).status, path).toBe(401);
    }
  });

  it('outlives addresses that are none', async () => {
    for (const path of [
      '//',
      '/%',
      '/\\\\x',
      '/documents/1/../../etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/%00',
    ]) {
      expect((await get(path, signedIn())).status, path).toBeGreaterThanOrEqual(400);
    }
    await new Promise<void>((resolve) => {
      const socket = connect(browser.shell.port, '127.0.0.1', () =>
        socket.write('GET // HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
      socket.once('close', () => resolve()).resume();
    });
    expect((await browser.client.status()).counts.indexed).toBeGreaterThan(0);
  });

  it('closes a connection that sends more than a question, and goes on', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${browser.shell.port}/rpc`, {
      headers: { ...signedIn(), origin: `http://127.0.0.1:${browser.shell.port}` },
    });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.send('x'.repeat(2 * 1024 * 1024));
    expect(await closed).toBe(1009);
    expect((await browser.client.status()).counts.indexed).toBeGreaterThan(0);
  });

  it('answers fifty searches at once, and drops those whose reader went away', async () => {
    const asked = Array.from({ length: 50 }, () => browser.client.search({ question: 'rent of the mill' }));
    for (const { hits } of await Promise.all(asked)) expect(hits[0]?.text).toContain('rent');
    const left = await connectByBrowser(library.engine);
    const answer = await left.client.ask({ question: 'What is the rent of the mill?' });
    await answer.next();
    await left.close();
    expect((await browser.client.search({ question: 'rent' })).hits.length).toBeGreaterThan(0);
  });

  it('says which port is taken', async () => {
    const { port } = browser.shell;
    await expect(startBrowserShell({ engine: library.engine, pagePath: '.', port })).rejects.toThrow(
      `port ${port}`,
    );
  });

  it('refuses other hosts, as a rebound name would send', async () => {
    expect((await get('/', { ...signedIn(), host: 'evil.example' })).status).toBe(403);
    expect((await get('/', { ...signedIn(), host: `evil.example:${browser.shell.port}` })).status).toBe(403);
  });

  it.each([
    ['a foreign origin', { origin: 'http://evil.example' }, true],
    ['no origin', {}, true],
    ['no cookie', { origin: 'own' }, false],
  ])('refuses a socket with %s', async (_name, given, hasCookie) => {
    const own = `http://127.0.0.1:${browser.shell.port}`;
    const headers = { ...given, ...('origin' in given && given.origin === 'own' ? { origin: own } : {}) };
    const socket = new WebSocket(`ws://127.0.0.1:${browser.shell.port}/rpc`, {
      headers: { ...headers, ...(hasCookie ? signedIn() : {}) },
    });
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('403');
  });

  it('serves the page under its policy and the frame under a stricter one', async () => {
    const page = await get('/', signedIn());
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'");
    const frame = await get('/frame.html', signedIn());
    expect(frame.headers['content-security-policy']).toContain("default-src 'none'");
    expect(frame.headers['content-security-policy']).not.toContain('script-src');
  });

  it('serves a document as sandboxed data, in ranges', async () => {
    const path = `/documents/${documentId}/original`;
    const whole = await get(path, signedIn());
    expect(whole.status).toBe(200);
    expect(whole.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'accept-ranges': 'bytes',
    });
    const part = await get(path, { ...signedIn(), range: 'bytes=4-7' });
    expect(part).toMatchObject({ status: 206, body: 'rent' });
    expect(part.headers['content-range']).toBe(`bytes 4-7/${whole.body.length}`);
    expect((await get(path, { ...signedIn(), range: 'bytes=99999-' })).status).toBe(416);
    expect(await get(path, signedIn(), 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await get(path, signedIn(), 'POST')).status).toBe(405);
  });

  it('serves only indexed documents', async () => {
    expect((await get('/documents/99999/original', signedIn())).status).toBe(404);
    for (const path of [
      '/documents/1/secret',
      '/../package.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/documents/..%2f/x',
    ]) {
      expect((await get(path, signedIn())).status, path).toBe(404);
    }
  });
});
