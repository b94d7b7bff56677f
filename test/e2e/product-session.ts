/** How does a test open the whole product: the real engine, its browser shell and the built page? */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { DocumentKind, Question } from '../../src/api/types.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type BrowserShell, startBrowserShell } from '../../src/server/server.ts';
import { type LitCell, type LitText, litCells, litInFrame, litInRows, litOnPages } from './lit-words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Product {
  engine: Engine;
  shell: BrowserShell;
  /** A copy of the sample library and some files that can't be read; not yet added. */
  folder: string;
  close(): Promise<void>;
}

export async function startProduct(): Promise<Product> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'lectern-product-'));
  const folder = path.join(place, 'Tarnholm');
  await cp(path.join(root, 'resources/sample-library'), folder, { recursive: true });
  await writeFile(path.join(folder, 'broken.pdf'), '%PDF-1.7\nthis is where it ends');
  await writeFile(path.join(folder, 'empty.txt'), '');
  const engine = await createEngine({
    libraryPath: path.join(place, 'library'),
    modelFolders: [path.join(place, 'models')],
    version: '0.0.0-test',
  });
  const shell = await startBrowserShell({ engine, pagePath: path.join(root, 'out/renderer'), port: 0 });
  return {
    engine,
    shell,
    folder,
    close: async () => {
      await shell.close();
      await engine.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}

export interface ProductPage {
  page: Page;
  /** Errors of scripts, of the policy and of requests; must stay empty. */
  problems: string[];
  /** Addresses asked for that are not the product's own. */
  strangers: string[];
  close(): Promise<void>;
}

/** Opens the page by a fresh launch address, in a browser profile of its own. */
export async function openProduct(
  browser: Browser,
  shell: BrowserShell,
  options: BrowserContextOptions = {},
): Promise<ProductPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const strangers: string[] = [];
  const home = `127.0.0.1:${shell.port}`;
  const note = (address: string): void => {
    const { protocol, host } = new URL(address);
    if (protocol !== 'data:' && protocol !== 'blob:' && host !== home) strangers.push(address);
  };
  page.on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(shell.launchUrl());
  return { page, problems, strangers, close: () => context.close() };
}

/** A question of the sample library's test set. */
export async function sampleQuestion(id: string): Promise<Question> {
  const lines = (await readFile(path.join(root, 'test/quality/sample-library.jsonl'), 'utf8')).split('\n');
  const questions = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Question);
  const found = questions.find((question) => question.id === id);
  if (!found) throw new Error(`question not found: ${id}: look into sample-library.jsonl`);
  return found;
}

const squeeze = (text: string): string => text.replace(/\s+/g, '');

/** Lit words of the open document without white space, for tables cell by cell; empty while nothing lit is seen. */
export async function litNow(page: Page, kind: DocumentKind): Promise<string[]> {
  if (kind === 'xlsx' || kind === 'csv') {
    return litInSheet(page);
  }
  const isFramed = kind === 'docx' || kind === 'html' || kind === 'markdown';
  const isReady = await page
    .locator(kind === 'pdf' ? '.pdf-lit' : isFramed ? 'iframe' : 'mark.text-lit')
    .count();
  if (isReady === 0) return [];
  const script = kind === 'pdf' ? litOnPages : isFramed ? litInFrame : litInRows;
  const lit = (await page.evaluate(script)) as LitText;
  return lit.seen > 0 && lit.text !== '' ? [squeeze(lit.text)] : [];
}

/** Only columns on screen are drawn: the left and the right end of the row are read one after the other. */
async function litInSheet(page: Page): Promise<string[]> {
  const found = new Map<string, string>();
  let isSeen = false;
  for (const left of [0, 1e6]) {
    await page.evaluate(`document.querySelector('.sheet-scroller')?.scrollTo({ left: ${left} })`);
    await page.waitForTimeout(60);
    for (const cell of (await page.evaluate(litCells)) as LitCell[]) {
      isSeen ||= cell.isSeen;
      found.set(cell.name, squeeze(cell.text));
    }
  }
  return isSeen ? [...found.values()].filter((text) => text !== '') : [];
}

/** The quote of a source as its lit words must be: whole; of a table's row, which names its columns, the values. */
export function quoteAsLit(quote: string, kind: DocumentKind): string[] {
  if (!quote.includes(' · ')) return [squeeze(quote)];
  const values = quote.split(/ · |\n/).map((part) => squeeze(part.slice(part.indexOf(': ') + 1)));
  return kind === 'xlsx' || kind === 'csv' ? values : [values.join('')];
}
