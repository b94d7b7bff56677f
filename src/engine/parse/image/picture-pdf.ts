/** How do pictures become the pages of a PDF, which the page knows how to draw, light and zoom? PDF 32000-1. */
import type { RecognisedPage } from '../recognise/recognised-page.ts';

/** A picture as PDF stores it. One pixel becomes one unit of user space, so that anchors need no conversion. */
export interface PdfPicture {
  /** Upright size in pixels. */
  width: number;
  height: number;
  /** EXIF orientation of the stored picture. */
  orientation: number;
  /** Size as stored. */
  storedWidth: number;
  storedHeight: number;
  /** Its entries of the image dictionary: colours and filter. */
  entries: string;
  data: Uint8Array;
}

const encoder = new TextEncoder();
const firstPageObject = 5;
const objectsPerPage = 3;

/** Pages with their recognised words as invisible text, each word underlined faintly. */
export class PictureDocument {
  readonly #parts: Uint8Array[] = [];
  readonly #offsets: number[] = [];
  #length = 0;
  #pages = 0;

  constructor() {
    this.#write('%PDF-1.7\n');
  }

  addPage(picture: PdfPicture, recognised: RecognisedPage | undefined): void {
    const first = firstPageObject + this.#pages * objectsPerPage;
    this.#pages += 1;
    const { width, height, storedWidth, storedHeight, entries, data } = picture;
    this.#object(
      first,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${first + 1} 0 R /Resources << /XObject << /P ${first + 2} 0 R >> /Font << /T 3 0 R >> /ExtGState << /F << /CA 0.4 >> >> >> >>`,
    );
    const content = encoder.encode(
      `q ${matrixOf(picture)} cm /P Do Q\n${recognised ? wordsOf(recognised, picture) : ''}`,
    );
    this.#stream(first + 1, '', content);
    const size = `/Width ${storedWidth} /Height ${storedHeight}`;
    this.#stream(first + 2, `/Type /XObject /Subtype /Image ${size} ${entries}`, data);
  }

  end(): Uint8Array {
    const kids = Array.from({ length: this.#pages }, (_, index) => firstPageObject + index * objectsPerPage);
    this.#object(1, '<< /Type /Catalog /Pages 2 0 R >>');
    this.#object(
      2,
      `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
    );
    // Codes are UTF-16; nothing is drawn with it, so it needs no letters of its own.
    this.#object(
      3,
      '<< /Type /Font /Subtype /Type0 /BaseFont /Words /Encoding /Identity-H /ToUnicode /Identity-H /DescendantFonts [4 0 R] >>',
    );
    this.#object(
      4,
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Words /DW 500 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Words /Flags 4 /FontBBox [0 0 500 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    );
    const start = this.#length;
    const count = this.#offsets.length;
    const rows = Array.from({ length: count - 1 }, (_, index) => {
      return `${String(this.#offsets[index + 1]).padStart(10, '0')} 00000 n \n`;
    });
    this.#write(`xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`);
    this.#write(`trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
    return Buffer.concat(this.#parts, this.#length);
  }

  #object(number: number, body: string): void {
    this.#offsets[number] = this.#length;
    this.#write(`${number} 0 obj\n${body}\nendobj\n`);
  }

  #stream(number: number, entries: string, data: Uint8Array): void {
    this.#offsets[number] = this.#length;
    this.#write(`${number} 0 obj\n<< ${entries} /Length ${data.length} >>\nstream\n`);
    this.#parts.push(data);
    this.#length += data.length;
    this.#write('\nendstream\nendobj\n');
  }

  #write(text: string): void {
    const bytes = encoder.encode(text);
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}

/** Sets the unit square of an image upright on its page: EXIF 2.3, orientation. */
function matrixOf({ width: w, height: h, orientation }: PdfPicture): string {
  const matrices: Record<number, number[]> = {
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  return (matrices[orientation] ?? [w, 0, 0, h, 0, 0]).join(' ');
}

/** Underlines and invisible text; of a page that was turned neither, its words are lit alone. */
function wordsOf({ lines, turns }: RecognisedPage, { height }: PdfPicture): string {
  if (turns !== 0) return '';
  const words = lines.flatMap((line) => line.words);
  const strokes = words.map(({ box: [left, , right, bottom] }) => {
    const y = height - bottom - 1;
    return `${left} ${y} m ${right} ${y} l S\n`;
  });
  const texts = words.map(({ text, box: [left, top, right, bottom] }) => {
    const size = Math.max(bottom - top, 1);
    // A letter is half as wide as it is high, see DW; the word is stretched to its box.
    const stretch = ((right - left) / (text.length * size * 0.5)) * 100;
    const hex = [...Buffer.from(`${text} `, 'utf16le').swap16()].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    return `/T ${size} Tf ${stretch.toFixed(2)} Tz 1 0 0 1 ${left} ${height - bottom} Tm <${hex.join('')}> Tj\n`;
  });
  return `q /F gs 0.15 0.4 0.85 RG 1 w\n${strokes.join('')}Q\nBT 3 Tr\n${texts.join('')}ET\n`;
}
