/** Which files does a benchmark index? The same ones on every machine: the sample library, repeated so that no two are equal. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testData } from '../test-data.ts';
import { createRandom } from './synthetic.ts';

export type Format = 'pdf' | 'docx' | 'xlsx' | 'csv' | 'html' | 'markdown' | 'text' | 'code';

/** Copies of each file of the sample library, enough for each format to take a few seconds. */
const copiesByFormat: Record<Format, number> = {
  pdf: 12,
  docx: 20,
  xlsx: 4,
  csv: 20,
  html: 80,
  markdown: 80,
  text: 80,
  code: 150,
};

export const formats = Object.keys(copiesByFormat) as Format[];

const formatByEnding: Record<string, Format> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.xlsx': 'xlsx',
  '.csv': 'csv',
  '.html': 'html',
  '.md': 'markdown',
  '.txt': 'text',
  '.py': 'code',
  '.ts': 'code',
};

/** A large sheet in every round would make a mixed folder a folder of sheets. */
const LARGE_BYTES = 64 * 1024;
const ROUNDS_PER_LARGE_FILE = 10;

const sampleLibrary = fileURLToPath(new URL('../../resources/sample-library', import.meta.url));

export interface Corpus {
  folder: string;
  files: number;
  bytes: number;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function formatOf(file: string): Format | undefined {
  return formatByEnding[path.extname(file).toLowerCase()];
}

/** The PDFs of the test data; none where it is absent. */
function northwindFiles(): string[] {
  const folder = testData('eval/northwind/library');
  return folder === undefined ? [] : filesBelow(folder).filter((file) => formatOf(file) === 'pdf');
}

/** Bytes of a copy: still the same document, yet no other copy's content, so that nothing is saved by knowing it already. */
function copyOf(file: string, number: number): Buffer {
  const bytes = readFileSync(file);
  const mark = `copy ${number}`;
  switch (formatOf(file)) {
    case 'docx':
    case 'xlsx':
      return withZipComment(bytes, mark);
    case 'html':
      return Buffer.concat([bytes, Buffer.from(`<!-- ${mark} -->\n`)]);
    case 'pdf':
      return Buffer.concat([bytes, Buffer.from(`\n% ${mark}\n`)]);
    case 'code':
      return Buffer.concat([bytes, Buffer.from(`\n${file.endsWith('.py') ? '#' : '//'} ${mark}\n`)]);
    default:
      return Buffer.concat([bytes, Buffer.from(`\n${mark}\n`)]);
  }
}

/** An archive ends with the length of its comment and the comment; ours have none yet. */
function withZipComment(bytes: Buffer, comment: string): Buffer {
  const copy = Buffer.concat([bytes, Buffer.from(comment)]);
  copy.writeUInt16LE(comment.length, bytes.length - 2);
  return copy;
}

function writeCopy(folder: string, file: string, number: number): void {
  const inside = path.join(folder, `round ${String(number).padStart(3, '0')}`);
  const { name, ext } = path.parse(file);
  mkdirSync(inside, { recursive: true });
  writeFileSync(path.join(inside, `${name} ${number}${ext}`), copyOf(file, number));
}

function writeCopies(folder: string, files: string[], first: number, count: number): void {
  for (let number = first; number < first + count; number++) {
    for (const file of files) writeCopy(folder, file, number);
  }
}

function measured(folder: string): Corpus {
  const files = filesBelow(folder);
  return { folder, files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}

const sampleFiles = (): string[] => filesBelow(sampleLibrary).filter((file) => formatOf(file) !== undefined);

/** Files of one format, repeated; PDFs of the test data once. */
export function makeFormatCorpus(folder: string, format: Format, scale: number): Corpus {
  const sources = sampleFiles().filter((file) => formatOf(file) === format);
  writeCopies(folder, sources, 1, Math.max(1, Math.round(copiesByFormat[format] * scale)));
  if (format === 'pdf') writeCopies(folder, northwindFiles(), 1, 1);
  return measured(folder);
}

/** One small file of each format for each worker, so that every parser is loaded before the clock starts. */
export function makeWarmUp(folder: string, copies: number): Corpus {
  const firsts = formats.map((format) =>
    sampleFiles()
      .filter((file) => formatOf(file) === format)
      .toSorted((a, b) => statSync(a).size - statSync(b).size)
      .at(0),
  );
  writeCopies(
    folder,
    firsts.filter((file) => file !== undefined),
    1,
    copies,
  );
  return measured(folder);
}

/** Files of every format in turn, large ones seldom. */
export function makeMixedCorpus(folder: string, files: number): Corpus {
  const sources = sampleFiles();
  let written = 0;
  for (let round = 1; written < files; round++) {
    for (const file of sources) {
      const isSkipped = statSync(file).size > LARGE_BYTES && round % ROUNDS_PER_LARGE_FILE !== 1;
      if (isSkipped || written >= files) continue;
      writeCopy(folder, file, round);
      written += 1;
    }
  }
  return measured(folder);
}

/** Copies of the sample library without its PDFs, or of those alone and of the test data's; each round has its own. */
export function makePeerCorpus(folder: string, kind: 'pdf' | 'other', copies: number, round = 0): Corpus {
  const sources = sampleFiles().filter((file) => (formatOf(file) === 'pdf') === (kind === 'pdf'));
  writeCopies(folder, sources, round * copies + 1, copies);
  if (kind === 'pdf') writeCopies(folder, northwindFiles(), round + 1, 1);
  return measured(folder);
}

const FILES_PER_FOLDER = 100;

/** Short notes, a hundred to a folder. */
export function makeSmallFiles(folder: string, files: number): Corpus {
  const random = createRandom(3);
  const words = readFileSync(sampleFiles().find((file) => file.endsWith('.txt'))!, 'utf8').split(/\s+/u);
  for (let number = 0; number < files; number++) {
    const inside = path.join(folder, `notes ${Math.floor(number / FILES_PER_FOLDER)}`);
    if (number % FILES_PER_FOLDER === 0) mkdirSync(inside, { recursive: true });
    const text = Array.from({ length: 40 }, () => words[Math.floor(random() * words.length)]).join(' ');
    writeFileSync(path.join(inside, `note ${number}.txt`), `${number} ${text}\n`);
  }
  return measured(folder);
}
