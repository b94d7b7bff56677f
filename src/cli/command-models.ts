/** `lectern models`: see, get, bring, take along, choose, measure and remove them. */
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AppError } from '../api/errors.ts';
import type { CatalogueModel, ModelDevice, ModelDownload, ModelInfo } from '../api/types.ts';
import { bytesInWords, type ModelDesk } from '../engine/engine.ts';
import { UsageError } from './usage-error.ts';
import {
  isLibrary,
  type LibraryOption,
  needsLibrary,
  note,
  print,
  printJson,
  withEngine,
  withModels,
} from './with-engine.ts';

interface ModelsOptions extends LibraryOption {
  json?: boolean;
  yes?: boolean;
  /** Of "devices": forget which failed. */
  reset?: boolean;
}

type Desk = Pick<ModelDesk, 'modelManager'>;

type Action = (
  engine: Desk,
  words: string[],
  options: ModelsOptions,
  signal: AbortSignal,
) => Promise<unknown>;

/**
 * Each action with the words that it takes; the value that it gives is what --json prints. A library is opened for what stands in it
 * alone: which model was chosen, and how much of the library each one knows.
 */
const actions: Record<string, { words: string[]; run: Action; library?: 'if free' | 'needed' }> = {
  list: { words: [], run: list, library: 'if free' },
  available: { words: [], run: available },
  get: { words: ['ID'], run: get },
  import: { words: ['FILE'], run: importModels },
  export: { words: ['ID', 'FILE'], run: exportModels },
  check: { words: [], run: check, library: 'if free' },
  choose: { words: ['ID'], run: choose, library: 'needed' },
  remove: { words: ['ID'], run: remove },
  speed: { words: ['ID'], run: speed },
  devices: { words: [], run: showDevices },
};

export async function models(action: string, words: string[], options: ModelsOptions): Promise<void> {
  const known = actions[action];
  if (!known) {
    throw new UsageError(
      `argument 'action' is invalid: ${action}: use one of ${Object.keys(actions).join(', ')}`,
    );
  }
  const isExport = action === 'export';
  if (words.length < known.words.length || (words.length > known.words.length && !isExport)) {
    throw new UsageError(`"models ${action}" takes: ${known.words.join(' ') || 'nothing more'}`);
  }
  if (options.reset && action !== 'devices')
    throw new UsageError(`option '--reset' belongs to "models devices"`);
  const run = async (desk: Desk, signal: AbortSignal) => {
    const value = await known.run(desk, words, options, signal);
    if (options.json) printJson(value);
  };
  if (known.library === 'needed')
    return withEngine(options, run, options.library === undefined ? {} : needsLibrary);
  if (known.library === undefined || !isLibrary(options)) return withModels(run);
  return withEngine(options, run).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'LIBRARY_BUSY') throw error;
    note(
      'Another Lectern holds the library: which models are chosen there, and what they know, is not shown.',
    );
    return withModels(run);
  });
}

function inWords(model: ModelInfo): string {
  const { coverage } = model;
  const facts = [
    model.isInUse ? 'in use' : '',
    model.device ? `on ${model.device}` : '',
    coverage && coverage.total > 0 ? `knows ${coverage.done} of ${coverage.total} passages` : '',
    model.memoryBytes ? `${bytesInWords(model.memoryBytes)} of memory` : '',
    model.isVerified ? '' : 'not verified',
    model.isBuiltIn ? 'came with the program' : '',
  ];
  return `${facts.filter((fact) => fact !== '').join(', ')}  ${model.message ?? model.path}`;
}

function show(found: ModelInfo[], options: ModelsOptions): ModelInfo[] {
  if (options.json) return found;
  if (found.length === 0) print('No model is installed: questions are searched by words.');
  for (const model of found) {
    print(`${model.state.padEnd(8)} ${model.kind.padEnd(10)} ${model.id}  ${inWords(model)}`);
  }
  return found;
}

async function list(engine: Desk, _words: string[], options: ModelsOptions): Promise<ModelInfo[]> {
  const found = show(await engine.modelManager.list(), options);
  if (options.json) return found;
  const { devices } = await engine.modelManager.machine();
  printDevices(devices);
  return found;
}

function printDevices(devices: ModelDevice[]): void {
  for (const { kind, name, state, reason } of devices)
    print(`device   ${kind}${name ? ` (${name})` : ''}: ${state}${reason ? `, ${reason}` : ''}`);
}

async function showDevices({ modelManager }: Desk, _words: string[], options: ModelsOptions) {
  const { devices } = await (options.reset ? modelManager.resetDevices() : modelManager.machine());
  if (options.json) return devices;
  printDevices(devices);
  if (options.reset)
    print('What was learnt about them is forgotten: each model is tried on all of them at its next use.');
  return devices;
}

async function check(engine: Desk, _words: string[], options: ModelsOptions, signal: AbortSignal) {
  return show(await engine.modelManager.check(signal), options);
}

async function available(engine: Desk, _words: string[], options: ModelsOptions): Promise<CatalogueModel[]> {
  const found = await engine.modelManager.catalogue();
  if (options.json) return found;
  for (const model of found) {
    const marks = [
      model.installedId ? 'installed' : '',
      model.isRecommended ? 'recommended for this machine' : '',
      model.fit === 'fits'
        ? ''
        : model.fit === 'tight'
          ? 'memory is short now'
          : 'too large for this machine',
    ].filter((mark) => mark !== '');
    print(
      `${model.kind.padEnd(10)} ${model.id}  ${model.summary.en}${marks.length > 0 ? `  [${marks.join(', ')}]` : ''}`,
    );
    print(`           ${facts(model)}`);
  }
  return found;
}

