/** What is Lectern without a window? Builds the parts and returns what a shell may use. */
import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { AnswerEvent, EvaluationProgress, Scope, SearchResult } from '../api/types.ts';
import { type AnswerParts, answer } from './answer.ts';
import { contextBlocks as contextLimits, embed as embedLimits } from './config.ts';
import { examine } from './doctor.ts';
import { ParseFailure, type Similarity } from './document.ts';
import type { NetworkOptions } from './download-service.ts';
import { embedAll } from './embed-catch-up.ts';
import { type Entries, sourceEntries } from './entries.ts';
import { type EvaluationRequest, evaluate, readQuestions } from './evaluate.ts';
import { FolderService } from './folder-service.ts';
import { readOne } from './index-folder.ts';
import type { Models } from './model-host.ts';
import type { ModelManager } from './model-manager.ts';
import { type DocumentPart, type OpenedDocument, openDocument } from './open-document.ts';
import { openModelManager, openModels } from './open-models.ts';
import { type ExtractedDocument, ParsePool } from './parse-pool.ts';
import { Recognition } from './recognise-waiting.ts';
import { RecognisedPages } from './recognised-pages.ts';
import { contextBlocks } from './retrieve/context-blocks.ts';
import { cosineOf } from './retrieve/duplicates.ts';
import { createRouter } from './router.ts';
import { search } from './search.ts';
import { Store } from './store/store.ts';
import type { StoreApi } from './store/types.ts';

export { bytesInWords } from './models/bytes-in-words.ts';
export { proxyFrom } from './models/network.ts';
export { type ModelDesk, openModelDesk } from './open-models.ts';

export interface EngineOptions {
  /** Folder of the library's data; made if absent. */
  libraryPath: string;
  /** Folders that hold model folders, first one first: the user's own, then those that came with the program. */
  modelFolders: string[];
  /** File of the models that can be had; without it none can. */
  cataloguePath?: string;
  /** Folder of the languages that words in pictures are recognised in; without it pictures wait. */
  languagesPath?: string;
  /** Recognition waits until nobody has asked or read for so long, ms; default: see config. */
  recognitionQuietMs?: number;
  /** How the host of a model is reached, when the user asks for a download. Default: directly. */
  network?: NetworkOptions;
  /** Memory that models may take, bytes; default: what the machine has free, less a reserve. */
  modelMemoryBytes?: number;
  /** Shown in status; the product's version. */
  version: string;
  /** Path of the sample library, offered at the first start. */
  samplePath?: string;
  /** Entries of threads and processes; default: the source tree's. */
  entries?: Entries;
  /** Threads of the language model and the encoders; default: what the machine has. */
  modelThreads?: number;
  /** Environment of the model processes, for hosts whose program needs one to run as Node. */
  modelEnvironment?: Record<string, string | undefined>;
  /** Reads all folders again at start, in the background. Default false. */
  refreshAtStart?: boolean;
}

/** A question as the shells ask it. */
export interface Asked {
  question: string;
  scope?: Scope;
}

