/** How does each call of the contract reach the engine's parts, and how do their errors travel? */
import { implement, ORPCError } from '@orpc/server';
import { contract } from '../api/contract.ts';
import { AppError } from '../api/errors.ts';
import type { DocumentView, Status } from '../api/types.ts';
import type { EngineParts } from './engine.ts';
import { readOne } from './index-folder.ts';
import { isChanged, locate } from './locate.ts';
import { documentFile, hasView } from './open-document.ts';
import { documentUrl } from './serve-document.ts';

/** An AppError keeps its code and sentence over every transport; anything else is a defect and says no more than that. */
function toWire(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return new ORPCError(error.code, { message: error.message });
}

async function* withWireErrors<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw toWire(error);
  }
}

/** Builds the router that every shell serves. */
export function createRouter(parts: EngineParts) {
  const { store, folders, modelManager } = parts;
  const os = implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw toWire(error);
    }
  });
  return os.router({
    status: os.status.handler(() => status(parts)),
    folders: {
      list: os.folders.list.handler(() => store.folders()),
      add: os.folders.add.handler(async ({ input }) => {
        const folder = await folders.add(input.path);
        parts.inBackground(folders.index(folder.id));
        return folder;
      }),
      remove: os.folders.remove.handler(({ input }) => folders.remove(input.id)),
      index: os.folders.index.handler(({ input }) => folders.index(input.id)),
      cancel: os.folders.cancel.handler(({ input }) => folders.cancel(input.id)),
      progress: os.folders.progress.handler(({ signal }) => withWireErrors(folders.progress(signal))),
    },
    documents: {
      list: os.documents.list.handler(({ input }) => store.documents(input)),
      counts: os.documents.counts.handler(({ input }) => store.ledgerCounts(input)),
      excluded: os.documents.excluded.handler(({ input }) => store.exclusions(input)),
      view: os.documents.view.handler(({ input }) => documentView(parts, input.id)),
      locate: os.documents.locate.handler(({ input }) => locate(parts, input.id, input.start, input.end)),
      rows: os.documents.rows.handler(({ input }) =>
        store.sheetRows(input.id, input.sheet, input.from, input.count),
      ),
      retry: os.documents.retry.handler(({ input, signal }) => retry(parts, input.id, signal)),
    },
    search: os.search.handler(({ input, signal }) => parts.search(input, signal)),
    ask: os.ask.handler(({ input, signal }) => withWireErrors(parts.ask(input, signal))),
    conversations: {
      list: os.conversations.list.handler(({ input }) => store.conversations(input.limit)),
      get: os.conversations.get.handler(async ({ input }) => {
        const conversation = await store.conversation(input.id);
        if (conversation) return conversation;
        throw new AppError('RUN_NOT_FOUND', `Opening a question failed: number ${input.id}: it was removed.`);
      }),
      remove: os.conversations.remove.handler(({ input }) => store.removeConversation(input.id)),
    },
    models: {
      list: os.models.list.handler(() => modelManager.list()),
      check: os.models.check.handler(({ signal }) => modelManager.check(signal)),
      catalogue: os.models.catalogue.handler(() => modelManager.catalogue()),
      machine: os.models.machine.handler(() => modelManager.machine()),
      resetDevices: os.models.resetDevices.handler(() => modelManager.resetDevices()),
      download: os.models.download.handler(({ input }) => modelManager.download(input.id)),
      cancelDownload: os.models.cancelDownload.handler(({ input }) => modelManager.cancelDownload(input.id)),
      downloads: os.models.downloads.handler(({ signal }) => withWireErrors(modelManager.downloads(signal))),
      importFrom: os.models.importFrom.handler(({ input, signal }) =>
        modelManager.importFrom(input.path, signal),
      ),
      exportTo: os.models.exportTo.handler(({ input, signal }) =>
        modelManager.exportTo(input.ids, input.path, signal),
      ),
      remove: os.models.remove.handler(({ input }) => modelManager.remove(input.id)),
      choose: os.models.choose.handler(({ input }) => modelManager.choose(input.id)),
      speedTest: os.models.speedTest.handler(({ input, signal }) => modelManager.speedTest(input.id, signal)),
    },
  });
}

async function status(parts: EngineParts): Promise<Status> {
  const [counts, chunks, models] = await Promise.all([
    parts.store.counts({ includeArchived: true }),
    parts.store.chunkCount(),
    parts.modelManager.list(),
  ]);
  const hasEmbedder = models.some(({ kind, state }) => kind === 'embedder' && state === 'ready');
  return {
    version: parts.version,
    libraryPath: parts.libraryPath,
    counts,
    chunks,
    models,
    method: hasEmbedder ? 'hybrid' : 'keywords',
    ...(parts.samplePath === undefined ? {} : { samplePath: parts.samplePath }),
  };
}

async function documentView(parts: EngineParts, id: number): Promise<DocumentView> {
  const file = await documentFile(parts, id);
  const [changed, sheets] = await Promise.all([isChanged(parts.store, file), parts.store.sheets(id)]);
  return {
    document: file.row,
    absolutePath: file.shownPath,
    originalUrl: documentUrl(id, 'original'),
    ...(hasView(file.row.kind) ? { viewUrl: documentUrl(id, 'view') } : {}),
    isChanged: changed,
    sheets,
  };
}

async function retry(parts: EngineParts, id: number, signal: AbortSignal | undefined) {
  const file = await documentFile(parts, id);
  const folder = await parts.folders.folder(file.row.folderId);
  const documentId = await readOne({
    store: parts.store,
    pool: parts.pool,
    folder,
    path: file.row.path,
    container: file.row.container,
    signal,
    embedder: (await parts.models.starter())?.embedder,
  });
  const row = await parts.store.document(documentId);
  if (row) return row;
  throw new AppError(
    'DOCUMENT_NOT_FOUND',
    `Reading again failed: ${file.row.path}: it disappeared meanwhile.`,
  );
}
