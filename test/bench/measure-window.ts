/** Does the page stay quick under the hand while folders are indexed? */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
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
const LETTERS_BEFORE_RELOAD = 10;
/** What a browser calls a long task. */
const LONG_MS = 50;
/** Held to the target: what the page itself costs, whoever else wants the processor. */
const own = 'tasks over 50 ms of processor time in the page, while indexing';
/** What a person feels: with it the time in which the indexing itself had the processor. */
const byClock = 'tasks over 50 ms by the clock in the page, while indexing';
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

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time that the thread itself took, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** Processor times of the tasks of every page's main thread, in milliseconds. */
function taskTimes(trace: Buffer): number[] {
  const { traceEvents: events } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    events
      .filter(({ ph, name, args }) => ph === 'M' && name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(
      ({ ph, name, pid, tid }) => ph === 'X' && name.endsWith('::RunTask') && mains.has(`${pid} ${tid}`),
    )
    .map(({ tdur = 0 }) => tdur / 1000);
}

export const measureWindow: Section = async (context) => {
  if (!findChromium()) return [{ section, what: own, unit: 'tasks', note: 'no Chromium is installed' }];
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
    return await watchIndexing(context, browser, page, () => engine.folders.index(id));
  } finally {
    await browser.close();
    await shell.close();
    await engine.close();
  }
};

/** Somebody types a question meanwhile, as people do, and loads the page anew once. */
async function watchIndexing(
  context: BenchContext,
  browser: Browser,
  page: Page,
  index: () => Promise<{ documents: number; elapsedMs: number }>,
): Promise<Row[]> {
  await pause(SETTLE_MS);
  const quietFrom = await pageClock(page);
  await pause(SETTLE_MS);
  const quiet = await longTasks(page, quietFrom, await pageClock(page));
  context.note('watching the page while folders are indexed');
  const from = await pageClock(page);
  await browser.startTracing(page, { categories: ['toplevel'] });
  let isDone = false;
  const indexing = index().finally(() => {
    isDone = true;
  });
  const field = page.locator('#question');
  const type = async (most: number): Promise<number> => {
    let typed = 0;
    for (; !isDone && typed < most; typed++) {
      await field.press('abcdefghij'[typed % 10]!);
      await pause(TYPE_EVERY_MS);
    }
    return typed;
  };
  const typedBefore = await type(LETTERS_BEFORE_RELOAD);
  const tasks = await longTasks(page, from, await pageClock(page));
  await page.reload();
  await field.waitFor();
  const typedAfter = await type(Number.POSITIVE_INFINITY);
  const { documents, elapsedMs } = await indexing;
  tasks.push(...(await longTasks(page, 0, await pageClock(page))));
  const times = taskTimes(await browser.stopTracing());
  const circumstances = `${documents} files in ${(elapsedMs / 1000).toFixed(1)} s, ${typedBefore + typedAfter} letters typed, the page loaded once meanwhile`;
  return [
    {
      section,
      what: own,
      value: times.filter((ms) => ms > LONG_MS).length,
      unit: 'tasks',
      atMost: 0,
      note: `longest ${Math.max(...times).toFixed(0)} ms of ${times.length} tasks; ${circumstances}`,
    },
    {
      section,
      what: byClock,
      value: tasks.length,
      unit: 'tasks',
      note: `longest ${tasks.length === 0 ? 'none' : `${Math.max(...tasks).toFixed(0)} ms`}; in ${SETTLE_MS / 1000} quiet seconds before: ${quiet.length}`,
    },
  ];
}
