/** How are small PDFs made whose words and places a test knows? */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import { degrees, PDFDocument, type PDFFont, type PDFPage } from 'pdf-lib';

export interface MadeLine {
  text: string;
  /** Points from the left and upper edge of the page as shown. */
  x: number;
  y: number;
  /** Points; default 11. */
  size?: number;
  isBold?: boolean;
}

export interface MadePage {
  /** Clockwise, default 0. */
  rotation?: 0 | 90 | 180 | 270;
  /** Visible area in user space: x, y, width, height; default the whole sheet of 400 × 560. */
  crop?: [number, number, number, number];
  lines: MadeLine[];
  /** Text put at a place of user space, for words outside the crop box. */
  hidden?: { text: string; x: number; y: number }[];
}

export const sheet = { width: 400, height: 560 };

/** A PDF whose lines stand upright as shown, whatever the rotation. */
export async function makePdf(
  pages: MadePage[],
  properties: { title?: string; author?: string } = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  const regular = await embed(document, 'LiberationSans-Regular.ttf');
  const bold = await embed(document, 'LiberationSans-Bold.ttf');
  if (properties.title) document.setTitle(properties.title);
  if (properties.author) document.setAuthor(properties.author);
  for (const made of pages) {
    const page = document.addPage([sheet.width, sheet.height]);
    page.setRotation(degrees(made.rotation ?? 0));
    if (made.crop) page.setCropBox(...made.crop);
    for (const line of made.lines) drawUpright(page, made, line, line.isBold ? bold : regular);
    for (const { text, x, y } of made.hidden ?? []) page.drawText(text, { x, y, size: 11, font: regular });
  }
  return document.save();
}

/** Fonts of an npm package, so that every machine makes the same file. */
async function embed(document: PDFDocument, name: string): Promise<PDFFont> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return document.embedFont(await readFile(path.join(folder, 'standard_fonts', name)), { subset: true });
}

function drawUpright(page: PDFPage, { rotation = 0, crop }: MadePage, line: MadeLine, font: PDFFont): void {
  const [left, bottom, width, height] = crop ?? [0, 0, sheet.width, sheet.height];
  const places = {
    0: { x: left + line.x, y: bottom + height - line.y },
    90: { x: left + line.y, y: bottom + line.x },
    180: { x: left + width - line.x, y: bottom + line.y },
    270: { x: left + width - line.y, y: bottom + height - line.x },
  };
  page.drawText(line.text, { ...places[rotation], rotate: degrees(rotation), size: line.size ?? 11, font });
}

/** A PDF from its objects, for structures that no writer makes. Object 1 is the catalogue. */
export function rawPdf(objects: string[], trailer = ''): Uint8Array {
  let text = '%PDF-1.7\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const offset of offsets) text += `${String(offset).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}