function facts(model: CatalogueModel): string {
  const size = model.sizeBytes === undefined ? 'size not verified' : bytesInWords(model.sizeBytes);
  const revision =
    model.revision === undefined ? 'revision not verified' : `revision ${model.revision.slice(0, 7)}`;
  return `${model.host}/${model.repository}, ${revision}, ${size}, ${bytesInWords(model.memoryBytes)} of memory, licence ${model.licence}`;
}

async function get(
  engine: Desk,
  [id = '']: string[],
  options: ModelsOptions,
  signal: AbortSignal,
): Promise<ModelInfo | undefined> {
  const model = (await engine.modelManager.catalogue()).find((candidate) => candidate.id === id);
  if (!model) {
    throw new AppError(
      'MODEL_NOT_FOUND',
      `No such model can be had: ${id}: "lectern models available" names them.`,
    );
  }
  note(`${model.name}: ${model.summary.en}`);
  note(facts(model));
  note(`Its licence: ${model.licenceUrl}`);
  if (!(await mayConnect(model, options))) {
    note('Nothing was loaded.');
    return undefined;
  }
  await engine.modelManager.download(id);
  const last = await follow(engine, id, signal);
  if (last?.revision) {
    note(`commit ${last.revision}, ${bytesInWords(last.totalBytes ?? 0)} in ${last.files.length} files`);
  }
  if (last && last.phase !== 'done') note(keptInWords(last));
  if (last?.phase === 'cancelled') signal.throwIfAborted();
  if (last?.phase !== 'done')
    throw new AppError(last?.code ?? 'INTERNAL', last?.message ?? 'Download failed.');
  const installed = (await engine.modelManager.list()).find((info) => info.id === id);
  if (!options.json) print(`Installed: ${installed?.path}`);
  return installed;
}

/** Nothing is asked of a host before somebody said yes. */
async function mayConnect(model: CatalogueModel, options: ModelsOptions): Promise<boolean> {
  if (options.yes) return true;
  if (!process.stdin.isTTY)
    throw new UsageError(`"models get" connects to ${model.host}: add --yes to agree`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Connect to ${model.host} and load it? [y/N] `);
    return /^(y|yes|д|да)$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** Tells progress on stderr until the download ended. */
async function follow(engine: Desk, id: string, signal: AbortSignal): Promise<ModelDownload | undefined> {
  const stopped = new AbortController();
  const cancel = () => void engine.modelManager.cancelDownload(id);
  signal.addEventListener('abort', cancel, { once: true });
  let [lastMs, lastPhase] = [0, ''];
  const tell = async () => {
    for await (const states of engine.modelManager.downloads(stopped.signal)) {
      const state = states.find((candidate) => candidate.id === id);
      if (!state || (state.phase === lastPhase && Date.now() - lastMs < 1000)) continue;
      [lastMs, lastPhase] = [Date.now(), state.phase];
      note(progressInWords(state));
    }
  };
  const telling = tell();
  try {
    return await engine.modelManager.downloadEnded(id);
  } finally {
    signal.removeEventListener('abort', cancel);
    stopped.abort();
    await telling;
  }
}

function progressInWords({ phase, host, doneBytes, totalBytes, remainingMs }: ModelDownload): string {
  if (phase === 'resolving') return `resolving: asking ${host}`;
  if (phase !== 'downloading' || totalBytes === undefined) return phase;
  const left = remainingMs === undefined ? '' : `, about ${durationInWords(remainingMs)} left`;
  return `${phase}: ${bytesInWords(doneBytes)} of ${bytesInWords(totalBytes)}${left}`;
}

/** Seconds below a minute and a half, minutes below an hour and a half, then hours; never nothing. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function keptInWords({ id, doneBytes }: ModelDownload): string {
  return doneBytes > 0
    ? `The ${bytesInWords(doneBytes)} that came are kept: the same command goes on from there, "lectern models remove ${id}" deletes them.`
    : 'Nothing of it is kept.';
}

async function importModels(
  engine: Desk,
  [file = '']: string[],
  options: ModelsOptions,
  signal: AbortSignal,
) {
  return show(await engine.modelManager.importFrom(path.resolve(file), signal), options);
}

/** The last word is the file, those before it are models. */
async function exportModels(engine: Desk, words: string[], options: ModelsOptions, signal: AbortSignal) {
  const file = path.resolve(words.at(-1) ?? '');
  const written = await engine.modelManager.exportTo(words.slice(0, -1), file, signal);
  if (!options.json) print(`Written: ${file}, ${bytesInWords(written.sizeBytes)}`);
  return { file, ...written };
}

async function choose(engine: Desk, [id = '']: string[], options: ModelsOptions) {
  await engine.modelManager.choose(id);
  if (!options.json) print(`Chosen: ${id}`);
  return { id };
}

async function remove(engine: Desk, [id = '']: string[], options: ModelsOptions) {
  await engine.modelManager.remove(id);
  if (!options.json) print(`Removed: ${id}`);
  return { id };
}

async function speed(engine: Desk, [id = '']: string[], options: ModelsOptions, signal: AbortSignal) {
  const measured = await engine.modelManager.speedTest(id, signal);
  if (options.json) return measured;
  const { device, loadMs, passagesPerSecond, wordsPerSecond, firstWordMs } = measured;
  const figures =
    passagesPerSecond === undefined
      ? `${wordsPerSecond?.toFixed(1)} words a second, first word after ${Math.round(firstWordMs ?? 0)} ms`
      : `${passagesPerSecond.toFixed(1)} passages of 100 words a second`;
  print(`${id} on ${device}: ${figures}, loaded in ${loadMs} ms`);
  return measured;
}
