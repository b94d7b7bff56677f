/** What is Lectern without a window? Builds the parts and returns what a shell may use. */
import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { AnswerEvent, EvaluationProgress, Scope, SearchResult } from '../api/types.ts';
import { type AnswerParts, answer } from './answer.ts';
import { contextBlocks as contextLimits } from './config.ts';
import { examine } from './doctor.ts';
import { ParseFailure, type Similarity } from './document.ts';
import { catchUpVectors } from './embed-catch-up.ts';
import { type Entries, sourceEntries } from './entries.ts';
import { type EvaluationRequest, evaluate, readQuestions } from './evaluate.ts';
import { FolderService } from './folder-service.ts';
import { createModels, type Models } from './model-host.ts';
import { type DocumentPart, type OpenedDocument, openDocument } from './open-document.ts';
import { type ExtractedDocument, ParsePool } from './parse-pool.ts';
import { contextBlocks } from './retrieve/context-blocks.ts';
import { cosineOf } from './retrieve/duplicates.ts';
import { createRouter } from './router.ts';
import { search } from './search.ts';
import { Store } from './store/store.ts';
import type { StoreApi } from './store/types.ts';

export interface EngineOptions {
  /** Folder of the library's data; made if absent. */
  libraryPath: string;
  /** Folders that hold model folders, first one first. */
  modelFolders: string[];
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
  folders: FolderService;
  models: Models;
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
  const pool = new ParsePool({ entry: entries.indexWorker });
  const models = createModels({
    folders: options.modelFolders,
    entry: entries.modelProcess,
    ...(options.modelThreads === undefined ? {} : { threads: options.modelThreads }),
    ...(options.modelEnvironment === undefined ? {} : { environment: options.modelEnvironment }),
  });
  const closing = new AbortController();
  const background = new Set<Promise<unknown>>();
  const inBackground = (job: Promise<unknown>) => {
    const settled = job.catch(() => undefined).finally(() => background.delete(settled));
    background.add(settled);
  };
  const embedAll = async () => {
    const installed = await models.embedder();
    if (installed) await catchUpVectors({ store, embedder: installed.embedder, signal: closing.signal });
  };
  const folders = new FolderService({
    store,
    pool,
    similarity: () => sentenceSimilarity(models),
    onIndexed: () => inBackground(embedAll()),
  });
  const parts: EngineParts = {
    version: options.version,
    libraryPath: options.libraryPath,
    ...(options.samplePath === undefined ? {} : { samplePath: options.samplePath }),
    store,
    pool,
    folders,
    models,
    cachePath: path.join(options.libraryPath, 'cache'),
    inBackground,
    search: async (question, signal) => search(await searchParts(store, models), { ...question, signal }),
    ask: (question, signal) => ask(store, models, question, signal),
  };
  if (options.refreshAtStart) {
    for (const folder of await store.folders()) inBackground(folders.index(folder.id));
    inBackground(embedAll());
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
    embedAll,
    close: async () => {
      closing.abort();
      await folders.close();
      await Promise.all(background);
      await pool.close();
      await models.close();
      await store.close();
    },
  };
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
    const { size } = await stat(filePath).catch((cause: unknown) => {
      throw new ParseFailure('unreadable', `Reading failed: ${filePath}: it is not there; check the path.`, {
        cause,
      });
    });
    return await pool.extract({ path: filePath, name: path.basename(filePath), sizeBytes: size });
  } finally {
    await pool.close();
  }
}

async function searchParts(store: StoreApi, models: Models) {
  const [embedder, reranker] = await Promise.all([models.embedder(), models.reranker()]);
  return { store, embedders: embedder ? [embedder] : [], reranker };
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

/** Cosine of neighbouring sentences by the installed embedder, whose vectors have unit length. */
async function sentenceSimilarity(models: Models): Promise<Similarity | undefined> {
  const installed = await models.embedder();
  if (!installed) return undefined;
  return async (sentences) => {
    const vectors = await installed.embedder.embed(sentences, 'passage');
    return vectors.slice(1).map((vector, index) => cosineOf(vector, vectors[index]) ?? 0);
  };
}
