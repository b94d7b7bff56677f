/** Which rows does a worksheet's XML hold, and which cells are merged? */
import { sheet as limits } from '../../config.ts';
import { type Attributes, attribute, localName, type XmlListener } from '../zip/read-xml.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { type CellRange, fromCellName, fromRangeName } from './a1.ts';
import type { SheetCell, SheetRow } from './find-header.ts';
import { showBoolean, showNumber, valueBeneath } from './number-format.ts';
import { RichText, unescapeString } from './shared-strings.ts';
import type { Workbook } from './workbook.ts';

/** What stands after the rows of a sheet but is needed before them. */
export interface SheetTail {
  merges: CellRange[];
  /** First row of the sheet's filter, which is its header. */
  headerRow?: number;
}

const ROWS_END = Buffer.from('sheetData>');
/** A merged range takes some 30 bytes; the tail also holds rules and links. */
const MAX_TAIL_LENGTH = 32 * 1024 * 1024;

/** First pass: skips the rows without parsing them and reads what follows. Unpacking only, some 300 MB/s. */
export async function readTail(archive: ZipArchive, part: string, signal: AbortSignal): Promise<SheetTail> {
  let before: Buffer = Buffer.alloc(0);
  let tail: string | undefined;
  for await (const piece of archive.read(part, signal)) {
    if (tail !== undefined) {
      if (tail.length < MAX_TAIL_LENGTH) tail += piece.toString('latin1'); // ranges are ASCII
      continue;
    }
    const joined = Buffer.concat([before, piece]);
    // The last one: the opening tag ends with the same letters.
    const at = joined.lastIndexOf(ROWS_END);
    const isClosing = at > 0 && /<\/[\w.-]*:?$/.test(joined.toString('latin1', Math.max(0, at - 64), at));
    if (isClosing) tail = joined.toString('latin1', at);
    before = joined.subarray(-(ROWS_END.length + 64));
  }
  return readRanges(tail ?? '');
}

function readRanges(tail: string): SheetTail {
  const merges: CellRange[] = [];
  for (const match of tail.matchAll(/<[\w.-]*:?mergeCell\b[^>]*?\bref="([^"]+)"/g)) {
    const range = fromRangeName(match[1]!);
    if (range && merges.length < limits.maxMerges) merges.push(range);
  }
  const filter = /<[\w.-]*:?autoFilter\b[^>]*?\bref="([^"]+)"/.exec(tail)?.[1];
  const headerRow = filter === undefined ? undefined : fromRangeName(filter)?.firstRow;
  return headerRow === undefined ? { merges } : { merges, headerRow };
}

interface Shown {
  text: string;
  value?: number | string | boolean;
}

/** Displayed numbers that are remembered. */
const MAX_SHOWN = 5_000;

/** Composed, with tabs (they divide cells) as spaces. */
function toCellText(text: string): string {
  const plain = /[\r\t]/.test(text) ? text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ') : text;
  const composed = /[^ -\u02ff]/.test(plain) ? plain.normalize('NFC') : plain;
  return composed.length > limits.maxCellLength ? composed.slice(0, limits.maxCellLength) : composed;
}

/** Second pass: gathers rows with their displayed cells. Rows are taken with `take`. */
export class SheetListener implements XmlListener {
  /** Column widths in characters; 0 where the sheet says nothing. */
  readonly widths: number[] = [];
  readonly #workbook: Workbook;
  readonly #rich = new RichText();
  readonly #shown = new Map<string, Shown>();
  #rows: SheetRow[] = [];
  #cells: SheetCell[] = [];
  #row = 0;
  #column = -1;
  #type = 'n';
  #style = 0;
  #value = '';
  #isValue = false;
  #isCell = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    switch (local) {
      case 'row': {
        const row = Number(attributes.r);
        this.#row = row > this.#row ? row : this.#row + 1;
        this.#column = -1;
        this.#cells = [];
        break;
      }
      case 'c':
        this.#openCell(attributes);
        break;
      case 'v':
        this.#isValue = this.#isCell;
        break;
      case 'col':
        this.#openColumn(attributes);
        break;
      default:
        if (this.#isCell) this.#rich.open(local);
    }
  }

  close(name: string): void {
    const local = localName(name);
    switch (local) {
      case 'v':
        this.#isValue = false;
        break;
      case 'c':
        this.#closeCell();
        break;
      case 'row':
        if (this.#cells.length > 0) this.#rows.push({ row: this.#row, cells: this.#cells });
        this.#cells = [];
        break;
      default:
        if (this.#isCell) this.#rich.close(local);
    }
  }

  text(text: string): void {
    if (this.#isValue) {
      if (this.#value.length < limits.maxCellLength) this.#value += text;
    } else if (this.#isCell) this.#rich.text(text);
  }

  #openCell(attributes: Attributes): void {
    const place = attributes.r === undefined ? undefined : fromCellName(attributes.r);
    this.#column = place && place.column > this.#column ? place.column : this.#column + 1;
    this.#type = attributes.t ?? 'n';
    this.#style = Number(attributes.s ?? 0);
    this.#value = '';
    this.#isCell = this.#column < limits.maxColumns;
  }

  #closeCell(): void {
    if (!this.#isCell) return;
    this.#isCell = false;
    const inline = this.#rich.take();
    const cell = this.#show(this.#value, inline);
    const text = toCellText(cell.text);
    if (text.trim() === '') return;
    const isBold = this.#workbook.styles[this.#style]?.isBold ?? false;
    this.#cells.push({ column: this.#column, ...cell, text, isBold });
  }

  #show(raw: string, inline: string): Shown {
    const { strings, locale } = this.#workbook;
    switch (this.#type) {
      case 's':
        return { text: strings.get(Number(raw)) ?? '' };
      case 'inlineStr':
        return { text: inline };
      case 'str':
        return { text: unescapeString(raw) };
      case 'e':
        return { text: raw };
      case 'b': {
        const value = raw.trim() === '1' || raw.trim() === 'true';
        return raw === '' ? { text: '' } : { text: showBoolean(value, locale), value };
      }
      case 'd':
        return { text: raw, value: raw };
      default:
        return this.#showNumber(raw);
    }
  }

  /** Dates, shares and codes repeat a lot, and to show one costs more than all else about a cell. */
  #showNumber(raw: string): Shown {
    const key = `${this.#style} ${raw}`;
    const known = this.#shown.get(key);
    if (known) return known;
    const { styles, locale, is1904 } = this.#workbook;
    const number = Number(raw);
    if (raw.trim() === '' || !Number.isFinite(number)) return { text: raw };
    const format = (styles[this.#style] ?? styles[0]!).format;
    const text = showNumber(number, format, locale, is1904);
    const shown = { text, value: valueBeneath(number, format, is1904) };
    if (this.#shown.size >= MAX_SHOWN) this.#shown.clear();
    this.#shown.set(key, shown);
    return shown;
  }

  #openColumn(attributes: Attributes): void {
    const first = Number(attribute(attributes, 'min')) - 1;
    const max = Number(attribute(attributes, 'max'));
    // A width up to the last possible column is only the sheet's default.
    const last = max >= limits.maxColumns ? first : Math.min(max - 1, limits.maxWidths - 1);
    const width = Number(attribute(attributes, 'width'));
    if (!(first >= 0) || !(width > 0)) return;
    while (this.widths.length < first && this.widths.length < limits.maxWidths) this.widths.push(0);
    for (let column = first; column <= last; column++) this.widths[column] = Math.round(width * 100) / 100;
  }
}
