import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScanEvent, type ScanOptions, scanFolder } from '../../../src/engine/files/scan-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lectern-scan-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Files by relative path; a value that begins with "→" makes a link to the rest. */
async function lay(tree: Record<string, string>, under = root): Promise<void> {
  for (const [relative, content] of Object.entries(tree)) {
    const full = path.join(under, relative);
    await mkdir(path.dirname(full), { recursive: true });
    if (content.startsWith('→')) await symlink(content.slice(1), full);
    else await writeFile(full, content);
  }
}

async function collect(at: string, options?: ScanOptions): Promise<ScanEvent[]> {
  const events: ScanEvent[] = [];
  for await (const batch of scanFolder(at, options)) events.push(...batch);
  return events;
}

async function scan(limits?: { maxDepth?: number; maxFiles?: number }): Promise<ScanEvent[]> {
  return collect(root, limits ? { limits } : {});
}

async function paths(): Promise<string[]> {
  return (await scan()).flatMap((event) => (event.type === 'excluded' ? [] : [event.path])).sort();
}

describe('scanFolder: what it finds', () => {
  const cases: { promise: string; tree: Record<string, string>; finds: string[] }[] = [
    {
      promise: 'walks into folders',
      tree: { 'a.txt': 'a', 'b/c.txt': 'c', 'b/d/e.txt': 'e' },
      finds: ['a.txt', 'b/c.txt', 'b/d/e.txt'],
    },
    {
      promise: 'takes names in any script and with emoji',
      tree: { 'Договор № 5.txt': 'a', '📎 папка/отчёт 🚀.md': 'b', "it's [a] #1 %41.txt": 'c' },
      finds: ["it's [a] #1 %41.txt", 'Договор № 5.txt', '📎 папка/отчёт 🚀.md'],
    },
    {
      promise: 'leaves out hidden and system entries',
      tree: {
        '.hidden.txt': 'a',
        '.git/config': 'b',
        'node_modules/x/readme.md': 'c',
        '__pycache__/a.py': 'd',
        '$RECYCLE.BIN/x.txt': 'e',
        'System Volume Information/x.txt': 'f',
        '.Trash-1000/x.txt': 'g',
        '__MACOSX/x.txt': 'h',
        'kept.txt': 'i',
      },
      finds: ['kept.txt'],
    },
    {
      promise: 'leaves out lock files and what systems leave beside documents',
      tree: {
        '~$report.docx': 'a',
        '.~lock.report.odt#': 'b',
        'Thumbs.db': 'c',
        'desktop.ini': 'd',
        '~WRL0003.tmp': 'e',
        'film.mp4.part': 'f',
        'report.docx': 'g',
        '~notes.txt': 'h',
      },
      finds: ['report.docx', '~notes.txt'],
    },
    {
      promise: 'obeys ignore files, the innermost rule first',
      tree: {
        '.gitignore': '*.log\nbuild/\n/top.txt\n',
        'a.log': 'a',
        'top.txt': 'b',
        'build/c.txt': 'c',
        'sub/top.txt': 'd',
        'sub/.gitignore': '!keep.log\n',
        'sub/keep.log': 'e',
        'sub/drop.log': 'f',
        'sub/deep/keep.log': 'g',
      },
      finds: ['sub/deep/keep.log', 'sub/keep.log', 'sub/top.txt'],
    },
    {
      promise: 'lets .lecternignore overrule .gitignore beside it',
      tree: {
        '.gitignore': '*.pdf\n',
        '.lecternignore': '!*.pdf\nsecret*\n',
        'a.pdf': 'a',
        'secret.txt': 'b',
      },
      finds: ['a.pdf'],
    },
    {
      promise: 'reads nothing twice through a link',
      tree: { 'a/b.txt': 'b', 'link.txt': '→a/b.txt', again: '→a', loop: '→.' },
      finds: ['a/b.txt'],
    },
    {
      promise: 'follows a link inside the folder to what the walk leaves out, once',
      tree: {
        '.store/1/doc.txt': 'a',
        '.store/1/loop': '→..',
        'doc.txt': '→.store/1/doc.txt',
        'same.txt': '→.store/1/doc.txt',
        shown: '→.store',
      },
      finds: ['doc.txt', 'shown/1/doc.txt'],
    },
    { promise: 'leaves a link to nowhere alone', tree: { 'a.txt': 'a', b: '→missing' }, finds: ['a.txt'] },
  ];
  it.each(cases)('$promise', async ({ tree, finds }) => {
    await lay(tree);
    expect(await paths()).toEqual(finds.sort());
  });

  it('never follows a link out of the folder', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'lectern-outside-'));
    try {
      await lay({ 'secret.txt': 'a', '.hidden/b.txt': 'b' }, outside);
      await lay({ 'a.txt': 'a', out: `→${outside}`, 'file.txt': `→${outside}/secret.txt` });
      expect(await paths()).toEqual(['a.txt']);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('names what it leaves out and why, a folder as one', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'lectern-outside-'));
    await lay({
      '.gitignore': 'drafts/\n*.bak\n',
      'drafts/a.txt': 'a',
      'drafts/b.txt': 'b',
      'kept/c.txt': 'c',
      'kept/c.bak': 'd',
      'kept/~$c.docx': 'e',
      'node_modules/x/readme.md': 'f',
      '.git/config': 'g',
      out: `→${outside}`,
      nowhere: '→missing',
      again: '→kept',
    });
    const found = (await scan()).flatMap((event) =>
      event.type === 'excluded' ? [`${event.path} ${event.reason}`] : [],
    );
    expect(found.sort()).toEqual([
      '.git/ hidden',
      '.gitignore hidden',
      'drafts/ ignored',
      'kept/c.bak ignored',
      'kept/~$c.docx system',
      'node_modules/ system',
      'nowhere link',
      'out link',
    ]);
    expect(await paths()).toEqual(['kept/c.txt']);
    await rm(outside, { recursive: true, force: true });
  });

  it('gives size and whole milliseconds', async () => {
    await lay({ 'a.txt': 'four' });
    const [file] = await scan();
    expect(file).toMatchObject({ type: 'file', sizeBytes: 4, absolutePath: path.join(root, 'a.txt') });
    expect(file?.type === 'file' && Number.isInteger(file.modifiedAtMs)).toBe(true);
  });
});

