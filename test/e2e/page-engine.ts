/**
 * How is the page tested without the engine? A small server that implements the contract with hand-written data, so
 * that every state of the page (streaming, failure, nothing found, engine gone) can be brought about at will.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { implement, ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { contract } from '../../src/api/contract.ts';
import { noLedgerCounts, statesOf } from '../../src/api/ledger.ts';
import type {
  DocumentRow,
  DocumentView,
  Folder,
  Hit,
  IndexProgress,
  ModelInfo,
  Place,
  Scope,
} from '../../src/api/types.ts';
import { answerEvents, pastAnswer, searchResult } from './page-answers.ts';
import * as library from './page-library.ts';
import { modelCalls, models } from './page-models.ts';

export interface PageEngineOptions {
  /** Folder with the built page. Default: out/renderer. */
  rendererDir?: string;
  /** No folder yet: the first start. */
  isEmpty?: boolean;
  /** No model is installed. */
  hasNoModel?: boolean;
  /** What is installed. Default: one of every state. */
  models?: ModelInfo[];
  /** One folder is being read. */
  isReading?: boolean;
  /** What `documents.locate` says, by document. */
  places?: Record<number, Place['state']>;
}

export interface PageEngine {
  url: string;
  /** Ends every connection and refuses new ones, as when the engine died. */
  drop(): void;
  restore(): void;
  /** Calls that were made, by name, in order. */
  calls: string[];
  close(): Promise<void>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

export const pagePolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";
const framePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:";

const builtPage = fileURLToPath(new URL('../../out/renderer', import.meta.url));

export async function startPageEngine(options: PageEngineOptions = {}): Promise<PageEngine> {
  const calls: string[] = [];
  const agreement = await library.agreementPdf();
  const handler = new RPCHandler(router(options, calls, agreement.boxes));
  const bodies = new Map<string, { type: string; bytes: Uint8Array }>([
    ['/documents/1/original', { type: 'application/pdf', bytes: agreement.bytes }],
    ['/documents/2/view', text(library.annex)],
    ['/documents/3/original', text(library.terms.map((row) => row.join(',')).join('\n'))],
    ['/documents/4/view', text(library.trips)],
  ]);
  const server = createServer((request, response) => {
    serve(request, response, bodies, options.rendererDir ?? builtPage);
  });
  const sockets = new WebSocketServer({ noServer: true });
  let isGone = false;
  server.on('upgrade', (request, socket, head) => {
    if (isGone || request.url !== '/rpc') {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (one) => void handler.upgrade(one));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropAll = (): void => {
    for (const one of sockets.clients) one.terminate();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    drop: () => {
      isGone = true;
      dropAll();
    },
    restore: () => {
      isGone = false;
    },
    calls,
    close: async () => {
      dropAll();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = (words: string): { type: string; bytes: Uint8Array } => ({
  type: 'text/plain; charset=utf-8',
  bytes: new TextEncoder().encode(words),
});

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: Map<string, { type: string; bytes: Uint8Array }>,
  rendererDir: string,
): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const body = bodies.get(url.pathname);
  if (body !== undefined) {
    response.writeHead(200, { 'content-type': body.type, 'content-length': body.bytes.length });
    response.end(body.bytes);
    return;
  }
  const file = path.join(rendererDir, url.pathname === '/' ? 'index.html' : decodeURIComponent(url.pathname));
  if (!file.startsWith(rendererDir) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': types[path.extname(file)] ?? 'application/octet-stream',
    'content-security-policy': url.pathname === '/frame.html' ? framePolicy : pagePolicy,
    'x-content-type-options': 'nosniff',
  });
  createReadStream(file).pipe(response);
}

function router(options: PageEngineOptions, calls: string[], boxes: Parameters<typeof library.hitsOf>[0]) {
  const os = implement(contract);
  const hits = library.hitsOf(boxes);
  const russianHits = library.russianHits();
  const folders: Folder[] = options.isEmpty ? [] : [...library.folders];
  const past = [...library.earlier];
  const noted = os.use(({ next, path: name }) => {
    calls.push(name.join('.'));
    return next();
  });
  return noted.router({
    status: noted.status.handler(() =>
      options.isEmpty
        ? {
            ...library.status,
            counts: { indexed: 0, waiting: 0, failed: 0 },
            models: [],
            method: 'keywords' as const,
          }
        : options.hasNoModel
          ? { ...library.status, models: [], method: 'keywords' as const }
          : library.status,
    ),
    folders: {
      list: noted.folders.list.handler(() => folders),
      add: noted.folders.add.handler(({ input }) => addFolder(folders, input.path)),
      remove: noted.folders.remove.handler(({ input }) => {
        folders.splice(
          folders.findIndex(({ id }) => id === input.id),
          1,
        );
      }),
      index: noted.folders.index.handler(() => ({
        documents: 1,
        indexed: 0,
        unchanged: 1,
        failed: 0,
        removed: 0,
        chunks: 0,
        bytes: 0,
        elapsedMs: 3,
      })),
      cancel: noted.folders.cancel.handler(() => undefined),
      progress: noted.folders.progress.handler(({ signal }) => progress(options.isReading === true, signal)),
    },
    documents: documentCalls(options, [...hits, ...russianHits]),
    search: noted.search.handler(({ input }) => searchResult(input.question, hits, 'relevant')),
    ask: noted.ask.handler(({ input, signal }) =>
      answerEvents(input.question, hits, russianHits, signal, input.scope),
    ),
    conversations: {
      list: noted.conversations.list.handler(() => past),
      get: noted.conversations.get.handler(({ input }) => ({
        ...(past.find(({ id }) => id === input.id) ?? past[0]!),
        search: searchResult('Кто утверждает авансовый отчёт?', russianHits, 'relevant'),
        answer: pastAnswer(russianHits),
      })),
      remove: noted.conversations.remove.handler(({ input }) => {
        past.splice(
          past.findIndex(({ id }) => id === input.id),
          1,
        );
      }),
    },
    models: modelCalls(options.models ?? (options.hasNoModel ? [] : [...models]), calls),
  });
}

function documentCalls(options: PageEngineOptions, hits: Hit[]) {
  const { documents } = implement(contract);
  const rows = library.ledgerRows();
  const rowOf = (id: number): DocumentRow => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) {
      throw new ORPCError('DOCUMENT_NOT_FOUND', {
        message: `No document has the number ${id}: open another.`,
      });
    }
    return row;
  };
  const meant = ({ text, scope }: { text?: string; scope?: Scope }): DocumentRow[] =>
    rows.filter(
      ({ path, isArchived }) =>
        path.toLowerCase().includes(text?.toLowerCase() ?? '') && (scope === undefined || !isArchived),
    );
  return {
    list: documents.list.handler(({ input }) => {
      const states = statesOf(input.state);
      const found = meant(input).filter(({ ledgerState }) => states.includes(ledgerState));
      return { total: found.length, rows: found.slice(input.offset, input.offset + input.limit) };
    }),
    counts: documents.counts.handler(({ input }) => {
      const counts = noLedgerCounts();
      for (const { ledgerState } of meant(input)) counts[ledgerState]++;
      return { ...counts, excluded: input.scope ? 0 : library.exclusions.length };
    }),
    excluded: documents.excluded.handler(() => library.exclusions),
    view: documents.view.handler(({ input }) => viewOf(rowOf(input.id), options)),
    locate: documents.locate.handler(({ input }): Place => {
      const state = options.places?.[input.id] ?? 'same';
      const hit = hits.find(({ document, start }) => document.id === input.id && start === input.start);
      return { state, anchors: state === 'lost' ? [] : (hit?.anchors ?? []), quote: hit?.text ?? '' };
    }),
    rows: documents.rows.handler(({ input }) => ({
      rows: library.terms
        .map((cells, index) => ({ row: index + 1, cells }))
        .filter(({ row }) => row >= input.from && row < input.from + input.count),
    })),
    retry: documents.retry.handler(async ({ input }) => {
      await pause(50);
      return rowOf(input.id);
    }),
  };
}

function addFolder(folders: Folder[], folderPath: string): Folder {
  if (folders.some((one) => one.path === folderPath)) {
    throw new ORPCError('FOLDER_KNOWN', {
      message: `The folder was not added: ${folderPath}: it is in the library.`,
    });
  }
  if (folderPath.includes('missing')) {
    throw new ORPCError('FOLDER_NOT_FOUND', {
      message: `The folder was not added: ${folderPath}: check its path.`,
    });
  }
  const counts = { indexed: 31, waiting: 1, failed: 0 };
  const added = {
    id: folders.length + 10,
    path: folderPath,
    name: path.basename(folderPath),
    counts,
    isUnreachable: false,
  };
  folders.push(added);
  return added;
}

async function* progress(
  isReading: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<IndexProgress[]> {
  yield isReading
    ? [
        {
          folderId: 3,
          phase: 'reading',
          found: 180,
          processed: 112,
          failed: 0,
          current: ['Budget 2025.xlsx'],
          remainingMs: 190_000,
        },
      ]
    : [];
  await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
}

function viewOf(row: DocumentRow, options: PageEngineOptions): DocumentView {
  const isSheet = row.kind === 'csv';
  return {
    document: row,
    absolutePath: `/home/anna/Contracts/${row.path}`,
    originalUrl: `/documents/${row.id}/original`,
    viewUrl: row.kind === 'markdown' || row.kind === 'text' ? `/documents/${row.id}/view` : undefined,
    isChanged: (options.places?.[row.id] ?? 'same') !== 'same',
    sheets: isSheet
      ? [
          {
            name: 'Terms overview',
            isHidden: false,
            rows: 4,
            columns: 4,
            merges: [],
            widths: [12, 12, 12, 12],
            headers: [],
          },
        ]
      : [],
  };
}
