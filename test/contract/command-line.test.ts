/** Does the command line keep to its words: exit status, one line of error, nothing but JSON on stdout? */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { durationInWords } from '../../src/cli/command-models.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { startHub } from '../models/model-hub.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

describe('the command line', { timeout: 60_000 }, () => {
  let home: string;
  let library: string;
  let folder: string;

  let hub: string | undefined;

  const lectern = (...words: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const environment = {
        ...process.env,
        LECTERN_HOME: path.join(home, 'data'),
        ...(hub ? { LECTERN_MODEL_HUB: hub } : {}),
      };
      execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });

  const json = async (...words: string[]) => {
    const { status, stdout, stderr } = await lectern(...words, '--library', library, '--json');
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'lectern-cli-'));
    library = path.join(home, 'library');
    folder = path.join(home, 'papers');
    await mkdir(path.join(folder, 'Leases'), { recursive: true });
    await writeFile(path.join(folder, 'Leases', 'mill.txt'), 'The rent of the mill is 900 crowns a month.\n');
    await writeFile(path.join(folder, 'empty.pdf'), '');
    await mkdir(path.join(folder, '.drafts'));
    await writeFile(
      path.join(home, 'questions.jsonl'),
      '{"id":"q1","question":"What is the rent of the mill?"}\n',
    );
    await writeFile(path.join(home, 'broken.jsonl'), '{"id":"q1","question":"rent"}\nnot json\n');
    await lectern('index', folder, '--library', library);
  });

  afterAll(() => rm(home, { recursive: true, force: true }));

  it('prints the values of each command, with every field', async () => {
    const rent = 'What is the rent of the mill?';
    const numbers = 'documents indexed unchanged failed removed chunks bytes elapsedMs';
    expect(Object.keys(await json('index', folder))).toEqual(numbers.split(' '));
    const { hits, elapsedMs } = await json('search', rent);
    expect(elapsedMs).toBeGreaterThan(0);
    expect(hits[0]).toMatchObject({ rank: 1, document: 'Leases/mill.txt', anchor: { kind: 'lines' } });
    for (const name of ['score', 'title', 'anchors', 'text', 'why']) expect(hits[0]).toHaveProperty(name);
    const answer = await json('ask', rent);
    expect(answer).toMatchObject({
      mode: 'extractive',
      sentences: [{ citations: [1], support: 'supported' }],
    });
    expect(answer.citations[0]).toMatchObject({
      number: 1,
      document: 'Leases/mill.txt',
      quote: expect.any(String),
    });
    expect(answer.coverage).toMatchObject({ searched: 1, failed: 1 });
    const ledger = await json('documents', '--state', 'failed');
    expect(ledger).toEqual([
      {
        ...{ document: 'empty.pdf', state: 'failed', reason: 'empty', message: expect.any(String) },
        ledgerState: 'unreadable',
      },
    ]);
    expect(await json('documents', '--state', 'unreadable')).toEqual(ledger);
    expect(await json('documents')).toHaveLength(2);
    const [left] = await json('documents', '--state', 'excluded');
    expect(left).toMatchObject({ document: '.drafts/', state: 'excluded', reason: 'hidden' });
    const measured = await json('eval', path.join(home, 'questions.jsonl'));
    expect(measured).toMatchObject({
      questions: 1,
      latencyMs: { p50: expect.any(Number), p95: expect.any(Number) },
    });
    const line = await json('ask', '--questions', path.join(home, 'questions.jsonl'));
    expect(line).toMatchObject({ id: 'q1', mode: 'extractive' });
  });

  it('tells people what was not read, why, and what to do', async () => {
    const ledger = await lectern('documents', '--library', library);
    expect(ledger.stdout.split('\n')).toEqual([
      'indexed      Leases/mill.txt',
      'unreadable   empty.pdf: There is nothing in it. If there should be words in it, get the right copy; if not, nothing is missing.',
      '',
    ]);
    expect(ledger.stderr).toContain('1 left out');
    for (const command of ['search', 'ask']) {
      const { stdout } = await lectern(command, 'rent of the mill', '--library', library);
      expect(stdout).toContain(
        'Searched 1 of 2 documents; 1 not searched: see "lectern documents --state incomplete".',
      );
    }
    const narrowed = await lectern('ask', 'rent of the mill', '--scope', 'Leases', '--library', library);
    expect(narrowed.stdout).toContain('Searched 1 of 1 document.');
  });

  it('writes the ledger as a table, to a file or to the standard output', async () => {
    const { stdout } = await lectern('documents', '--library', library, '--csv', '-');
    const lines = stdout.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFFolder,Path,Title,Kind,State,Reason,What to do,Message,Size in bytes,Changed,Pages',
    );
    expect(lines.slice(1, 4).map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
      'papers,Leases/mill.txt',
      'papers,empty.pdf',
      'papers,.drafts/',
    ]);
    const file = path.join(home, 'ledger.csv');
    await lectern('documents', '--library', library, '--csv', file);
    expect(await readFile(file, 'utf8')).toBe(stdout);
    const narrow = await lectern('documents', '--library', library, '--scope', 'Leases', '--csv', '-');
    expect(narrow.stdout.trim().split('\r\n')).toHaveLength(2);
  });

  const cases: [name: string, status: number, words: () => string[], message: RegExp][] = [
    ['no command', 2, () => [], /Usage/],
    ['a command that is none', 2, () => ['fetch'], /unknown command/],
    ['an action on models that is none', 2, () => ['models', 'fetch'], /use one of list, available, get/],
    ['an action on models without its words', 2, () => ['models', 'export', 'x'], /takes: ID FILE/],
    [
      'to reset what is no device',
      2,
      () => ['models', 'list', '--reset'],
      /'--reset' belongs to "models devices"/,
    ],
    ['a download that nobody agreed to', 2, () => ['models', 'get', 'bge-m3'], /add --yes to agree/],
    ['a model that can’t be had', 1, () => ['models', 'get', 'nobody', '--yes'], /nobody/],
    ['a model that is not installed', 1, () => ['models', 'speed', 'nobody'], /nobody/],
    ['a folder to extract', 1, () => ['extract', folder], /papers: it is a folder/],
    [
      'a model file that is not there',
      1,
      () => ['models', 'import', path.join(home, 'none.gguf')],
      /none\.gguf: it is not there/,
    ],
    ['no question', 2, () => ['ask', '--library', library], /question/],
    ['a question and a file of them', 2, () => ['ask', 'x', '--questions', 'y'], /exclude/],
    ['a limit that is no number', 2, () => ['search', 'x', '--limit', 'many'], /whole number/],
    [
      'a table beside JSON',
      2,
      () => ['documents', '--json', '--csv', '-', '--library', library],
      /exclude each other/,
    ],
    [
      'a table where nothing can be written',
      1,
      () => ['documents', '--csv', path.join(home, 'none', 'x.csv'), '--library', library],
      /x\.csv: the system refuses it \(ENOENT\)/,
    ],
    ['a state that is none', 2, () => ['documents', '--state', 'bad', '--library', library], /state/],
    [
      'a library that is not there',
      1,
      () => ['search', 'x', '--library', path.join(home, 'none')],
      /there is none/,
    ],
    [
      'a library that is a file',
      1,
      () => ['index', folder, '--library', path.join(folder, 'empty.pdf')],
      /EEXIST/,
    ],
    [
      'a folder that is not there',
      1,
      () => ['index', path.join(home, 'none'), '--library', library],
      /not there/,
    ],
    [
      'a scope without documents',
      1,
      () => ['ask', 'x', '--scope', 'Lease', '--library', library],
      /Lease: no document/,
    ],
    [
      'a question file that is not there',
      1,
      () => ['eval', path.join(home, 'none'), '--library', library],
      /ENOENT/,
    ],
    [
      'a line that is no JSON',
      1,
      () => ['eval', path.join(home, 'broken.jsonl'), '--library', library],
      /line 2/,
    ],
  ];
  for (const [name, status, given, message] of cases) {
    it(`refuses ${name} with status ${status}`, async () => {
      const outcome = await lectern(...given());
      expect(outcome.status).toBe(status);
      expect(outcome.stderr).toMatch(message);
      expect(outcome.stdout).toBe('');
      if (status === 1) expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
    });
  }

  it('makes no library by asking one that is not there', async () => {
    await lectern('ask', 'x', '--library', path.join(home, 'mistyped'));
    expect(await readdir(home)).not.toContain('mistyped');
  });

  it('brings a model from a host, takes it along, and brings it from the stick', {
    timeout: 240_000,
  }, async () => {
    const source = path.join(home, 'tiny');
    makeTinyEncoder(source, { width: 384, maxTokens: 512 });
    const read = (name: string) => readFile(path.join(source, name));
    const tokenizer = await read('tokenizer.json');
    const files = new Map([
      ['onnx/model.onnx', await read('model.onnx')],
      ['onnx/tokenizer.json', tokenizer],
    ]);
    hub = (await startHub(files)).origin;
    const host = new URL(hub).host;
    const got = await lectern('models', 'get', 'multilingual-e5-small', '--yes', '--json');
    expect(got.status, got.stderr).toBe(0);
    expect(JSON.parse(got.stdout)).toMatchObject({
      id: 'multilingual-e5-small',
      state: 'ready',
      isVerified: true,
      licence: 'MIT',
    });
    expect(got.stderr).toContain(
      `${host}/intfloat/multilingual-e5-small, revision 614241f, size not verified`,
    );
    expect(got.stderr).toContain('Its licence: https://huggingface.co/intfloat/multilingual-e5-small');
    expect(got.stderr).toMatch(/commit 614241f\w+, \d+ MB in 2 files/);
    const archive = path.join(home, 'stick.zip');
    expect(await lectern('models', 'export', 'multilingual-e5-small', archive)).toMatchObject({ status: 0 });
    expect((await lectern('models', 'remove', 'multilingual-e5-small')).stdout).toBe(
      'Removed: multilingual-e5-small\n',
    );
    const brought = await lectern('models', 'import', archive, '--json');
    expect(JSON.parse(brought.stdout)).toMatchObject([{ id: 'multilingual-e5-small', state: 'ready' }]);
    expect((await lectern('models', 'choose', 'multilingual-e5-small')).status).toBe(0);
    const measured = JSON.parse((await lectern('models', 'speed', 'multilingual-e5-small', '--json')).stdout);
    expect(measured).toMatchObject({ device: 'CPU', passagesPerSecond: expect.any(Number) });
    const listed = await lectern('models');
    expect(listed.stdout).toMatch(/ready +embedder +multilingual-e5-small {2}in use/);
    expect(listed.stdout).toMatch(/device +CPU/);
    expect((await lectern('models', 'available')).stdout).toMatch(/multilingual-e5-small .*\[installed/);
  });

  it('needs no library for models, and says what a library that is held does not tell', async () => {
    const place = path.join(home, 'held');
    const engine = await createEngine({ libraryPath: place, modelFolders: [], version: '0.0.0-test' });
    try {
      const within = ['--library', place];
      expect((await lectern('search', 'x', ...within)).stderr).toMatch(/another process|another Lectern/i);
      for (const words of [
        ['available'],
        ['devices'],
        ['devices', '--reset'],
        ['import', path.join(home, 'tiny')],
      ]) {
        const { status, stderr } = await lectern('models', ...words, ...within);
        expect([words, status, stderr.includes('holds')]).toEqual([words, 0, false]);
      }
      const listed = await lectern('models', 'list', ...within);
      expect(listed).toMatchObject({ status: 0, stdout: expect.stringContaining('tiny-embedder') });
      expect(listed.stderr).toMatch(/Another Lectern holds the library/);
      expect((await lectern('models', 'remove', 'tiny-embedder', ...within)).status).toBe(0);
      expect((await lectern('models', 'choose', 'starter', ...within)).status).toBe(1);
    } finally {
      await engine.close();
    }
    await lectern('models', 'list', '--library', path.join(home, 'nowhere'));
    expect(await readdir(home)).not.toContain('nowhere');
  });

  it.each([
    [400, '1 s'],
    [60_000, '60 s'],
    [91_000, '2 min'],
    [5_000_000, '83 min'],
    [7_200_000, '2 h'],
  ])('says %s ms as %s', (ms, words) => {
    expect(durationInWords(ms)).toBe(words);
  });

  it('says in one line why a host could not be asked', async () => {
    hub = 'http://127.0.0.1:9';
    const { status, stdout, stderr } = await lectern('models', 'get', 'bge-m3', '--yes');
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^lectern: Download failed: BGE-M3: 127\.0\.0\.1:9 refuses/,
    );
    expect(stderr).toContain('Nothing of it is kept.');
  });
});
