/** PDF documents with a running header and page numbers, and one that is a picture only, like a scan. */
import { existsSync, readFileSync } from 'node:fs';
import fontkit from '@pdf-lib/fontkit';
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb } from 'pdf-lib';
import { type Piece, readSource } from './read-source.ts';

const pageSize: [number, number] = [595.28, 841.89];
const margin = 64;
const bodySize = 11;
const leading = 16;

function font(name: string): Uint8Array {
  const place = `/usr/share/fonts/truetype/dejavu/${name}.ttf`;
  if (!existsSync(place)) throw new Error(`Making a PDF failed: ${place}: install Debian's fonts-dejavu.`);
  return readFileSync(place);
}

class Composer {
  readonly #document: PDFDocument;
  readonly #fonts: { regular: PDFFont; bold: PDFFont };
  readonly #title: string;
  #page!: PDFPage;
  #y = 0;
  #number = 0;

  constructor(document: PDFDocument, fonts: { regular: PDFFont; bold: PDFFont }, title: string) {
    this.#document = document;
    this.#fonts = fonts;
    this.#title = title;
    this.#turn();
  }

  add(piece: Piece): void {
    if (piece.kind === 'table') throw new Error('Making a PDF failed: tables stand in Word sources only.');
    const size = piece.kind === 'title' ? 18 : piece.kind === 'heading' ? 13 : bodySize;
    const face = piece.kind === 'paragraph' ? this.#fonts.regular : this.#fonts.bold;
    const lines = wrap(piece.text, face, size, pageSize[0] - 2 * margin);
    const keep = piece.kind === 'heading' ? 3 : 1;
    if (piece.kind === 'heading') this.#y -= 8;
    if (this.#y - lines.length * leading * keep < margin) this.#turn();
    for (const line of lines) {
      this.#page.drawText(line, { x: margin, y: this.#y, size, font: face });
      this.#y -= Math.max(leading, size * 1.35);
    }
    this.#y -= 4;
  }

  #turn(): void {
    this.#page = this.#document.addPage(pageSize);
    this.#number += 1;
    this.#y = pageSize[1] - margin - 20;
    const small = { size: 8, font: this.#fonts.regular, color: rgb(0.4, 0.4, 0.4) };
    this.#page.drawText(this.#title, { x: margin, y: pageSize[1] - 40, ...small });
    this.#page.drawText(`– ${this.#number} –`, { x: pageSize[0] / 2 - 10, y: 34, ...small });
  }
}

function wrap(text: string, face: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (face.widthOfTextAtSize(longer, size) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

export async function makePdf(source: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  const fonts = {
    regular: await document.embedFont(font('DejaVuSerif'), { subset: true, features: { liga: false } }),
    bold: await document.embedFont(font('DejaVuSerif-Bold'), { subset: true, features: { liga: false } }),
  };
  const pieces = readSource(source);
  const title = pieces[0]?.kind === 'title' ? pieces[0].text : '';
  document.setTitle(title);
  document.setAuthor('Tarnholm Optics');
  setDates(document);
  const composer = new Composer(document, fonts, title);
  for (const piece of pieces) composer.add(piece);
  return document.save();
}

/** A fixed date, so that the same sources give the same bytes. */
function setDates(document: PDFDocument): void {
  const date = new Date('2026-01-15T09:00:00Z');
  document.setCreationDate(date);
  document.setModificationDate(date);
}

/** Strokes drawn as shapes: a page that looks like writing and holds no text, as scanners make it. */
export async function makeScan(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setTitle('Акт приёмки насоса');
  setDates(document);
  const page = document.addPage(pageSize);
  page.drawRectangle({
    x: 20,
    y: 20,
    width: pageSize[0] - 40,
    height: pageSize[1] - 40,
    color: rgb(0.97, 0.96, 0.93),
  });
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let row = 0; row < 30; row += 1) {
    let x = 70;
    const y = pageSize[1] - 110 - row * 21;
    while (x < 500 - (row % 5 === 4 ? 220 : 0)) {
      const width = 12 + random() * 46;
      page.drawRectangle({
        x,
        y: y + random() * 1.2,
        width,
        height: 5 + random() * 2,
        rotate: degrees(0.6),
        color: rgb(0.25, 0.25, 0.3),
        opacity: 0.75,
      });
      x += width + 7;
    }
  }
  return document.save();
}
