/** Does the API keep its promises over every transport? */
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import type { AnswerEvent } from '../../src/api/types.ts';
import {
  type Connection,
  connectByBrowser,
  connectByPort,
  connectDirectly,
  openTestLibrary,
  type TestLibrary,
} from './shells.ts';

const transports = {
  directly: connectDirectly,
  'over a message port': connectByPort,
  'over the browser shell': connectByBrowser,
};

describe.each(Object.entries(transports))('the API %s', (_name, connect) => {
  let library: TestLibrary;
  let connection: Connection;

  beforeAll(async () => {
    library = await openTestLibrary();
    connection = await connect(library.engine);
    const folder = await connection.client.folders.add({ path: library.folder });
    await connection.client.folders.index({ id: folder.id });
  });

  afterAll(async () => {
    await connection.close();
    await library.close();
  });

  it('lists folders with what became of their documents', async () => {
    const folders = await connection.client.folders.list();
    expect(folders).toHaveLength(1);
    expect(folders[0]).toMatchObject({ path: library.folder, name: 'папка', isUnreachable: false });
    expect(folders[0]?.counts).toEqual({ indexed: 3, waiting: 0, failed: 1 });
  });

  it('refuses a folder twice, and one that is not there, by code', async () => {
    const { client } = connection;
    await expect(client.folders.add({ path: library.folder })).rejects.toMatchObject({
      code: 'FOLDER_KNOWN',
    });
    await expect(client.folders.add({ path: '/nowhere/at/all' })).rejects.toMatchObject({
      code: 'FOLDER_NOT_FOUND',
      message: expect.stringContaining('/nowhere/at/all'),
    });
  });

  it('refuses input that breaks the contract', async () => {
    const tooLong = 'a'.repeat(10_001);
    await expect(connection.client.search({ question: tooLong })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('finds a passage with its place in the original', async () => {
    const result = await connection.client.search({ question: 'How much is the rent of the mill?' });
    expect(result.hits[0]).toMatchObject({ rank: 1, document: { path: 'lease.txt', kind: 'text' } });
    expect(result.hits[0]?.anchors[0]).toMatchObject({ kind: 'lines', from: 1 });
  });

  it.each([
    '',
    '   ',
    '"',
    'AND OR NOT NEAR(',
    '* ^ : - +',
    '(((',
    'a'.repeat(10_000),
    '🦉🦉',
    "'; DROP TABLE",
  ])('takes the question %j without an error', async (question) => {
    const result = await connection.client.search({ question });
    expect(Array.isArray(result.hits)).toBe(true);
  });

  it('streams passages, then text, then the whole answer, and remembers it', async () => {
    const events: AnswerEvent[] = [];
    for await (const event of await connection.client.ask({
      question: 'How much is the rent of the mill?',
    })) {
      events.push(event);
    }
    expect(events[0]?.type).toBe('passages');
    const done = events.at(-1);
    if (done?.type !== 'done') throw new Error('the answer did not end');
    expect(done.answer).toMatchObject({ mode: 'extractive' });
    expect(done.answer.answer).toContain('900');
    expect(done.answer.citations[0]).toMatchObject({ number: 1, document: { path: 'lease.txt' } });
    const remembered = await connection.client.conversations.get({ id: done.conversationId });
    expect(remembered.answer).toEqual(done.answer);
    const listed = await connection.client.conversations.list({});
    expect(listed[0]?.question).toBe('How much is the rent of the mill?');
  });

  it('can be left in the middle of an answer', async () => {
    const controller = new AbortController();
    const events = await connection.client.ask(
      { question: 'When does the lease end?' },
      { signal: controller.signal },
    );
    for await (const event of events) {
      expect(event.type).toBe('passages');
      break;
    }
    controller.abort();
    expect(await connection.client.status()).toMatchObject({ counts: { indexed: 3 } });
  });

  it('gives the ledger with reasons', async () => {
    const { total, rows } = await connection.client.documents.list({ state: 'failed' });
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ path: 'empty.txt', reason: 'empty' });
    expect(rows[0]?.message).toContain('empty.txt');
    expect(rows[0]?.ledgerState).toBe('unreadable');
  });

  it('counts the ledger by state, lists what was left out, and refuses a state that is none', async () => {
    const { documents } = connection.client;
    expect(await documents.counts({})).toMatchObject({ indexed: 3, unreadable: 1, excluded: 1 });
    expect(await documents.excluded({})).toMatchObject([{ path: '.draft.txt', reason: 'hidden' }]);
    const { hits, coverage, scope } = await connection.client.search({ question: 'rent in:lease' });
    expect(hits[0]?.document.path).toBe('lease.txt');
    expect(coverage).toEqual({ searched: 1, total: 1, failed: 0, waiting: 0, partly: 0 });
    expect((await documents.list({ scope })).total).toBe(1);
    await expect(documents.list({ state: 'bad' as 'failed' })).rejects.toThrow();
  });

  it('opens a sheet row by row', async () => {
    const { rows } = await connection.client.documents.list({ text: 'prices' });
    const id = rows[0]!.id;
    const view = await connection.client.documents.view({ id });
    expect(view.sheets[0]).toMatchObject({ name: 'prices', rows: 3, columns: 2 });
    const page = await connection.client.documents.rows({ id, sheet: 'prices', from: 2, count: 1 });
    expect(page.rows).toEqual([{ row: 2, cells: ['Lamp', '12.50'] }]);
  });

  it('finds a place again after its file changed, and lights nothing when it is gone', async () => {
    const { hits } = await connection.client.search({ question: 'плата за мельницу' });
    const hit = hits[0]!;
    const { id } = hit.document;
    const place = { id, start: hit.start, end: hit.end };
    expect(await connection.client.documents.locate(place)).toMatchObject({
      state: 'same',
      anchors: hit.anchors,
    });
    const file = path.join(library.folder, 'аренда.md');
    await writeFile(file, 'Новое начало.\n\n# Аренда\n\nПлата за мельницу составляет 900 крон в месяц.\n');
    const moved = await connection.client.documents.locate(place);
    expect(moved.state).toBe('moved');
    expect(moved.anchors[0]).toMatchObject({ kind: 'lines', from: expect.any(Number) });
    await writeFile(file, 'Совсем другое.\n');
    expect(await connection.client.documents.locate(place)).toMatchObject({ state: 'lost', anchors: [] });
  });

  it('reads one document again', async () => {
    const { rows } = await connection.client.documents.list({ text: 'lease.txt' });
    await appendFile(path.join(library.folder, 'lease.txt'), '\nA goose guards the gate.\n');
    const row = await connection.client.documents.retry({ id: rows[0]!.id });
    expect(row).toMatchObject({ path: 'lease.txt', state: 'indexed' });
    const found = await connection.client.search({ question: 'Who guards the gate?' });
    expect(found.hits[0]?.text).toContain('goose');
  });

  it('says what is not there', async () => {
    const { client } = connection;
    await expect(client.documents.view({ id: 99_999 })).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    await expect(client.folders.remove({ id: 99_999 })).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
  });

  it('tells the latest progress, never a backlog', async () => {
    const controller = new AbortController();
    const states = await connection.client.folders.progress(undefined, { signal: controller.signal });
    for await (const state of states) {
      expect(state.every((folder) => folder.phase === 'done')).toBe(true);
      break;
    }
    controller.abort();
  });

  it('tells which models can be had and what the machine has, without a connection', async () => {
    const { client } = connection;
    const catalogue = await client.models.catalogue();
    expect(catalogue.find(({ id }) => id === 'multilingual-e5-small')).toMatchObject({
      host: '127.0.0.1:9',
      revision: '614241f622f53c4eeff9890bdc4f31cfecc418b3',
      licence: 'MIT',
      isVerified: false,
    });
    for (const { kind, isRecommended, fit } of catalogue.filter((model) => model.isRecommended))
      expect([kind, isRecommended, fit]).toEqual([kind, true, 'fits']);
    const machine = await client.models.machine();
    expect(machine.devices.map(({ kind }) => kind)).toContain('CPU');
    expect(machine.freeMemoryBytes).toBeGreaterThan(0);
  });

  it('takes a model in, uses it, measures it, takes it along and removes it', async () => {
    const { client } = connection;
    const source = await mkdtemp(path.join(tmpdir(), 'lectern-model-'));
    makeTinyEncoder(source, { id: 'tiny' });
    expect(await client.models.importFrom({ path: source })).toMatchObject([{ id: 'tiny', state: 'ready' }]);
    await expect(client.models.importFrom({ path: source })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await client.models.choose({ id: 'tiny' });
    const [listed] = await client.models.list();
    expect(listed).toMatchObject({ id: 'tiny', isInUse: true, isBuiltIn: false, isVerified: true });
    expect(listed?.coverage?.total).toBeGreaterThan(0);
    expect((await client.models.speedTest({ id: 'tiny' })).passagesPerSecond).toBeGreaterThan(0);
    expect(await client.models.check()).toMatchObject([{ id: 'tiny', state: 'ready', device: 'CPU' }]);
    const archive = path.join(source, 'models.zip');
    expect((await client.models.exportTo({ ids: ['tiny'], path: archive })).sizeBytes).toBeGreaterThan(1000);
    await client.models.remove({ id: 'tiny' });
    expect(await client.models.list()).toEqual([]);
    await rm(source, { recursive: true });
  });

  it('tells how a download goes, and why it failed', async () => {
    const { client } = connection;
    await client.models.download({ id: 'multilingual-e5-small' });
    const controller = new AbortController();
    for await (const states of await client.models.downloads(undefined, { signal: controller.signal })) {
      const [state] = states;
      if (state?.phase !== 'failed') continue;
      expect(state).toMatchObject({
        id: 'multilingual-e5-small',
        host: '127.0.0.1:9',
        code: 'DOWNLOAD_FAILED',
      });
      expect(state.message).toMatch(/127\.0\.0\.1:9 refuses connections/);
      break;
    }
    controller.abort();
    await client.models.cancelDownload({ id: 'multilingual-e5-small' });
  });

  it.each(['choose', 'remove', 'speedTest', 'download'] as const)(
    'refuses to %s a model that nobody knows',
    async (call) => {
      await expect(connection.client.models[call]({ id: 'nobody' })).rejects.toMatchObject({
        code: 'MODEL_NOT_FOUND',
        message: expect.stringContaining('nobody'),
      });
    },
  );

  it('forgets a folder with everything read from it', async () => {
    const [folder] = await connection.client.folders.list();
    await connection.client.folders.remove({ id: folder!.id });
    expect(await connection.client.folders.list()).toEqual([]);
    expect((await connection.client.search({ question: 'rent of the mill' })).hits).toEqual([]);
  });
});
