/** Does the command line keep to its words: exit status, one line of error, nothing but JSON on stdout? */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

  const lectern = (...words: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const environment = { ...process.env, LECTERN_HOME: path.join(home, 'data') };
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
      { document: 'empty.pdf', state: 'failed', reason: 'empty', message: expect.any(String) },
    ]);
    const measured = await json('eval', path.join(home, 'questions.jsonl'));
    expect(measured).toMatchObject({
      questions: 1,
      latencyMs: { p50: expect.any(Number), p95: expect.any(Number) },
    });
    const line = await json('ask', '--questions', path.join(home, 'questions.jsonl'));
    expect(line).toMatchObject({ id: 'q1', mode: 'extractive' });
  });

  const cases: [name: string, status: number, words: () => string[], message: RegExp][] = [
    ['no command', 2, () => [], /Usage/],
    ['a command that is none', 2, () => ['fetch'], /unknown command/],
    ['no question', 2, () => ['ask', '--library', library], /question/],
    ['a question and a file of them', 2, () => ['ask', 'x', '--questions', 'y'], /exclude/],
    ['a limit that is no number', 2, () => ['search', 'x', '--limit', 'many'], /whole number/],
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
});