describe('scanFolder: what it can not read', () => {
  it('reports names that are no UTF-8, also of folders, and goes on', async () => {
    const bad = (...bytes: (string | number)[]) =>
      Buffer.concat(
        bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
      );
    await writeFile(bad(`${root}/caf`, 0xe9, '.txt'), 'a');
    await mkdir(bad(`${root}/d`, 0xff));
    await writeFile(bad(`${root}/d`, 0xff, '/inner.txt'), 'b');
    await lay({ 'good.txt': 'c' });
    const events = await scan();
    expect(events.filter((event) => event.type === 'file').map((event) => event.path)).toEqual(['good.txt']);
    expect(
      events.flatMap((event) => (event.type === 'problem' ? [[event.path, event.reason]] : [])).sort(),
    ).toEqual([
      ['caf\\xE9.txt', 'bad-name'],
      ['d\\xFF/inner.txt', 'bad-name'],
    ]);
  });

  it('reports what lies too deep, and that it was not seen', async () => {
    await lay({ 'a/b/c/d.txt': 'd', 'a/b/e.txt': 'e' });
    expect(await scan({ maxDepth: 2 })).toMatchObject([
      { type: 'file', path: 'a/b/e.txt' },
      { type: 'problem', path: 'a/b/c/', reason: 'too-large', unseen: 'a/b/c' },
    ]);
  });

  it('ends at the greatest number of files and says that the rest was not seen', async () => {
    await lay({ 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd' });
    expect(await scan({ maxFiles: 2 })).toMatchObject([
      { type: 'file', path: 'a.txt' },
      { type: 'file', path: 'b.txt' },
      { type: 'problem', path: './', unseen: '' },
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('reports a folder that may not be listed', async () => {
    await lay({ 'closed/a.txt': 'a', 'b.txt': 'b' });
    await chmod(path.join(root, 'closed'), 0);
    expect(await scan()).toMatchObject([
      { type: 'file', path: 'b.txt' },
      { type: 'problem', path: 'closed/', reason: 'unreadable', unseen: 'closed' },
    ]);
    await chmod(path.join(root, 'closed'), 0o700);
  });

  it('refuses a folder that is not there, or is a file', async () => {
    await lay({ 'a.txt': 'a' });
    for (const at of [path.join(root, 'missing'), path.join(root, 'a.txt')]) {
      await expect(collect(at)).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
    }
  });

  it('ends when it is cancelled', async () => {
    await lay({ 'a/b.txt': 'b', 'c/d.txt': 'd' });
    const controller = new AbortController();
    const seen: string[] = [];
    await expect(async () => {
      for await (const batch of scanFolder(root, { signal: controller.signal })) {
        seen.push(...batch.map((event) => event.path));
        controller.abort();
      }
    }).rejects.toThrow('aborted');
    expect(seen).toEqual(['a/b.txt']);
  });
});
