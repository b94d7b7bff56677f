/** How does a command get an engine, and give it back? */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type ModelDesk,
  openModelDesk,
  proxyFrom,
} from '../engine/engine.ts';
import {
  cataloguePath,
  languagesPath,
  libraryPath,
  modelFolders,
  productVersion,
  samplePath,
} from './place.ts';

export interface LibraryOption {
  library?: string;
}

/** What a command needs beside the usual. */
interface Needs extends Partial<EngineOptions> {
  /** The library must have been made before; a mistyped path must not become an empty library. Default false. */
  isThere?: boolean;
}

export const needsLibrary: Needs = { isThere: true };

/** Opens the library; Ctrl-C aborts the signal and lets the engine close. */
export async function withEngine<T>(
  options: LibraryOption,
  use: (engine: Engine, signal: AbortSignal) => Promise<T>,
  { isThere = false, ...more }: Needs = {},
): Promise<T> {
  const place = libraryPath(options.library);
  if (isThere && !isLibrary(options)) {
    throw new AppError(
      'BAD_REQUEST',
      `Opening the library failed: ${place}: there is none; check the path, or make one with "lectern index FOLDER".`,
    );
  }
  return untilInterrupted(
    () =>
      createEngine({
        libraryPath: place,
        ...modelsPlace(),
        samplePath,
        languagesPath,
        ...more,
      }),
    use,
  );
}

/** The models alone: no library is opened, so that another process may hold it. */
export async function withModels<T>(use: (desk: ModelDesk, signal: AbortSignal) => Promise<T>): Promise<T> {
  return untilInterrupted(async () => openModelDesk(modelsPlace()), use);
}

/** Whether a library stands there. */
export const isLibrary = (options: LibraryOption): boolean =>
  existsSync(path.join(libraryPath(options.library), 'library.db'));

function modelsPlace() {
  return { modelFolders: modelFolders(), version: productVersion(), cataloguePath, network: network() };
}

async function untilInterrupted<Open extends { close(): Promise<void> }, T>(
  open: () => Promise<Open>,
  use: (opened: Open, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const opened = await open();
  try {
    return await use(opened, interrupted.signal);
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
    await opened.close();
  }
}

/** How the host of a model is reached when the user asks for a download; LECTERN_MODEL_HUB names a mirror of it. */
function network(): NonNullable<EngineOptions['network']> {
  const origin = process.env.LECTERN_MODEL_HUB;
  if (origin && !URL.canParse(origin)) {
    throw new AppError(
      'BAD_REQUEST',
      `Reading LECTERN_MODEL_HUB failed: ${origin}: it is no address; give one such as https://hub.example.`,
    );
  }
  return { proxy: proxyFrom(process.env), ...(origin ? { origin } : {}) };
}

/** A scope that holds no document is a slip of the pen, not an answer. */
export async function checkScope(engine: Engine, scope: string | undefined): Promise<void> {
  if (scope === undefined) return;
  const counts = await engine.store.counts({ path: scope, includeArchived: true });
  if (counts.indexed + counts.waiting + counts.failed > 0) return;
  throw new AppError(
    'BAD_REQUEST',
    `Narrowing down failed: ${scope}: no document of this library stands there; give a folder or document relative to its indexed folder.`,
  );
}

/** One JSON value, or one line of a stream of them. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Progress and remarks go where they don't disturb a program that reads the output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
