/** How are scans made whose words and places a test knows? A PDF is drawn, spoilt as scanners spoil, and packed as a picture. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { degrees, PDFDocument } from 'pdf-lib';
import { PdfiumDocument } from '../../../src/engine/parse/pdf/pdfium.ts';
import { type MadePage, makePdf, sheet } from '../pdf/make-pdf.ts';

/** Shades of grey, row by row. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** The first page of a PDF as it is shown. */
export async function drawPdf(bytes: Uint8Array, dpi: number): Promise<Grey> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-picture-'));
  const file = path.join(folder, 'made.pdf');
  await writeFile(file, bytes);
  try {
    const document = await PdfiumDocument.open({ path: file, name: 'made.pdf', sizeBytes: bytes.length });
    const drawn = document.drawPage(0, dpi);
    document.close();
    if (!drawn) throw new Error('The page could not be drawn.');
    const { width, height } = drawn;
    return { width, height, pixels: drawn.bytes.slice(drawn.bytes.length - width * height) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Lines of text as a picture. */
export async function drawLines(lines: MadePage['lines'], dpi: number): Promise<Grey> {
  return drawPdf(await makePdf([{ lines }]), dpi);
}

/** Paper is grey, ink is uneven, specks lie on it, and the sheet lies askew: degrees, clockwise. */
export function spoil({ width, height, pixels }: Grey, askew: number): Grey {
  const random = randomOf(7);
  const spoilt = new Uint8Array(pixels.length);
  const [cos, sin] = [Math.cos((askew * Math.PI) / 180), Math.sin((askew * Math.PI) / 180)];
  const at = (x: number, y: number): number => {
    const column = Math.round(x);
    const row = Math.round(y);
    return column < 0 || row < 0 || column >= width || row >= height ? 255 : pixels[row * width + column]!;
  };
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [dx, dy] = [column - width / 2, row - height / 2];
      const x = width / 2 + dx * cos + dy * sin;
      const y = height / 2 - dx * sin + dy * cos;
      const ink = (2 * at(x, y) + at(x + 1, y) + at(x, y + 1)) / 4;
      const noise = (random() + random() + random() - 1.5) * 50;
      const speck = random() < 0.001 ? -160 : 0;
      spoilt[row * width + column] = Math.min(255, Math.max(0, 12 + ink * 0.9 + noise + speck));
    }
  }
  return { width, height, pixels: spoilt };
}

/** Turned clockwise by quarters. */
export function turn(grey: Grey, quarters: number): Grey {
  if (quarters % 4 === 0) return grey;
  const { width, height, pixels } = grey;
  const turned = new Uint8Array(pixels.length);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      turned[column * height + (height - 1 - row)] = pixels[row * width + column]!;
    }
  }
  return turn({ width: height, height: width, pixels: turned }, quarters - 1);
}

/** PNG, 8 bits of grey (RFC 2083). */
export function toPng({ width, height, pixels }: Grey): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngPart('IHDR', head),
    pngPart('IDAT', deflateSync(rows, { level: 1 })),
    pngPart('IEND', Buffer.alloc(0)),
  ]);
}

function pngPart(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const part = Buffer.alloc(body.length + 8);
  part.writeUInt32BE(data.length, 0);
  part.set(body, 4);
  part.writeUInt32BE(crc32(body), body.length + 4);
  return part;
}

/** An uncompressed TIFF of several pages (TIFF 6.0), little-endian. */
export function toTiff(pages: (Grey & { orientation?: number })[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let length = 8;
  let link = { part: parts[0]!, at: 4 };
  for (const { width, height, pixels, orientation = 1 } of pages) {
    const strip = length;
    const directory = Buffer.alloc(2 + 9 * 12 + 4);
    const entries: [number, number, number][] = [
      ...([
        [256, 4, width],
        [257, 4, height],
        [258, 3, 8],
        [259, 3, 1],
        [262, 3, 1],
      ] as [number, number, number][]),
      ...([
        [273, 4, strip],
        [274, 3, orientation],
        [278, 4, height],
      ] as [number, number, number][]),
      [279, 4, pixels.length],
    ];
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, [tag, type, value]] of entries.entries()) {
      const at = 2 + index * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(1, at + 4);
      if (type === 3) directory.writeUInt16LE(value, at + 8);
      else directory.writeUInt32LE(value, at + 8);
    }
    const padded = Buffer.alloc(pixels.length + (pixels.length % 2));
    padded.set(pixels);
    link.part.writeUInt32LE(strip + padded.length, link.at);
    link = { part: directory, at: directory.length - 4 };
    parts.push(padded, directory);
    length += padded.length + directory.length;
  }
  return Buffer.concat(parts);
}

/** A page of a scan. */
export interface ScannedPage extends Grey {
  /** Quarter turns of the page when shown, clockwise; the picture is as shown. */
  quarterTurns?: number;
}

/** A PDF whose pages are pictures, or text (of the first font of makePdf), or blank. */
export async function mixedPdf(pages: (ScannedPage | MadePage | undefined)[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const made of pages) {
    if (made && 'lines' in made) {
      const [page] = await document.copyPages(await PDFDocument.load(await makePdf([made])), [0]);
      document.addPage(page);
      continue;
    }
    const turns = made?.quarterTurns ?? 0;
    const isLying = (made !== undefined && made.width > made.height) !== (turns % 2 === 1);
    const size: [number, number] = isLying ? [sheet.height, sheet.width] : [sheet.width, sheet.height];
    const page = document.addPage(size);
    page.setRotation(degrees(turns * 90));
    if (!made) continue;
    // The page's own turn sets the picture upright again.
    const image = await document.embedPng(toPng(turn(made, (4 - turns) % 4)));
    page.drawImage(image, { x: 0, y: 0, width: size[0], height: size[1] });
  }
  return document.save();
}

/** Numbers from 0 to 1, the same on every machine (constants of Numerical Recipes). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
