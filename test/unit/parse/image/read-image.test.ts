/** Is a picture file measured before anything of it is unpacked, and refused in words where it can't be? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { readImage } from '../../../../src/engine/parse/image/read-image.ts';
import { kindOf } from '../../../../src/engine/parse/parse-document.ts';
import { toPng, toTiff } from '../../../fixtures-made/pictures/make-picture.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-image-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function grey(width: number, height: number) {
  return { width, height, pixels: new Uint8Array(width * height).fill(200) };
}

async function fileOf(name: string, bytes: Uint8Array) {
  const file = { path: path.join(folder, name), name, sizeBytes: bytes.length };
  await writeFile(file.path, bytes);
  return file;
}

/** A PNG that says it is larger than its pixels. */
function liar(width: number, height: number): Uint8Array {
  const bytes = toPng(grey(10, 10));
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, width);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(20, height);
  return bytes;
}

/** A TIFF whose last directory leads back to its first. */
function circle(): Uint8Array {
  const bytes = toTiff([grey(30, 20), grey(30, 20)]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(bytes.length - 4, view.getUint32(4, true), true);
  return bytes;
}

describe('readImage', () => {
  it('tells pages and sizes, and sets turned pages upright', async () => {
    const bytes = toTiff([grey(30, 20), { ...grey(31, 21), orientation: 6 }]);
    const { pages } = await readImage(await fileOf('two.tif', bytes));
    expect(pages).toEqual([
      { width: 30, height: 20, orientation: 1 },
      { width: 21, height: 31, orientation: 6 },
    ]);
  });

  it('ends a chain of pages that bites its own tail', async () => {
    expect((await readImage(await fileOf('circle.tif', circle()))).pages).toHaveLength(2);
  });

  it.each([
    ['a picture of a million pixels each way', 'bomb.png', () => liar(1_000_000, 1_000_000), 'too-large'],
    ['a picture without a width', 'flat.png', () => liar(0, 10), 'damaged'],
    ['a cut head', 'cut.png', () => toPng(grey(10, 10)).slice(0, 18), 'damaged'],
    ['a TIFF without pages', 'none.tif', () => Uint8Array.of(0x49, 0x49, 42, 0, 0, 0, 0, 0), 'damaged'],
    [
      'a TIFF that leads outside itself',
      'out.tif',
      () => Uint8Array.of(0x49, 0x49, 42, 0, 9, 9, 9, 9),
      'damaged',
    ],
  ])('%s is refused', async (_, name, bytes, reason) => {
    const outcome = await readImage(await fileOf(name, bytes())).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(ParseFailure);
    expect((outcome as ParseFailure).reason).toBe(reason);
  });

  it.each(['png', 'tif'])('is asked for the content of a %s, whatever its name', async (kind) => {
    const bytes = kind === 'png' ? toPng(grey(10, 10)) : toTiff([grey(10, 10)]);
    expect(await kindOf(await fileOf(`letter-${kind}.txt`, bytes))).toBe('image');
  });
});
