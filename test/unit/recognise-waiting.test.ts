/** Do words of pictures come later, by themselves, without ever being in the way? */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { drawLines, type Grey, mixedPdf, toPng } from '../fixtures-made/pictures/make-picture.ts';
import { languagesPath } from './parse/recognise/recognise-file.ts';

let place: string;
let engine: Engine;
let sheets: Grey[];

beforeAll(async () => {
  const texts = ['The lighthouse keeper is Oswin Marrable.', 'Смотритель склада — Прохор Нилов.'];
  sheets = await Promise.all(texts.map((text) => drawLines([{ text, x: 40, y: 60, size: 13 }], 150)));
});

beforeEach(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'lectern-recognition-'));
  await mkdir(path.join(place, 'papers'));
});

afterEach(async () => {
  await engine.close();
  await rm(place, { recursive: true, force: true });
});

async function open(withLanguages = true): Promise<void> {
  engine = await createEngine({
    libraryPath: path.join(place, 'library'),
    modelFolders: [],
    version: '0.0.0',
    recognitionQuietMs: 50,
    ...(withLanguages ? { languagesPath } : {}),
  });
}

async function put(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path.join(place, 'papers', name), bytes);
}

async function readFolder(): Promise<void> {
  const folders = await engine.store.folders();
  const folder = folders[0] ?? (await engine.folders.add(path.join(place, 'papers')));
  await engine.folders.index(folder.id);
}

async function states(): Promise<Record<string, string>> {
  const { rows } = await engine.store.documents({ limit: 20, offset: 0 });
  return Object.fromEntries(
    rows.map(({ path, state, reason, warnings }) => [
      path,
      [state, reason, ...warnings.map(({ code }) => code)].filter((word) => word !== undefined).join(' '),
    ]),
  );
}

async function found(question: string): Promise<string[]> {
  const { hits } = await engine.search({ question });
  return hits.map(({ document, text }) => `${document.path}: ${text.trim()}`);
}

const written = { lines: [{ text: 'The harbour opens at seven.', x: 40, y: 60 }] };

describe('recognition', () => {
  it('comes after the text: what is written is found at once, pictures once they are read', async () => {
    await open();
    await put('scan.pdf', await mixedPdf(sheets));
    await put('mixed.pdf', await mixedPdf([written, sheets[0]]));
    await put('photo.png', toPng(sheets[1]!));
    await put('blank.png', toPng({ width: 200, height: 100, pixels: new Uint8Array(20_000).fill(250) }));
    await readFolder();
    expect(await states()).toEqual({
      'scan.pdf': 'waiting no-text',
      'mixed.pdf': 'indexed pages-without-text',
      'photo.png': 'waiting no-text',
      'blank.png': 'waiting no-text',
    });
    expect(await found('harbour opens')).toEqual(['mixed.pdf: The harbour opens at seven.']);
    await engine.recogniseAll();
    expect(await states()).toEqual({
      'scan.pdf': 'indexed recognised',
      'mixed.pdf': 'indexed recognised',
      'photo.png': 'indexed recognised',
      'blank.png': 'failed empty',
    });
    const [first] = await found('lighthouse keeper Marrable');
    expect(first).toContain('The lighthouse keeper is Oswin Marrable.');
    expect((await found('смотритель Прохор Нилов'))[0]).toContain('Прохор Нилов');
  });

  it('goes on behind the pages that are done, and never does one twice', async () => {
    await open();
    await put('scan.pdf', await mixedPdf(sheets));
    await readFolder();
    await engine.recogniseAll();
    const kept = await readdir(path.join(place, 'library', 'recognised'));
    expect(kept).toHaveLength(1);
    await engine.folders.index((await engine.store.folders())[0]!.id, true);
    expect(await states()).toEqual({ 'scan.pdf': 'indexed recognised' });
    expect(await readdir(path.join(place, 'library', 'recognised'))).toEqual(kept);
  });

  it('stands still while an answer is given, and goes on afterwards', async () => {
    await open();
    await put('scan.pdf', await mixedPdf(sheets));
    await readFolder();
    const asked = engine.ask({ question: 'Who is the keeper?', withoutModel: true })[Symbol.asyncIterator]();
    // An answer whose reader takes his time.
    await asked.next();
    const all = engine.recogniseAll();
    const place = engine.recognised.folder;
    const before = await readdir(place).catch(() => []);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await readdir(place).catch(() => [])).toEqual(before);
    expect(await states()).toEqual({ 'scan.pdf': 'waiting no-text' });
    await asked.return?.(undefined);
    await all;
    expect(await states()).toEqual({ 'scan.pdf': 'indexed recognised' });
  });

  it('forgets the words of documents that are gone', async () => {
    await open();
    await put('scan.pdf', await mixedPdf(sheets));
    await readFolder();
    await engine.recogniseAll();
    expect(await readdir(engine.recognised.folder)).toHaveLength(1);
    await rm(path.join(place, 'papers', 'scan.pdf'));
    await readFolder();
    await engine.recogniseAll();
    expect(await readdir(engine.recognised.folder)).toEqual([]);
  });

  it('leaves pictures waiting where no language is installed', async () => {
    await open(false);
    await put('scan.pdf', await mixedPdf(sheets));
    await readFolder();
    await engine.recogniseAll();
    expect(await states()).toEqual({ 'scan.pdf': 'waiting no-text' });
  });
});
