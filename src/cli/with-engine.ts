/** How does a command get an engine, and give it back? */
import { createEngine, type Engine, type EngineOptions } from '../engine/engine.ts';
import { libraryPath, modelFolders, productVersion, samplePath } from './place.ts';

export interface LibraryOption {
  library?: string;
}

/** Opens the library; Ctrl-C aborts the signal and lets the engine close. */
export async function withEngine<T>(
  options: LibraryOption,
  use: (engine: Engine, signal: AbortSignal) => Promise<T>,
  more: Partial<EngineOptions> = {},
): Promise<T> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const engine = await createEngine({
    libraryPath: libraryPath(options.library),
    modelFolders: modelFolders(),
    version: productVersion(),
    samplePath,
    ...more,
  });
  try {
    return await use(engine, interrupted.signal);
  } finally {
    process.removeListener('SIGINT', interrupt);
    process.removeListener('SIGTERM', interrupt);
    await engine.close();
  }
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
