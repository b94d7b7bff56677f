/** Which sheets does a workbook have, and how are its cells styled? */
import { detectLanguage } from '../../language/detect-language.ts';
import { type Attributes, attribute, isOn, localName, readXml, type XmlListener } from '../zip/read-xml.ts';
import { findMainPart, readRelations } from '../zip/relations.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';
import { guessLocale, type NumberFormat, readFormat } from './number-format.ts';
import { readSharedStrings, type SharedStrings } from './shared-strings.ts';

export interface WorkbookSheet {
  name: string;
  isHidden: boolean;
  /** Name of its part; undefined when the workbook points nowhere. */
  part: string | undefined;
}

/** How cells of one style are shown. */
export interface CellStyle {
  format: NumberFormat;
  isBold: boolean;
}

export interface Workbook {
  sheets: WorkbookSheet[];
  is1904: boolean;
  locale: string;
  strings: SharedStrings;
  styles: CellStyle[];
  /** Parts that were broken on the way. */
  damagedParts: string[];
}

/** Text that the language is judged by, in UTF-16 units. */
const SAMPLE_LENGTH = 20_000;

/** Reads everything but the sheets themselves. */
export async function readWorkbook(archive: ZipArchive, signal: AbortSignal): Promise<Workbook> {
  const main = await findMainPart(archive, 'xl/workbook.xml', signal);
  const relations = await readRelations(archive, main, signal);
  const partOf = (type: string): string | undefined =>
    relations.find((relation) => relation.type === type)?.target;
  const damagedParts: string[] = [];

  const book = new WorkbookListener();
  if ((await readXml(archive, main, book, signal)) !== 'whole') damagedParts.push(main);

  const stylesPart = partOf('styles') ?? 'xl/styles.xml';
  const styles = new StylesListener();
  if ((await readXml(archive, stylesPart, styles, signal)) === 'damaged') damagedParts.push(stylesPart);

  const stringsPart = partOf('sharedStrings') ?? 'xl/sharedStrings.xml';
  const { strings, outcome } = await readSharedStrings(archive, stringsPart, signal);
  if (outcome === 'damaged') damagedParts.push(stringsPart);

  const names = book.sheets.map(({ name }) => name).join(' ');
  const language = detectLanguage(`${names} ${strings.sample(SAMPLE_LENGTH)}`);
  const locale = guessLocale(styles.codes.values(), language);
  const targets = new Map(relations.map((relation) => [relation.id, relation.target]));
  return {
    sheets: book.sheets.map(({ name, isHidden, relation }) => {
      const part = targets.get(relation);
      return { name, isHidden, part: part !== undefined && archive.has(part) ? part : undefined };
    }),
    is1904: book.is1904,
    locale,
    strings,
    styles: styles.toStyles(locale),
    damagedParts,
  };
}

class WorkbookListener implements XmlListener {
  readonly sheets: { name: string; isHidden: boolean; relation: string }[] = [];
  is1904 = false;

  open(name: string, attributes: Attributes): void {
    switch (localName(name)) {
      case 'workbookPr': {
        const value = attribute(attributes, 'date1904');
        this.is1904 = value === '1' || value === 'true';
        break;
      }
      case 'sheet': {
        const state = attribute(attributes, 'state') ?? 'visible';
        this.sheets.push({
          name: (attribute(attributes, 'name') ?? `Sheet${this.sheets.length + 1}`).normalize('NFC'),
          isHidden: state !== 'visible',
          relation: attribute(attributes, 'r:id') ?? attribute(attributes, 'id') ?? '',
        });
        break;
      }
    }
  }

  close(): void {}
  text(): void {}
}

class StylesListener implements XmlListener {
  readonly codes = new Map<number, string>();
  readonly #boldFonts: boolean[] = [];
  readonly #cells: { formatId: number; font: number }[] = [];
  #place: 'fonts' | 'cellXfs' | 'other' = 'other';

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    switch (local) {
      case 'fonts':
      case 'cellXfs':
        this.#place = local;
        break;
      case 'cellStyleXfs':
      case 'dxfs':
        this.#place = 'other';
        break;
      case 'numFmt': {
        const id = Number(attribute(attributes, 'numFmtId'));
        // Formats for changed cells ("dxfs") reuse the element and must not replace the real ones.
        if (this.#place !== 'other' || !this.codes.has(id))
          this.codes.set(id, attribute(attributes, 'formatCode') ?? '');
        break;
      }
      case 'font':
        if (this.#place === 'fonts') this.#boldFonts.push(false);
        break;
      case 'b':
        if (this.#place === 'fonts' && this.#boldFonts.length > 0)
          this.#boldFonts[this.#boldFonts.length - 1] = isOn(attributes);
        break;
      case 'xf':
        if (this.#place === 'cellXfs') {
          this.#cells.push({
            formatId: Number(attribute(attributes, 'numFmtId') ?? 0),
            font: Number(attribute(attributes, 'fontId') ?? 0),
          });
        }
        break;
    }
  }

  close(name: string): void {
    const local = localName(name);
    if (local === 'fonts' || local === 'cellXfs') this.#place = 'other';
  }

  text(): void {}

  toStyles(locale: string): CellStyle[] {
    const formats = new Map<number, NumberFormat>();
    const styles = this.#cells.map(({ formatId, font }) => {
      let format = formats.get(formatId);
      if (!format) {
        format = readFormat(formatId, this.codes, locale);
        formats.set(formatId, format);
      }
      return { format, isBold: this.#boldFonts[font] ?? false };
    });
    return styles.length > 0 ? styles : [{ format: readFormat(0, this.codes, locale), isBold: false }];
  }
}
