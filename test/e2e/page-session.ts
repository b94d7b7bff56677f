/** How does a test open the page on the hand-written engine and judge what it shows? */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type PageEngine, type PageEngineOptions, startPageEngine } from './page-engine.ts';

export interface PageSession {
  page: Page;
  engine: PageEngine;
  /** Errors of scripts, of the policy and of requests; must stay empty. */
  problems: string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  engineOptions: PageEngineOptions = {},
  contextOptions: BrowserContextOptions = {},
): Promise<PageSession> {
  const engine = await startPageEngine(engineOptions);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...contextOptions,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(engine.url);
  return {
    page,
    engine,
    problems,
    close: async () => {
      await context.close();
      await engine.close();
    },
  };
}

export async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your question').fill(question);
  await page.getByLabel('Your question').press('Enter');
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page now, one line per rule. Foreign documents in frames are not ours to mend. */
export async function axeFindings(page: Page): Promise<string[]> {
  const isThere = await page.evaluate("typeof axe !== 'undefined'");
  if (!isThere) await page.evaluate(`${axeSource}; undefined`);
  const found =
    await page.evaluate(`axe.run({ exclude: ['iframe'] }, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
  return found as string[];
}

/** Begins to sum the layout shifts that no input of the user explains; the returned function reads the sum. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.shifts = []; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({ type: 'layout-shift', buffered: false })`);
  return async () => (await page.evaluate('window.shifts.reduce((sum, one) => sum + one, 0)')) as number;
}