/** What the router works with. */
export interface EngineParts {
  version: string;
  libraryPath: string;
  samplePath?: string;
  store: StoreApi;
  pool: ParsePool;
  recognised: RecognisedPages;
  folders: FolderService;
  models: Models;
  modelManager: ModelManager;
  cachePath: string;
  search(
    question: Asked & { limit?: number; isWidened?: boolean },
    signal?: AbortSignal,
  ): Promise<SearchResult>;
  ask(
    question: Asked & { withoutModel?: boolean; isKept?: boolean },
    signal?: AbortSignal,
  ): AsyncIterable<AnswerEvent>;
  /** Lets a job run on after its call returned; its failure is remembered in the ledger or the folder's state. */
  inBackground(job: Promise<unknown>): void;
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;

/** Opens the library and starts the engine. Errors: LIBRARY_NEWER, LIBRARY_BUSY. */
export async function createEngine(options: EngineOptions) {
  const entries = options.entries ?? sourceEntries;
  await makeLibraryFolder(options.libraryPath);
  const store = await Store.open({ path: path.join(options.libraryPath, 'library.db'), entries });
  const recognised = new RecognisedPages(path.join(options.libraryPath, 'recognised'));
  const pool = new ParsePool({
    entry: entries.indexWorker,
    recognisedFolder: recognised.folder,
    membersFolder: path.join(options.libraryPath, 'members'),
  });
  const models = openModels(options, entries, store);
  const closing = new AbortController();
  const { inBackground, ended } = backgroundJobs();
  const catchUp = oneAtATime(async () => {
    const [embedders, installed] = await Promise.all([models.embedders(), models.list()]);
    return embedAll({ store, embedders, installed, signal: closing.signal });
  });
  const modelsFolder = options.modelFolders[0] ?? path.join(options.libraryPath, 'models');
  const onChanged = () => inBackground(catchUp());
  const modelManager = openModelManager(options, modelsFolder, { host: models, store, onChanged });
  inBackground(modelManager.sweep());
  const onReplaced = () => inBackground(catchUp());
  const recognition = openRecognition(options, { store, pool, models, recognised, onReplaced });
  const folders = new FolderService({
    store,
    pool,
    similarity: () => sentenceSimilarity(models),
    embedder: async () => (await models.starter())?.embedder,
    onIndexed: () => inBackground(Promise.all([catchUp(), recognition.wake()])),
    hold: () => recognition.hold(),
  });
  const parts: EngineParts = {
    version: options.version,
    libraryPath: options.libraryPath,
    ...(options.samplePath === undefined ? {} : { samplePath: options.samplePath }),
    ...{ store, pool, recognised, folders, models, modelManager, inBackground },
    cachePath: path.join(options.libraryPath, 'cache'),
    ...asking(store, models, inBackground, () => recognition.hold()),
  };
  if (options.refreshAtStart) {
    for (const folder of await store.folders()) inBackground(folders.index(folder.id));
    inBackground(Promise.all([catchUp(), recognition.wake()]));
  }
  return {
    ...parts,
    router: createRouter(parts),
    openDocument: (id: number, part: DocumentPart): Promise<OpenedDocument> => openDocument(parts, id, part),
    context: async (question: Asked, signal?: AbortSignal) =>
      contextBlocks(await parts.search({ ...question, limit: contextLimits.hits, isWidened: true }, signal)),
    evaluate: async (request: EvaluationRequest, onProgress?: (progress: EvaluationProgress) => void) =>
      evaluate(await evaluationParts(store, models, request), { ...request, onProgress }),
    readQuestions,
    doctor: () => examine(parts),
    /** Embeds what is indexed and not embedded; at once when no embedder is installed. */
    embedAll: catchUp,
    /** Recognises the words of all pictures that wait. */
    recogniseAll: () => recognition.wake(),
    close: async () => {
      closing.abort();
      await recognition.close();
      await modelManager.close();
      await folders.close();
      await ended();
      await pool.close();
      await models.close();
      await store.close();
    },
  };
}

function openRecognition(
  options: EngineOptions,
  parts: {
    store: StoreApi;
    pool: ParsePool;
    models: Models;
    recognised: RecognisedPages;
    /** A document has its words now; they want their vectors. */
    onReplaced(): void;
  },
): Recognition {
  return new Recognition({
    ...parts,
    languages: options.languagesPath ?? path.join(options.libraryPath, 'languages'),
    readAgain: async (id, signal) => {
      await readAgainOf(parts, id, signal);
      parts.onReplaced();
    },
    quietMs: options.recognitionQuietMs,
  });
}

/** Reads one document again, as an index run would have. */
async function readAgainOf(
  { store, pool, models }: { store: StoreApi; pool: ParsePool; models: Models },
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const row = await store.document(id);
  const folder = row && (await store.folders()).find((candidate) => candidate.id === row.folderId);
  if (!folder) return;
  const [similarity, starter] = await Promise.all([sentenceSimilarity(models), models.starter()]);
  await readOne({
    ...{ store, pool, folder, signal, path: row.path, container: row.container, embedder: starter?.embedder },
    ...(similarity ? { similarity } : {}),
  });
}

/** Jobs that nobody waits for until the end. */
function backgroundJobs() {
  const jobs = new Set<Promise<unknown>>();
  const inBackground = (job: Promise<unknown>) => {
    const settled = job.catch(() => undefined).finally(() => jobs.delete(settled));
    jobs.add(settled);
  };
  return { inBackground, ended: () => Promise.all(jobs) };
}

async function makeLibraryFolder(libraryPath: string): Promise<void> {
  const failure = await mkdir(libraryPath, { recursive: true })
    .then(() => access(libraryPath, constants.W_OK))
    .then(
      () => undefined,
      (cause: NodeJS.ErrnoException) => cause,
    );
  if (!failure) return;
  throw new AppError(
    'BAD_REQUEST',
    `Opening the library failed: ${libraryPath}: the system refuses it as a folder to write to (${failure.code}); choose another one.`,
    { cause: failure },
  );
}

/** Text, blocks and places of one file, without a library. Errors: DOCUMENT_UNREADABLE. */
export async function extractFile(
  filePath: string,
  entries: Entries = sourceEntries,
): Promise<ExtractedDocument> {
  const pool = new ParsePool({ entry: entries.indexWorker });
  try {
    const stats = await stat(filePath).catch((cause: unknown) => {
      throw new ParseFailure('unreadable', `Reading failed: ${filePath}: it is not there; check the path.`, {
        cause,
      });
    });
    if (stats.isDirectory())
      throw new ParseFailure('unreadable', `Reading failed: ${filePath}: it is a folder; give a file in it.`);
    return await pool.extract({ path: filePath, name: path.basename(filePath), sizeBytes: stats.size });
  } finally {
    await pool.close();
  }
}

/** Calls during a run share one more run, which begins after it: it sees what they saw. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined;
  let next: Promise<T> | undefined;
  return () => {
    next ??= (running ?? Promise.resolve()).then(() => {
      const now = work();
      next = undefined;
      running = now.catch(() => undefined);
      return now;
    });
    return next;
  };
}

/** The two ways of asking; what they show is counted. */
function asking(
  store: StoreApi,
  models: Models,
  inBackground: EngineParts['inBackground'],
  hold: () => () => void,
): Pick<EngineParts, 'search' | 'ask'> {
  return {
    search: async (question, signal) => {
      const release = hold();
      try {
        const found = await search(await searchParts(store, models), { ...question, signal });
        inBackground(countAsked(store, found));
        return found;
      } finally {
        release();
      }
    },
    ask: async function* (question, signal) {
      const release = hold();
      try {
        for await (const event of ask(store, models, question, signal)) {
          if (event.type === 'passages') inBackground(countAsked(store, event.search));
          yield event;
        }
      } finally {
        release();
      }
    },
  };
}

/** What was shown is what a better embedder should know first. */
async function countAsked(store: StoreApi, { hits, judgement }: SearchResult): Promise<void> {
  if (judgement === 'nothing' || hits.length === 0) return;
  const shown = hits.slice(0, embedLimits.askedHits).map(({ document }) => document.id);
  await store.countAsked([...new Set(shown)]);
}

async function searchParts(store: StoreApi, models: Models) {
  const [embedders, reranker] = await Promise.all([models.embedders(), models.reranker()]);
  return { store, embedders, reranker };
}

async function evaluationParts(store: StoreApi, models: Models, request: EvaluationRequest) {
  const needsGenerator = request.withAnswers === true && !request.withoutModel;
  return {
    ...(await searchParts(store, models)),
    generator: needsGenerator ? await models.generator() : undefined,
  };
}

async function* ask(
  store: StoreApi,
  models: Models,
  question: Asked & { withoutModel?: boolean; isKept?: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const parts: AnswerParts = {
    ...(await searchParts(store, models)),
    generator: question.withoutModel ? undefined : await models.generator(),
  };
  yield* answer(parts, { ...question, signal });
}

/** Cosine of neighbouring sentences by a better embedder than the built-in one, which knows words and not sentences. */
async function sentenceSimilarity(models: Models): Promise<Similarity | undefined> {
  const installed = (await models.embedders()).find(({ isBuiltIn }) => !isBuiltIn);
  if (!installed) return undefined;
  return async (sentences) => {
    const vectors = await installed.embedder.embed(sentences, 'passage');
    return vectors.slice(1).map((vector, index) => cosineOf(vector, vectors[index]) ?? 0);
  };
}
