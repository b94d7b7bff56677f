/** Which streams does an old Word document have, and where in them do its parts begin? Offsets are those of [MS-DOC] 2.5. */
import { readFile } from 'node:fs/promises';
import { find, read } from 'cfb';
import { doc as limits } from '../../../config.ts';
import { ParseFailure, type SourceFile } from '../../../document.ts';
import { readOleProperties } from './ole-properties.ts';

/** Lengths of the stories in characters; they follow each other in the document's text in this order. */
export interface StoryLengths {
  body: number;
  footnotes: number;
  margins: number;
  macros: number;
  comments: number;
  endnotes: number;
  boxes: number;
  marginBoxes: number;
}

/** Position and length of a structure in the table stream, in bytes. */
export interface Place {
  offset: number;
  length: number;
}

export interface WordFile {
  /** Word 6 or 95: text in a code page, formatting in another form. */
  isOld: boolean;
  main: Buffer;
  /** The stream of structures; the main one in old files. */
  table: Buffer;
  /** Language of the program that wrote it, as a Windows identifier. */
  language: number;
  stories: StoryLengths;
  /** Text of a file that has no table of pieces. */
  text: Place;
  /** A structure by its index in FibRgFcLcb97; empty where there is none. */
  placeOf(index: number): Place;
  properties: { title?: string; author?: string; date?: string; pages?: number };
}

/** Indexes of structures in FibRgFcLcb97. */
export const parts = { styles: 1, characters: 12, paragraphs: 13, pieces: 33, lists: 73, listUses: 74 };

const WORD_MARK = 0xa5ec;
/** Versions below are Word 6 and 95. */
const WORD_97 = 0xc1;
/** Marks in the header's flags. */
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
/** Where the list of places begins; in Word 97 the parts before it have lengths of their own, which never changed. */
const PLACES_97 = 154;
const PLACES_6 = 0x58;
/** Where the eight lengths of stories begin. */
const LENGTHS_97 = 76;
const LENGTHS_6 = 0x34;
/** Index of the table of pieces in the list of Word 6. */
const PIECES_6 = 33;
/** Shortest header. */
const MIN_BYTES = 0x100;

/** Opens the container. Throws ParseFailure: encrypted, damaged, too-large, unsupported. */
export async function openWordFile(file: SourceFile): Promise<WordFile> {
  if (file.sizeBytes > limits.maxBytes) {
    throw failure('too-large', file, 'it is larger than the limit for old Word documents: save it as DOCX');
  }
  const container = openContainer(await readFile(file.path), file);
  const stream = (name: string): Buffer | undefined => {
    const content = find(container, name)?.content;
    return content === undefined ? undefined : Buffer.from(content as Uint8Array);
  };
  const main = stream('WordDocument');
  if (!main || main.length < MIN_BYTES)
    throw failure('damaged', file, 'its text is missing: get an intact copy');
  const version = main.readUInt16LE(2);
  const flags = main.readUInt16LE(10);
  if ((flags & ENCRYPTED) !== 0) {
    throw failure('encrypted', file, 'it needs a password: save a copy without one');
  }
  const isOld = version < WORD_97;
  if (!isOld && main.readUInt16LE(0) !== WORD_MARK)
    throw failure('damaged', file, 'its header is broken: get an intact copy');
  const table = isOld
    ? main
    : (stream((flags & SECOND_TABLE) === 0 ? '0Table' : '1Table') ?? Buffer.alloc(0));
  const placeAt = (at: number): Place =>
    at + 8 > main.length
      ? { offset: 0, length: 0 }
      : { offset: main.readUInt32LE(at), length: main.readUInt32LE(at + 4) };
  const [from, to] = [main.readUInt32LE(0x18), main.readUInt32LE(0x1c)];
  return {
    isOld,
    main,
    table,
    language: main.readUInt16LE(6),
    stories: readLengths(main, isOld ? LENGTHS_6 : LENGTHS_97),
    text: { offset: from, length: Math.max(0, Math.min(to, main.length) - from) },
    placeOf: (index) =>
      placeAt(isOld ? PLACES_6 + PIECES_6 * 8 * Number(index === parts.pieces) : PLACES_97 + index * 8),
    properties: readOleProperties(stream('\u0005SummaryInformation')),
  };
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

function readLengths(main: Buffer, from: number): StoryLengths {
  const length = (at: number): number => {
    const value = main.readInt32LE(from + at * 4);
    return value > 0 && value <= limits.maxCharacters ? value : 0;
  };
  return {
    body: length(0),
    footnotes: length(1),
    margins: length(2),
    macros: length(3),
    comments: length(4),
    endnotes: length(5),
    boxes: length(6),
    marginBoxes: length(7),
  };
}

export function failure(
  reason: ConstructorParameters<typeof ParseFailure>[0],
  file: SourceFile,
  what: string,
  cause?: unknown,
): ParseFailure {
  return new ParseFailure(
    reason,
    `The document could not be read: ${file.name}: ${what}.`,
    cause === undefined ? {} : { cause },
  );
}
