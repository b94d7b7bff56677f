/** Does the desktop bundle hold together where Electron itself can't run? */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRow, Hit, IndexSummary } from '../../src/api/types.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Inside the tree, so that the bundle finds its packages as an installed one does. */
const out = path.join(root, 'out', 'test-desktop');
const sample = path.join(root, 'resources', 'sample-library');

describe('the desktop bundle', () => {
  const work = mkdtempSync(path.join(os.tmpdir(), 'lectern-desktop-'));
  const folder = path.join(work, 'documents');

  beforeAll(async () => {
    rmSync(out, { recursive: true, force: true });
    const args = [
      path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'),
      'build',
      '--outDir',
      out,
    ];
    await run(process.execPath, args, { cwd: root });
    mkdirSync(folder);
    for (const name of ['Supply agreement 2025-014.pdf', 'Annex C framework orders.docx']) {
      cpSync(path.join(sample, 'Contracts', name), path.join(folder, name));
    }
    cpSync(path.join(sample, 'Finance', 'Budget 2026.xlsx'), path.join(folder, 'Budget 2026.xlsx'));
  }, 240_000);

  afterAll(() => {
    rmSync(work, { recursive: true, force: true });
    rmSync(out, { recursive: true, force: true });
  });

  it('runs the engine process with its threads, over the messages that Electron sends', async () => {
    const start = {
      type: 'start',
      libraryPath: path.join(work, 'library'),
      modelFolders: [path.join(root, 'models')],
      samplePath: sample,
      version: '0.0.0-test',
    };
    const bundle = path.join(out, 'main', 'engine-process.js');
    const driver = fileURLToPath(new URL('drive-engine.mjs', import.meta.url));
    const question = 'How large is the safety stock in Sheffield?';
    const { stdout } = await run(process.execPath, [driver, bundle, JSON.stringify(start), folder, question]);
    const told = JSON.parse(stdout) as {
      summary: IndexSummary;
      hits: Hit[];
      rows: DocumentRow[];
      replies: { opened?: { path: string } }[];
    };
    expect(told.summary).toMatchObject({ documents: 3, indexed: 3, failed: 0 });
    expect(told.rows.map((row) => row.kind).sort()).toEqual(['docx', 'pdf', 'xlsx']);
    expect(told.hits[0]?.text).toContain('600 coated windows');
    // The built-in embedder ran in its own thread, while indexing and for the question.
    const lists = told.hits.flatMap((hit) => hit.why.lists.map(({ name }) => name));
    expect(lists).toContain('meaning');
    expect(told.replies[0]?.opened?.path).toContain(folder);
  }, 120_000);

  it('has a preload that a sandboxed window can load: CommonJS, requiring electron alone', () => {
    const text = readFileSync(path.join(out, 'preload', 'preload.cjs'), 'utf8');
    const required = [...text.matchAll(/require\(["']([^"']+)["']\)/g)].map((match) => match[1]);
    expect(new Set(required)).toEqual(new Set(['electron']));
    expect(text).not.toMatch(/^\s*(import|export)\s/m);
  });

  it('keeps native packages outside, to be loaded from the installed ones', () => {
    for (const name of ['writer-thread.js', 'starter-thread.js']) {
      expect(readFileSync(path.join(out, 'main', name), 'utf8')).not.toContain('.node"');
    }
  });
});
