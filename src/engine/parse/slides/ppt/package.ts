/** Which slides does an old presentation (ppt, pps) hold, with which texts, notes and pictures? After [MS-PPT] 2.1. */
import { readFile } from 'node:fs/promises';
import { find, read } from 'cfb';
import { slides as limits } from '../../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../../document.ts';
import { readOleProperties } from '../../flow/doc/ole-properties.ts';
import { type Deck, type Paragraph, plainParagraph, type Shape, type Slide } from '../deck.ts';
import type { PictureShelf, ReadPicture } from '../pictures.ts';
import { type MasterStyle, readFonts, readMasterStyle } from './letters.ts';
import { type Record, readRecords, recordAt, type } from './records.ts';
import { readDrawing } from './shapes.ts';
import {
  type LetterContext,
  type PptText,
  readParagraphs,
  readTexts,
  textKind,
  toCss,
  UNIT,
} from './text.ts';

/** Marks of the stream that names the last edit. */
const ENCRYPTED = 0xf3d1c4df;
/** Edits that follow each other. */
const MAX_EDITS = 1_000;
/** Lists of the document by their instance. */
const list = { slides: 0, masters: 1, notes: 2 };
const WIDTH = 960;
const HEIGHT = 720;

/** A slide as the list of the document names it. */
interface Listed {
  persist: number;
  id: number;
  texts: Record[];
}

export async function openPpt(file: SourceFile, shelf: PictureShelf): Promise<PptDeck> {
  if (file.sizeBytes > limits.maxOldBytes)
    throw failure('too-large', file, 'it is larger than the limit for old presentations: save it as PPTX');
  const container = openContainer(file.bytes ? Buffer.from(file.bytes) : await readFile(file.path), file);
  const stream = (name: string): Buffer | undefined => {
    const content = find(container, name)?.content;
    return content === undefined ? undefined : Buffer.from(content as Uint8Array);
  };
  const main = stream('PowerPoint Document');
  if (!main || main.length === 0)
    throw failure('damaged', file, 'its slides are missing: get an intact copy');
  const user = stream('Current User');
  if (user && user.length >= 20 && user.readUInt32LE(12) === ENCRYPTED) throw encrypted(file);
  const places = readPlaces(main, user && user.length >= 20 ? user.readUInt32LE(16) : -1);
  if (places.isEncrypted) throw encrypted(file);
  const document = places.document ?? readRecords(main).findLast((record) => record.type === type.document);
  if (!document) throw failure('damaged', file, 'its list of slides is broken: get an intact copy');
  const properties = readOleProperties(stream('\u0005SummaryInformation'));
  return new PptDeck(
    { main, pictures: stream('Pictures'), document, places: places.offsets },
    properties,
    shelf,
  );
}

interface PptParts {
  main: Buffer;
  pictures: Buffer | undefined;
  document: Record;
  /** Offsets of slides by their number in the file. */
  places: ReadonlyMap<number, number>;
}

export class PptDeck implements Deck {
  readonly width: number;
  readonly height: number;
  readonly metadata: DocumentMetadata;
  readonly #parts: PptParts;
  readonly #shelf: PictureShelf;
  readonly #slides: Listed[];
  readonly #notes: ReadonlyMap<number, Listed>;
  readonly #masters: ReadonlyMap<number, Listed>;
  readonly #fonts: readonly string[];

