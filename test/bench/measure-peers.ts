/** How does Lectern compare with pdftotext and Recoll on the same files in the same run? */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '../../src/engine/config.ts';
import { ParseFailure } from '../../src/engine/document.ts';
import { parseDocument } from '../../src/engine/parse/parse-document.ts';
import { type BenchContext, type Section, scaled, timed, toMb } from './bench-context.ts';
import { type Corpus, makePeerCorpus, makeWarmUp } from './corpus.ts';
import { isInstalled } from './machine.ts';
import { indexTimed, openLibrary } from './open-library.ts';
import { median, type Row } from './report.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

const section = 'peers';
const ROUNDS = 3;
const COPIES = 4;
const never = new AbortController().signal;
const commandLine = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export const measurePeers: Section = async (context) => {
  const copies = scaled(COPIES, context, 1);
  const pdfs = makePeerCorpus(context.folder('pdfs'), 'pdf', copies);
  const others = makePeerCorpus(context.folder('others'), 'other', copies);
  return [
    ...(await againstPdftotext(context, pdfs)),
    ...(await againstRecoll(context, pdfs, 'PDF', 2)),
    ...(await againstRecoll(context, others, 'other formats', 1)),
  ];
};

async function againstPdftotext(context: BenchContext, corpus: Corpus): Promise<Row[]> {
  const rows: Row[] = [
    { section, what: 'PDF text against pdftotext', unit: 'x' },
    { section, what: 'PDF whole indexing against pdftotext', unit: 'x' },
  ];
  if (!isInstalled('pdftotext')) return rows.map((row) => ({ ...row, note: 'pdftotext is not installed' }));
  const files = readdirSync(corpus.folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => path.join(corpus.folder, name));
  context.note(`PDF against pdftotext: ${files.length} files, ${toMb(corpus.bytes).toFixed(1)} MB`);
  const copies = scaled(COPIES, context, 1);
  const theirs = () => eachFile(files, (file) => runProgram('pdftotext', ['-q', file, '/dev/null']));
  const ours = () => eachFile(files, parseWhole);
  await theirs();
  const pages = (await ours()).reduce((sum, count) => sum + count, 0);
  const library = await openLibrary(context.folder('library'));
  const indexing: number[] = [];
  const parsing: number[] = [];
  const peer: number[] = [];
  try {
    await indexTimed(library, makeWarmUp(context.folder('warm-up'), 2 * parse.workers).folder);
    // The peer stands between the two, so that each is compared with its neighbour in time.
    for (let round = 0; round < ROUNDS; round++) {
      parsing.push((await timed(ours)).ms);
      peer.push((await timed(theirs)).ms);
      const { folder } = makePeerCorpus(context.folder('pdfs'), 'pdf', copies, round + 1);
      indexing.push((await indexTimed(library, folder)).elapsedMs);
    }
  } finally {
    await library.close();
  }
  const note = (own: number[]) =>
    `${pages} pages: ${(median(own) / pages).toFixed(2)} and ${(median(peer) / pages).toFixed(2)} ms a page`;
  return [parsing, indexing].map((own, at) => ({
    ...rows[at]!,
    value: median(own.map((ms, round) => ms / peer[round]!)),
    note: note(own),
  }));
}

/** One after the other, as one core would. */
async function eachFile<T>(files: string[], work: (file: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const file of files) results.push(await work(file));
  return results;
}

/** Reads a file to its end in this thread; returns its pages. A scan has no text, for neither of the two. */
async function parseWhole(file: string): Promise<number> {
  let pages = 0;
  const source = { path: file, name: path.basename(file), sizeBytes: statSync(file).size };
  try {
    for await (const part of parseDocument(source, never)) {
      if (part.type === 'metadata') pages = part.metadata.pages ?? pages;
    }
  } catch (error) {
    if (!(error instanceof ParseFailure && error.reason === 'no-text')) throw error;
  }
  return pages;
}

/** Both as their users start them: a new process, a new index. */
async function againstRecoll(
  context: BenchContext,
  corpus: Corpus,
  what: string,
  atMost: number,
): Promise<Row[]> {
  const row: Row = { section, what: `${what} against Recoll`, unit: 'x', atMost };
  if (!isInstalled('recollindex')) return [{ ...row, note: 'recollindex is not installed' }];
  context.note(`${what} against Recoll: ${corpus.files} files, ${toMb(corpus.bytes).toFixed(1)} MB`);
  const own: ProgramRun[] = [];
  const peer: ProgramRun[] = [];
  let missing = '';
  // The first round warms the system's cache of files and programs.
  for (let round = 0; round < ROUNDS; round++) {
    const configuration = makeRecollConfiguration(context.folder('recoll'), corpus.folder);
    peer.push(await runProgram('recollindex', ['-c', configuration]));
    missing = missingInRecoll(configuration);
    const library = context.folder('library');
    const args = [commandLine, 'index', corpus.folder, '--library', library, '--json'];
    own.push(await runProgram(process.execPath, args, { LECTERN_HOME: library }));
  }
  const value = median(own.slice(1).map(({ ms }, at) => ms / peer[at + 1]!.ms));
  const seconds = (all: ProgramRun[]) => (median(all.slice(1).map(({ ms }) => ms)) / 1000).toFixed(1);
  const ofProcessor = (all: ProgramRun[]) =>
    (median(all.slice(1).map(({ processorMs }) => processorMs ?? Number.NaN)) / 1000).toFixed(1);
  const note = `${corpus.files} files, ${toMb(corpus.bytes).toFixed(1)} MB: ${seconds(own)} and ${seconds(peer)} s, of processor ${ofProcessor(own)} and ${ofProcessor(peer)} s${missing}`;
  return [{ ...row, value, note }];
}

function makeRecollConfiguration(folder: string, topFolder: string): string {
  mkdirSync(folder, { recursive: true });
  const lines = [`topdirs = "${topFolder}"`, 'loglevel = 1', `logfilename = ${path.join(folder, 'log')}`];
  writeFileSync(path.join(folder, 'recoll.conf'), `${lines.join('\n')}\n`);
  return folder;
}

/** Formats that Recoll could not read for want of a helper would make it look fast. */
function missingInRecoll(configuration: string): string {
  const file = path.join(configuration, 'missing');
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? '' : `; Recoll lacks: ${text.replace(/\s+/gu, ' ')}`;
}
