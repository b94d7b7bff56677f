/** How does a test see one document view alone, in a real browser, under the page's own content policy? */
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { framePolicy, pagePolicy } from '../../src/api/page-policy.ts';
import type { SheetRows } from '../../src/api/types.ts';
import type { DocumentViewProps } from '../../src/renderer/src/document/view-props.ts';
import { launchBrowser } from './browser.ts';
import { buildViews } from './build-views.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

export interface MountedFile {
  bytes: Uint8Array;
  type: string;
  headers?: Record<string, string>;
}

export type MountedProps = Pick<DocumentViewProps, 'view'> &
  Partial<Pick<DocumentViewProps, 'anchors' | 'quote' | 'visit' | 'zoom' | 'find'>>;

export interface MountOptions {
  /** File of the component under src/renderer/src/document without ending, such as "pdf/pdf-view"; exports PdfView. */
  component: string;
  props: MountedProps;
  /** Answers by URL path, such as "/original/1". May be added to while mounted. */
  files: Record<string, MountedFile>;
  /** Answers the view's `loadRows`. */
  rows?(sheet: string, from: number, count: number): SheetRows | Promise<SheetRows>;
  /** CSS pixels; default 900 × 700. */
  viewport?: { width: number; height: number };
  /** Default 1. */
  deviceScaleFactor?: number;
  /** Started by `launchBrowser` and shared by several mounts; otherwise one is started and closed with the mount. */
  browser?: Browser;
}

export interface MountedView {
  page: Page;
  /** Errors of the page: uncaught ones, and console errors, which include violations of the content policy. */
  errors: string[];
  /** Merges into the props of the running component and forgets earlier `onLit` calls. */
  setProps(changed: Partial<MountedProps>): Promise<void>;
  /** Last value given to `onLit` since mounting or the last `setProps`; waits until there is one. */
  lit(timeoutMs?: number): Promise<boolean>;
  /** Last number given to `onFound` for the whole document since the last `setProps`; waits until there is one. */
  found(): Promise<number>;
  /** All texts given to `onPlace`. */
  places(): Promise<string[]>;
  close(): Promise<void>;
}

/** Serves the built views from loopback and opens one of them. */
export async function mountView(options: MountOptions): Promise<MountedView> {
  const folder = await buildViews();
  const server = createServer((request, response) => {
    answer(request, response, folder, options).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = options.browser ?? (await launchBrowser());
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 900, height: 700 },
    deviceScaleFactor: options.deviceScaleFactor ?? 1,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await waitUntil(page, 'globalThis.mounted !== undefined', 15_000);
  return {
    page,
    errors,
    setProps: async (changed) => {
      await page.evaluate(`mounted.setProps(${JSON.stringify(changed)})`);
    },
    lit: async (timeoutMs = 15_000) => {
      await waitUntil(page, 'mounted.lit.length > 0', timeoutMs);
      return (await page.evaluate('mounted.lit.at(-1)')) as boolean;
    },
    found: async () => {
      await waitUntil(page, 'mounted.found !== undefined', 15_000);
      return (await page.evaluate('mounted.found')) as number;
    },
    places: async () => (await page.evaluate('mounted.places')) as string[],
    close: async () => {
      await context.close();
      if (!options.browser) await browser.close();
      await closeServer(server);
    },
  };
}

/** Asked from outside: the browser's own waiting would evaluate text inside the page, which its policy forbids. */
async function waitUntil(page: Page, condition: string, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await page.evaluate(condition))) {
    if (performance.now() > end) throw new Error(`page not ready: ${condition}: waited ${timeoutMs} ms`);
    await page.waitForTimeout(25);
  }
}

/** The page: the built script, every built style sheet, and the product's own tokens where they exist. */
async function pageHtml(folder: string): Promise<string> {
  const assets = await readdir(path.join(folder, 'assets')).catch(() => []);
  const links = assets
    .filter((name) => name.endsWith('.css'))
    .map((name) => `<link rel="stylesheet" href="/assets/${name}">`)
    .join('');
  const tokens = await tokenStyles();
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>view</title>' +
    `<style>${tokens} html,body,#root{margin:0;height:100%}</style>${links}` +
    '</head><body><div id="root"></div><script type="module" src="/mount.js"></script></body></html>'
  );
}

async function tokenStyles(): Promise<string> {
  const folder = path.join(root, 'src/renderer/src');
  const names = await readdir(folder, { recursive: true });
  const found = names.find((name) => path.basename(name) === 'tokens.css');
  return found ? readFile(path.join(folder, found), 'utf8') : '';
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  options: MountOptions,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const given = options.files[url.pathname];
  if (given) return answerFile(request, response, given);
  if (url.pathname === '/frame.html') {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': framePolicy };
    response.writeHead(200, headers).end('<!doctype html><html><head></head><body></body></html>');
  } else if (url.pathname === '/') {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy };
    response.writeHead(200, headers).end(await pageHtml(folder));
  } else if (url.pathname === '/favicon.ico') {
    response.writeHead(204).end();
  } else if (url.pathname === '/mount/props.json') {
    const props = { anchors: [], quote: '', visit: 1, zoom: 1, ...options.props };
    const given = { component: options.component, props };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(given));
  } else if (url.pathname === '/mount/rows' && options.rows) {
    const { sheet, from, count } = Object.fromEntries(url.searchParams);
    const rows = await options.rows(sheet ?? '', Number(from), Number(count));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(rows));
  } else {
    answerBuilt(response, path.join(folder, path.normalize(decodeURIComponent(url.pathname))));
  }
}

function answerBuilt(response: ServerResponse, file: string): void {
  const stream = createReadStream(file);
  stream.once('error', () => response.writeHead(404).end());
  stream.once('open', () => {
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' });
    stream.pipe(response);
  });
}

function answerFile(request: IncomingMessage, response: ServerResponse, file: MountedFile): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const size = file.bytes.length;
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Math.min(Number(range[2]) + 1, size) : size;
  response.writeHead(range ? 206 : 200, {
    'Content-Type': file.type,
    'Accept-Ranges': 'bytes',
    'Content-Length': end - start,
    ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${size}` } : {}),
    ...file.headers,
  });
  Readable.from([file.bytes.subarray(start, end)]).pipe(response);
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
