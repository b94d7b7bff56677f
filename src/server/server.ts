/** How does a plain browser on this machine reach the engine? Loopback only; one cookie, checked hosts and origins. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RPCHandler } from '@orpc/server/ws';
import sirv from 'sirv';
import { WebSocketServer } from 'ws';
import { AppError } from '../api/errors.ts';
import { framePolicy, pagePolicy } from '../api/page-policy.ts';
import type { Engine } from '../engine/engine.ts';
import { serveDocument } from '../engine/serve-document.ts';
import { Sessions } from './sessions.ts';

/** Largest message a page may send: a question and its scope need a few kilobytes. */
const maxMessageBytes = 1024 * 1024;

const pageHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export interface BrowserShellOptions {
  engine: Engine;
  /** Folder of the built page. */
  pagePath: string;
  /** 0 takes a free port. */
  port: number;
}

export interface BrowserShell {
  port: number;
  /** Works once; each call gives a new address and ends the one before. */
  launchUrl(): string;
  close(): Promise<void>;
}

/** Starts listening on 127.0.0.1. */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  let port = options.port;
  const sessions = new Sessions(() => port);
  const page = sirv(options.pagePath, { etag: true, setHeaders: setPageHeaders });
  const server = createServer((request, response) => {
    handle(request, response, sessions, options.engine, page).catch((error: unknown) =>
      fail(response, error),
    );
  });
  const sockets = acceptSockets(server, sessions, options.engine);
  port = await listen(server, options.port);
  return {
    port,
    launchUrl: () => `http://127.0.0.1:${port}/?launch=${sessions.renewLaunchCode()}`,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Sessions,
  engine: Engine,
  page: ReturnType<typeof sirv>,
): Promise<void> {
  if (!sessions.isHostAllowed(request)) return refuse(response, 403, 'Unknown host.');
  const url = readUrl(request);
  if (!url) return refuse(response, 400, 'The address can not be read.');
  const code = url.searchParams.get('launch');
  if (code !== null) return launch(response, sessions.exchange(code), sessions.isSignedIn(request));
  if (!sessions.isSignedIn(request)) {
    return refuse(response, 401, 'Open Lectern by the address that it printed when it started.');
  }
  const method = request.method ?? 'GET';
  const range = request.headers.range ?? null;
  const document = await serveDocument(engine, { method, pathname: url.pathname, range });
  if (document) return send(response, document);
  page(request, response, () => refuse(response, 404, 'Nothing stands here.'));
}

/** A page that forwards itself, so that the next request comes from our own site and carries the strict cookie. */
function launch(response: ServerResponse, cookie: string | undefined, isSignedIn: boolean): void {
  if (!cookie && !isSignedIn) {
    refuse(response, 401, 'This address was used before: start Lectern again for a new one.');
    return;
  }
  response.writeHead(200, {
    ...pageHeaders,
    'Content-Security-Policy': "default-src 'none'",
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(cookie ? { 'Set-Cookie': cookie } : {}),
  });
  response.end('<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Lectern</title>');
}

function acceptSockets(server: Server, sessions: Sessions, engine: Engine): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  const handler = new RPCHandler(engine.router);
  server.on('upgrade', (request, socket: Socket, head) => {
    // Whoever hangs up before or during the handshake, or sends too much after it, must not end the engine.
    socket.on('error', () => socket.destroy());
    const isAllowed =
      readUrl(request)?.pathname === '/rpc' &&
      sessions.isHostAllowed(request) &&
      sessions.isOriginAllowed(request) &&
      sessions.isSignedIn(request);
    if (!isAllowed) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate());
      handler.upgrade(opened);
    });
  });
  return sockets;
}

/** Undefined for a target that is no address, such as "//". */
function readUrl(request: IncomingMessage): URL | undefined {
  return URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? undefined;
}

function setPageHeaders(response: ServerResponse, pathname: string): void {
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', pathname.endsWith('frame.html') ? framePolicy : pagePolicy);
}

async function send(response: ServerResponse, from: Response): Promise<void> {
  response.writeHead(from.status, Object.fromEntries(from.headers));
  if (!from.body) {
    response.end();
    return;
  }
  // A reader that goes away in the middle is no failure.
  await pipeline(Readable.fromWeb(from.body as Parameters<typeof Readable.fromWeb>[0]), response).catch(
    () => undefined,
  );
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(message);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  console.error(error);
  refuse(response, 500, 'A defect in Lectern: the details stand in its terminal.');
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new AppError(
          'BAD_REQUEST',
          `Opening the page failed: port ${port}: it can't be used (${cause.code}); choose another, or 0 for a free one.`,
          { cause },
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
