import { describe, expect, it } from 'vitest';
import { PARSER_VERSION } from '../../src/engine/config.ts';
import { type Block, ParseFailure } from '../../src/engine/document.ts';
import type { ScannedFile } from '../../src/engine/files/scan-folder.ts';
import { chunkTerms, DocumentFacts } from '../../src/engine/index-facts.ts';
import { toParseFailure } from '../../src/engine/index-failures.ts';
import { Gate, type Lane } from '../../src/engine/index-gate.ts';
import { KnownFiles } from '../../src/engine/index-known.ts';
import { PendingFiles } from '../../src/engine/index-pending.ts';
import { createStemmer } from '../../src/engine/language/stem.ts';
import type { KnownFile, StoreApi } from '../../src/engine/store/types.ts';

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('PendingFiles', () => {
  const nowMs = Date.UTC(2024, 5, 1);
  const file = (name: string, sizeKib: number, ageDays: number): { file: ScannedFile } => ({
    file: {
      type: 'file',
      path: name,
      absolutePath: `/${name}`,
      sizeBytes: sizeKib * 1024,
      modifiedAtMs: nowMs - ageDays * 86_400_000,
    },
  });

  it('gives small and recent files first', async () => {
    const pending = new PendingFiles(100, nowMs);
    await pending.put(file('large old', 50_000, 900), never);
    await pending.put(file('small old', 4, 900), never);
    await pending.put(file('large new', 50_000, 1), never);
    await pending.put(file('small new', 4, 1), never);
    await pending.put(file('from the future', 4, -3), never);
    pending.close();
    const names: string[] = [];
    for (let next = await pending.take(never); next; next = await pending.take(never))
      names.push(next.file.path);
    expect(names).toEqual(['from the future', 'small new', 'small old', 'large new', 'large old']);
  });

  it('keeps who brings more than it holds waiting, and who finds nothing', async () => {
    const pending = new PendingFiles(1, nowMs);
    const order: string[] = [];
    const taking = pending.take(never).then((next) => order.push(`took ${next?.file.path}`));
    await pending.put(file('a', 1, 1), never);
    await taking;
    await pending.put(file('b', 1, 1), never);
    const waiting = pending.put(file('c', 1, 1), never).then(() => order.push('put c'));
    await turn();
    expect(order).toEqual(['took a']);
    await pending.take(never);
    await waiting;
    expect(order).toEqual(['took a', 'put c']);
  });

  it('lets nobody wait when the run is over', async () => {
    const controller = new AbortController();
    const pending = new PendingFiles(1, nowMs);
    await pending.put(file('a', 1, 1), controller.signal);
    const waiting = pending.put(file('b', 1, 1), controller.signal);
    controller.abort();
    pending.close();
    await expect(waiting).rejects.toThrow('aborted');
    const empty = new PendingFiles(1, nowMs);
    const taking = empty.take(never);
    empty.close();
    expect(await taking).toBeUndefined();
  });
});

describe('Gate', () => {
  it('lets in as many as there are places, and one alone only into an empty house', async () => {
    const gate = new Gate(2, 1);
    const inside: string[] = [];
    const leave = new Map<string, () => void>();
    const enter = (name: string, lane: Lane) =>
      gate.enter(lane).then((out) => {
        inside.push(name);
        leave.set(name, () => {
          inside.splice(inside.indexOf(name), 1);
          out();
        });
      });
    const steps: [() => void, string[]][] = [
      [() => void enter('a', 'index'), ['a']],
      [() => void enter('b', 'index'), ['a', 'b']],
      [() => void enter('c', 'index'), ['a', 'b']],
      [() => void enter('view', 'interactive'), ['a', 'b', 'view']],
      [() => void enter('alone', 'alone'), ['a', 'b', 'view']],
      [() => leave.get('a')!(), ['b', 'view']],
      [() => leave.get('view')!(), ['b']],
      [() => leave.get('b')!(), ['alone']],
      [() => void enter('view 2', 'interactive'), ['alone']],
      [() => leave.get('alone')!(), ['c', 'view 2']],
    ];
    for (const [step, expected] of steps) {
      step();
      await turn();
      expect([...inside].sort()).toEqual(expected);
    }
  });

  it('forgets who was cancelled while waiting', async () => {
    const gate = new Gate(1, 1);
    const out = await gate.enter('index');
    const controller = new AbortController();
    const alone = gate.enter('alone', controller.signal);
    const next = gate.enter('index');
    controller.abort();
    await expect(alone).rejects.toThrow('aborted');
    out();
    (await next)();
  });
});