  constructor(parts: PptParts, metadata: DocumentMetadata, shelf: PictureShelf) {
    this.#parts = parts;
    this.#shelf = shelf;
    const size = parts.document.child(type.documentAtom);
    this.width = sideOf(size?.i32(0), WIDTH);
    this.height = sideOf(size?.i32(4), HEIGHT);
    this.#slides = readList(parts.document, list.slides).slice(0, limits.maxSlides);
    const byId = (instance: number) =>
      new Map(readList(parts.document, instance).map((one) => [one.id, one]));
    this.#notes = byId(list.notes);
    this.#masters = byId(list.masters);
    this.#fonts = readFonts(parts.document);
    this.metadata = { ...metadata, ...(this.#slides.length > 0 ? { pages: this.#slides.length } : {}) };
  }

  close(): void {}

  /** The bytes of a picture by its number in the file, from 1. */
  readonly readPicture: ReadPicture = async (address, maxBytes) => {
    const entries =
      this.#parts.document.child(type.drawingGroup, 0xf000, type.pictureStore)?.all(type.pictureEntry) ?? [];
    const entry = entries[Number(address) - 1];
    const { pictures } = this.#parts;
    const blip = entry && pictures && recordAt(pictures, entry.u32(28));
    // One or two marks of 16 bytes, and one byte more, stand before it.
    const start = blip ? 17 + ((blip.instance & 1) === 1 ? 16 : 0) : 0;
    const bytes = blip?.data.subarray(start);
    return bytes && bytes.length <= maxBytes ? bytes : undefined;
  };

  async *slides(): AsyncGenerator<Slide> {
    for (const [at, listed] of this.#slides.entries()) yield this.#slide(listed, at + 1);
  }

  #slide(listed: Listed, number: number): Slide {
    const record = this.#recordOf(listed, type.slide);
    const atom = record?.child(type.slideAtom);
    const master = this.#masterOf(atom?.u32(12) ?? 0);
    const footer = this.#footer(record);
    const letters: LetterContext = {
      fonts: this.#fonts,
      scheme: schemeOf(record) ?? schemeOf(master) ?? [],
      styles: stylesOf(master),
      fields: { number: String(number), date: footer.date, footer: footer.footer },
    };
    const outline = readTexts(listed.texts, letters.fields);
    const context = { letters, outline, taken: new Set<number>(), shelf: this.#shelf };
    const own = readDrawing(record?.child(type.drawing), { ...context, isBackdrop: false });
    const followsMaster = ((atom?.u16(20) ?? 7) & 1) !== 0;
    const back = followsMaster
      ? readDrawing(master?.child(type.drawing), { ...context, isBackdrop: true })
      : [];
    const rest = outline
      .filter((text, at) => !context.taken.has(at) && text.text.trim() !== '')
      .map((text) => looseText(text, letters));
    const background = letters.scheme[0];
    return {
      number,
      isHidden: ((record?.child(type.slideShowInfo)?.u16(10) ?? 0) & 4) !== 0,
      isDamaged: record === undefined,
      ...(background ? { background: { type: 'color', color: background } } : {}),
      shapes: [...back, ...own, ...rest, ...footerShape(footer.footer, own, this)],
      notes: this.#notesOf(atom?.u32(16) ?? 0, letters),
      comments: commentsOf(record),
    };
  }

  #recordOf({ persist }: Listed, kind: number): Record | undefined {
    const offset = this.#parts.places.get(persist);
    const record = offset === undefined ? undefined : recordAt(this.#parts.main, offset);
    return record?.type === kind ? record : undefined;
  }

  /** A title's own master leads to the one that it is made from, which holds the styles. */
  #masterOf(id: number): Record | undefined {
    const listed = this.#masters.get(id);
    if (!listed) return undefined;
    return this.#recordOf(listed, type.master) ?? this.#recordOf(listed, type.slide);
  }

  #notesOf(id: number, letters: LetterContext): Paragraph[] {
    const listed = this.#notes.get(id);
    const record = listed && this.#recordOf(listed, type.notes);
    if (!record) return [];
    const texts = [...record.deep(type.textbox)].flatMap((box) => readTexts(box.children, letters.fields));
    const inList = readTexts(listed.texts, letters.fields);
    return [...texts, ...inList]
      .filter(({ kind, text }) => kind === textKind.notes && text.trim() !== '')
      .flatMap((text) => readParagraphs(text, letters))
      .map((paragraph) => ({ ...paragraph, label: '', bullet: '' }));
  }

  /** What runs along the edge of a slide: its own words, else the presentation's. */
  #footer(record: Record | undefined): { footer: string; date: string } {
    const own = record?.all(type.headersFooters).find(({ instance }) => instance === 0);
    const shared = this.#parts.document.all(type.headersFooters).find(({ instance }) => instance === 3);
    const holder = own ?? shared;
    const flags = holder?.child(type.headersFootersAtom)?.u16(2) ?? 0;
    const words = (instance: number, bit: number): string => {
      const found = holder?.all(type.string).find((string) => string.instance === instance);
      return found && (flags & bit) !== 0
        ? found.data.toString('utf16le', 0, found.data.length & ~1).trim()
        : '';
    };
    return { footer: words(2, 0x20), date: words(0, 0x4) };
  }
}

/** A footer that the master draws on every slide; one that the slide draws itself stands there already. */
function footerShape(footer: string, own: readonly Shape[], { width, height }: Deck): Shape[] {
  if (
    footer === '' ||
    own.some(
      ({ role, text }) =>
        role === 'margin' &&
        text?.paragraphs.some(({ runs }) => runs.some((run) => run.text.includes(footer))),
    )
  )
    return [];
  const paragraph = { ...plainParagraph(footer), align: 'center' as const };
  for (const run of paragraph.runs) run.size = 12;
  const text = looseFrame([paragraph]);
  const box = { x: width / 4, y: height * 0.925, width: width / 2, height: height * 0.06 };
  return [
    { role: 'margin', isBackdrop: false, rotation: 0, isFlippedX: false, isFlippedY: false, box, text },
  ];
}

