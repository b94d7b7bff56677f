/** Does the page stay quick under the hand while folders are indexed? */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { buildPage } from '../../build/build-page.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { startBrowserShell } from '../../src/server/server.ts';
import { findChromium, launchBrowser } from '../e2e/browser.ts';
import { type BenchContext, type Section, scaled } from './bench-context.ts';
import { makeMixedCorpus } from './corpus.ts';
import type { Row } from './report.ts';

const section = 'window';
const FILES = 2_000;
/** The page has drawn itself and nothing happens any more. */
const SETTLE_MS = 3_000;
const TYPE_EVERY_MS = 400;
const pagePath = fileURLToPath(new URL('../../out/renderer', import.meta.url));

/** Runs in the page before anything else does: remembers every task over 50 ms. */
function watchLongTasks(): void {
  const tasks: { start: number; ms: number }[] = [];
  Object.assign(globalThis, { longTasks: tasks });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tasks.push({ start: entry.startTime, ms: entry.duration });
    // The types are Node's, which has no window and so no long tasks.
  }).observe({ type: 'longtask' as 'mark', buffered: true });
}

/** Long tasks that began in a stretch of the page's own clock. */
async function longTasks(page: Page, from: number, to: number): Promise<number[]> {
  const tasks = await page.evaluate(
    () => (globalThis as unknown as { longTasks: { start: number; ms: number }[] }).longTasks,
  );
  return tasks.filter(({ start }) => start >= from && start < to).map(({ ms }) => ms);
}

const pageClock = (page: Page): Promise<number> => page.evaluate(() => performance.now());

export const measureWindow: Section = async (context) => {
  const what = 'long tasks over 50 ms while indexing';
  if (!findChromium()) return [{ section, what, unit: 'tasks', note: 'no Chromium is installed' }];
  await buildPage();
  const corpus = makeMixedCorpus(context.folder('mixed'), scaled(FILES, context, 50));
  const engine = await createEngine({
    libraryPath: context.folder('library'),
    modelFolders: [],
    version: 'bench',
    samplePath: path.dirname(corpus.folder),
  });
  const browser = await launchBrowser();
  const shell = await startBrowserShell({ engine, pagePath, port: 0 });
  try {
    const { id } = await engine.folders.add(corpus.folder);
    const page = await browser.newPage();
    await page.addInitScript(watchLongTasks);
    await page.goto(shell.launchUrl());
    await page.locator('#question').waitFor();
    return [await watchIndexing(context, page, () => engine.folders.index(id), what)];
  } finally {
    await browser.close();
    await shell.close();
    await engine.close();
  }
};

/** Somebody types a question meanwhile, as people do. */
async function watchIndexing(
  context: BenchContext,
  page: Page,
  index: () => Promise<{ documents: number; elapsedMs: number }>,
  what: string,
): Promise<Row> {
  await pause(SETTLE_MS);
  const quietFrom = await pageClock(page);
  await pause(SETTLE_MS);
  const quiet = await longTasks(page, quietFrom, await pageClock(page));
  context.note('watching the page while folders are indexed');
  const from = await pageClock(page);
  let isDone = false;
  const indexing = index().finally(() => {
    isDone = true;
  });
  const field = page.locator('#question');
  let typed = 0;
  while (!isDone) {
    await field.press('abcdefghij'[typed % 10]!);
    typed += 1;
    await pause(TYPE_EVERY_MS);
  }
  const { documents, elapsedMs } = await indexing;
  const tasks = await longTasks(page, from, await pageClock(page));
  const longest = tasks.length === 0 ? 'none' : `${Math.max(...tasks).toFixed(0)} ms`;
  return {
    section,
    what,
    value: tasks.length,
    unit: 'tasks',
    atMost: 0,
    note: `longest ${longest}; ${documents} files in ${(elapsedMs / 1000).toFixed(1)} s, ${typed} letters typed; in ${SETTLE_MS / 1000} quiet seconds before: ${quiet.length}`,
  };
}