describe('KnownFiles', () => {
  const known = (documentId: number, path: string, more: Partial<KnownFile> = {}): KnownFile => ({
    documentId,
    path,
    sizeBytes: 10,
    modifiedAtMs: 1000,
    state: 'indexed',
    contentHash: `hash ${documentId}`,
    parserVersion: PARSER_VERSION,
    ...more,
  });
  const load = async (files: KnownFile[], reasons: Record<number, string> = {}) => {
    const store = {
      knownFiles: async () => files,
      contentHash: async (id: number) => files.find((file) => file.documentId === id)?.contentHash,
      document: async (id: number) => ({ reason: reasons[id] }),
    };
    const loaded = new KnownFiles(store as unknown as StoreApi);
    await loaded.load(1, never);
    return loaded;
  };
  const same = { sizeBytes: 10, modifiedAtMs: 1000 };
  const newer = { sizeBytes: 10, modifiedAtMs: 2000 };
  const failed = { state: 'failed', contentHash: undefined } as unknown as Partial<KnownFile>;

  const cases: { promise: string; file: KnownFile; stamp: typeof same; reason?: string; expected: string }[] =
    [
      { promise: 'same stamp: nothing to do', file: known(1, 'a'), stamp: same, expected: 'unchanged' },
      { promise: 'other stamp: compare the content', file: known(1, 'a'), stamp: newer, expected: 'check' },
      {
        promise: 'older parser: read',
        file: known(1, 'a', { parserVersion: PARSER_VERSION - 1 }),
        stamp: same,
        expected: 'read',
      },
      {
        promise: 'waiting for recognition: nothing to do',
        file: known(1, 'a', { state: 'waiting' }),
        stamp: same,
        expected: 'unchanged',
      },
      {
        promise: 'failed by its content: stays failed',
        file: known(1, 'a', { state: 'failed' }),
        stamp: same,
        expected: 'failed',
      },
      {
        promise: 'failed without content, by its size: stays failed',
        file: known(1, 'a', failed),
        stamp: same,
        reason: 'too-large',
        expected: 'failed',
      },
      {
        promise: 'was not allowed: tried again',
        file: known(1, 'a', failed),
        stamp: same,
        reason: 'unreadable',
        expected: 'read',
      },
      {
        promise: 'failed without content, other stamp: read',
        file: known(1, 'a', failed),
        stamp: newer,
        reason: 'too-large',
        expected: 'read',
      },
    ];
  it.each(cases)('$promise', async ({ file, stamp, reason, expected }) => {
    const files = await load([file], reason ? { 1: reason } : {});
    expect(await files.compare({ path: 'a', ...stamp }, false)).toMatchObject({ type: expected });
    expect(files.gone([])).toEqual([]);
  });

  it('counts as gone what the scan did not meet, but not what it could not see', async () => {
    const files = await load(['a', 'b/c', 'b/d/e', 'bc', 'f'].map((path, index) => known(index + 1, path)));
    await files.compare({ path: 'a', ...same }, false);
    expect(files.gone([])).toEqual([2, 3, 4, 5]);
    expect(files.gone(['b'])).toEqual([4, 5]);
    expect(files.gone([''])).toEqual([]);
  });
});

describe('DocumentFacts', () => {
  const block = (kind: Block['kind'], text: string, level?: number): { type: 'block'; block: Block } => ({
    type: 'block',
    block: { kind, text: `${text}\n`, spans: [], ...(level ? { level } : {}) },
  });

  it('takes the title from the properties, else from the highest heading near the start, else from the name', () => {
    const facts = new DocumentFacts('2024 budget.final.xlsx');
    expect(facts.title()).toBe('2024 budget.final');
    facts.take(block('heading', 'Second  level', 2));
    expect(facts.title()).toBe('Second level');
    facts.take(block('heading', 'First level', 1));
    facts.take(block('heading', 'Another first level', 1));
    expect(facts.title()).toBe('First level');
    facts.take({ type: 'metadata', metadata: { title: ' ' } });
    expect(facts.title()).toBe('First level');
    facts.take({ type: 'metadata', metadata: { title: 'Own title' } });
    expect(facts.title()).toBe('Own title');
  });

  it.each([
    ['text', 'notes of May.txt', 'notes of May'],
    ['code', 'drift.py', 'drift.py'],
    ['markdown', 'page.md', '1. Inventory'],
  ] as const)('%s is titled by a guessed heading only where headings are marked', (kind, name, title) => {
    const facts = new DocumentFacts(name);
    facts.take({ type: 'metadata', metadata: { kind } });
    facts.take({ type: 'block', block: { kind: 'heading', text: '1. Inventory\n', level: 1, spans: [] } });
    expect(facts.title()).toBe(title);
  });

  it('stems a chunk by its own language, and a short one by that of its document', () => {
    const facts = new DocumentFacts('notes.txt');
    facts.take(
      block('paragraph', 'Мы получили письма от всех арендаторов и передали их в архив города. '.repeat(8)),
    );
    const chunk = { kind: 'prose', start: 0, end: 1, headings: ['Договоры'] } as const;
    const terms = (text: string) =>
      chunkTerms({ ...chunk, headings: ['Договоры'], text }, facts, createStemmer());
    expect(terms('Письма')).toMatchObject({ language: 'ru', words: 'письма', stems: 'письм' });
    expect(terms('Письма').headings).toBe('договоры договор');
    const english =
      'The tenants were asked to send their letters to the archive before the end of the year. ';
    expect(terms(english.repeat(3)).language).toBe('en');
  });
});

describe('toParseFailure', () => {
  const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' });
  const cases: [unknown, string][] = [
    [system('ENOENT'), 'gone'],
    [system('EACCES'), 'unreadable'],
    [system('EIO'), 'unreadable'],
    [new RangeError('Array buffer allocation failed'), 'out-of-memory'],
    [new RangeError('Invalid string length'), 'out-of-memory'],
    [new TypeError('undefined is not a function\n  at somewhere'), 'damaged'],
    ['a string', 'damaged'],
    [new ParseFailure('encrypted', 'Protected.'), 'encrypted'],
  ];
  it.each(cases)('%s gives %s', (error, reason) => {
    const failure = toParseFailure('a.pdf', error);
    expect(failure.reason).toBe(reason);
    expect(failure.message).not.toContain('\n');
  });
});