function looseText(text: PptText, letters: LetterContext): Shape {
  const isTitle = text.kind === textKind.title || text.kind === textKind.centerTitle;
  const paragraphs = readParagraphs(text, letters);
  return {
    role: isTitle ? 'title' : 'text',
    isBackdrop: false,
    rotation: 0,
    isFlippedX: false,
    isFlippedY: false,
    text: looseFrame(paragraphs),
  };
}

function looseFrame(paragraphs: Paragraph[]): NonNullable<Shape['text']> {
  const insets = { left: 0, top: 0, right: 0, bottom: 0 };
  return { paragraphs, vertical: 'top', insets, isUnwrapped: false, turn: 0, columns: 1, scale: 1 };
}

function schemeOf(record: Record | undefined): string[] | undefined {
  const scheme = record?.all(type.colorScheme).find(({ instance }) => instance === 1);
  return scheme && Array.from({ length: 8 }, (_, at) => toCss(scheme.u32(at * 4)));
}

function stylesOf(master: Record | undefined): Map<number, MasterStyle> {
  return new Map(
    (master?.all(type.masterStyle) ?? []).map((record) => [record.instance, readMasterStyle(record)]),
  );
}

function commentsOf(record: Record | undefined): Paragraph[] {
  return [...(record?.deep(type.comment) ?? [])].slice(0, limits.maxComments).map((comment) => {
    const words = (instance: number): string => {
      const found = comment.all(type.string).find((string) => string.instance === instance);
      return found ? found.data.toString('utf16le', 0, found.data.length & ~1).trim() : '';
    };
    const [author, text] = [words(0), words(1)];
    return plainParagraph(author === '' ? text : `${author}: ${text}`);
  });
}

/** Slides, masters or notes in their order, each with the records of its texts. */
function readList(document: Record, instance: number): Listed[] {
  const entries: Listed[] = [];
  for (const record of document.all(type.slideList).find((one) => one.instance === instance)?.children ??
    []) {
    if (record.type === type.slidePersist)
      entries.push({ persist: record.u32(0), id: record.u32(12), texts: [] });
    else entries.at(-1)?.texts.push(record);
  }
  return entries;
}

interface Places {
  offsets: Map<number, number>;
  document: Record | undefined;
  isEncrypted: boolean;
}

/** Follows the edits from the last to the first; the place that a later one gives holds. */
function readPlaces(main: Buffer, last: number): Places {
  const offsets = new Map<number, number>();
  let documentNumber: number | undefined;
  let isEncrypted = false;
  const seen = new Set<number>();
  for (let at = last; at > 0 && !seen.has(at) && seen.size < MAX_EDITS; ) {
    seen.add(at);
    const edit = recordAt(main, at);
    if (edit?.type !== type.userEdit) break;
    documentNumber ??= edit.u32(16);
    isEncrypted ||= edit.data.length >= 32 && edit.u32(28) !== 0;
    const directory = recordAt(main, edit.u32(12));
    if (directory?.type === type.persistDirectory) readDirectory(directory, offsets);
    at = edit.u32(8);
  }
  const place = documentNumber === undefined ? undefined : offsets.get(documentNumber);
  const document = place === undefined ? undefined : recordAt(main, place);
  return { offsets, document: document?.type === type.document ? document : undefined, isEncrypted };
}

/** Stretches of numbers that follow each other: the first and how many, then their offsets. */
function readDirectory(directory: Record, offsets: Map<number, number>): void {
  for (let at = 0; at + 4 <= directory.data.length; ) {
    const head = directory.u32(at);
    const [first, count] = [head & 0xfffff, head >>> 20];
    at += 4;
    for (let index = 0; index < count && at + 4 <= directory.data.length; index++, at += 4) {
      if (!offsets.has(first + index)) offsets.set(first + index, directory.u32(at));
    }
  }
}

function openContainer(bytes: Buffer, file: SourceFile): ReturnType<typeof read> {
  const opened = attempt(() => read(bytes, { type: 'buffer' }));
  if (opened instanceof Error)
    throw failure('damaged', file, 'its container is broken: get an intact copy', opened);
  return opened;
}

/** The library throws plain errors on broken bytes. */
function attempt<Value>(make: () => Value): Value | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function sideOf(units: number | undefined, otherwise: number): number {
  const side = (units ?? 0) * UNIT;
  return side > 50 && side < 10_000 ? Math.round(side) : otherwise;
}

function encrypted(file: SourceFile): ParseFailure {
  return failure('encrypted', file, 'it needs a password: save a copy without one');
}

function failure(
  reason: ConstructorParameters<typeof ParseFailure>[0],
  file: SourceFile,
  what: string,
  cause?: unknown,
): ParseFailure {
  return new ParseFailure(
    reason,
    `The presentation could not be read: ${file.name}: ${what}.`,
    cause === undefined ? {} : { cause },
  );
}
