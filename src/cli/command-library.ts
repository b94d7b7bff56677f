/** `lectern index`, `extract` and `context`. */
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { Folder, IndexSummary } from '../api/types.ts';
import { type Engine, extractFile } from '../engine/engine.ts';
import { placesInWords } from './shapes.ts';
import {
  checkScope,
  type LibraryOption,
  needsLibrary,
  note,
  print,
  printJson,
  withEngine,
} from './with-engine.ts';

interface JsonOption {
  json?: boolean;
}

export async function indexFolders(
  folders: string[],
  options: LibraryOption & JsonOption & { recognise?: boolean },
): Promise<void> {
  await withEngine(options, async (engine, signal) => {
    const total: IndexSummary = {
      documents: 0,
      indexed: 0,
      unchanged: 0,
      failed: 0,
      removed: 0,
      chunks: 0,
      bytes: 0,
      elapsedMs: 0,
    };
    for (const folder of folders) {
      const summary = await indexFolder(engine, path.resolve(folder), signal);
      for (const key of Object.keys(total) as (keyof IndexSummary)[]) total[key] += summary[key];
    }
    await engine.embedAll();
    if (options.recognise) await recogniseAll(engine, signal);
    if (options.json) printJson(total);
    else {
      const { waiting } = await engine.store.counts({ includeArchived: true });
      print(
        `${total.documents} documents: ${total.indexed} read, ${total.unchanged} unchanged, ${total.failed} could not be read, ${total.removed} removed; ${Math.round(total.elapsedMs)} ms`,
      );
      if (waiting > 0) {
        print(
          `${waiting} of the library wait for recognition: their pages are pictures; --recognise reads them now`,
        );
      }
    }
  });
}

/** Pages that are done stay done when it is interrupted. */
async function recogniseAll(engine: Engine, signal: AbortSignal): Promise<void> {
  const interrupted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  note('recognising words in pictures…');
  await Promise.race([engine.recogniseAll(), interrupted]);
}

/** Adds the folder unless it is known, and reads it to the end. */
export async function indexFolder(
  engine: Engine,
  folderPath: string,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const known = (await engine.store.folders()).find((folder) => folder.path === folderPath);
  const folder = known ?? (await engine.folders.add(folderPath));
  const cancel = () => void engine.folders.cancel(folder.id);
  signal.addEventListener('abort', cancel, { once: true });
  const progress = reportProgress(engine, folder.id);
  try {
    return await engine.folders.index(folder.id);
  } finally {
    signal.removeEventListener('abort', cancel);
    progress.stop();
  }
}

/** Forgets a folder and everything read from it; its files stay. */
export async function forgetFolder(folder: string, options: LibraryOption): Promise<void> {
  await withEngine(
    options,
    async (engine) => {
      const { id, path: known } = await knownFolder(engine, folder);
      await engine.folders.remove(id);
      print(`Forgotten: ${known}`);
    },
    needsLibrary,
  );
}

/** A folder of the library by its path on this machine. Errors: FOLDER_NOT_FOUND. */
export async function knownFolder(engine: Engine, folder: string): Promise<Folder> {
  const resolved = path.resolve(folder);
  const found = (await engine.store.folders()).find((known) => known.path === resolved);
  if (found) return found;
  throw new AppError(
    'FOLDER_NOT_FOUND',
    `Looking a folder up failed: ${resolved}: it is not in this library; read it with "lectern index".`,
  );
}

function reportProgress(engine: Engine, folderId: number): { stop(): void } {
  const stopped = new AbortController();
  let lastMs = 0;
  const run = async () => {
    for await (const states of engine.folders.progress(stopped.signal)) {
      const state = states.find((candidate) => candidate.folderId === folderId);
      if (!state || state.phase === 'scanning' || Date.now() - lastMs < 1000) continue;
      lastMs = Date.now();
      note(`${state.phase}: ${state.processed} of ${state.found} files, ${state.failed} could not be read`);
    }
  };
  void run();
  return { stop: () => stopped.abort() };
}

export async function extract(file: string, options: JsonOption): Promise<void> {
  const extracted = await extractFile(path.resolve(file));
  let start = 0;
  const blocks = extracted.blocks.map((block) => {
    const at = start;
    start += block.text.length;
    return { kind: block.kind, start: at, end: start, anchors: block.spans.map((span) => span.anchor) };
  });
  const text = extracted.blocks.map((block) => block.text).join('');
  if (options.json) printJson({ text, blocks, metadata: extracted.metadata, warnings: extracted.warnings });
  else process.stdout.write(text);
}

export async function context(
  question: string,
  options: LibraryOption & JsonOption & { scope?: string },
): Promise<void> {
  await withEngine(
    options,
    async (engine, signal) => {
      await checkScope(engine, options.scope);
      const scope = options.scope ? { scope: { path: options.scope } } : {};
      const blocks = await engine.context({ question, ...scope }, signal);
      if (options.json) {
        printJson({ blocks });
        return;
      }
      for (const block of blocks) {
        print(`[${block.number}] ${block.document}${placesInWords(block.anchors)}\n${block.text.trim()}\n`);
      }
    },
    needsLibrary,
  );
}
