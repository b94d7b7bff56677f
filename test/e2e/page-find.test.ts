/** Can words be found in every kind of open document, counted and walked through? */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask, axeFindings, openPage, type PageSession } from './page-session.ts';

let browser: Browser;
let session: PageSession;

/** Opens a source of the answer and the search in it. */
async function openDocument(question: string, source: number): Promise<Page> {
  session = await openPage(browser);
  const { page } = session;
  await ask(page, question);
  await page.locator('.short').waitFor();
  await page
    .locator('article.card')
    .nth(source - 1)
    .getByRole('button', { name: /^Open/ })
    .click();
  await page
    .locator('#document-panel :is(.pdf-page .textLayer, .text-row, iframe, [role=grid])')
    .first()
    .waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('searchbox', { name: 'Find in this document' });
const status = (page: Page) => page.locator('.find [role=status]');

/** Texts that are marked as found in the page, or in a frame of it: all, and the one that is shown now. */
async function marked(page: Page, isInFrame: boolean): Promise<{ all: string[]; now: string[] }> {
  const scope = isInFrame ? 'document.querySelector("#document-panel iframe").contentWindow' : 'window';
  const read = (name: string) =>
    page.evaluate(`[...(${scope}.CSS.highlights.get('${name}') ?? [])].map((range) => range.toString())`);
  return {
    all: (await read('lectern-found')) as string[],
    now: (await read('lectern-found-now')) as string[],
  };
}

describe.skipIf(findChromium() === undefined)('finding in the open document', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => session?.close());

  it('goes from page to page of a PDF, also to pages that are not drawn', async () => {
    const page = await openDocument('in your own words', 1);
    await page.locator('.pdf-pane').focus();
    await page.keyboard.press('Control+f');
    await field(page).fill('supply agreement, page');
    await status(page).getByText('1 of 11').waitFor();
    await page.locator('[data-page="1"] .textLayer').waitFor();
    await expect.poll(async () => (await marked(page, false)).now).toEqual(['Supply agreement, page']);
    await page.keyboard.press('Shift+Enter');
    await status(page).getByText('11 of 11').waitFor();
    await page.locator('[data-page="12"] .textLayer').waitFor();
    await expect.poll(async () => (await marked(page, false)).now).toEqual(['Supply agreement, page']);
    expect(await axeFindings(page)).toEqual([]);
    await field(page).fill('no such words');
    await status(page).getByText('not found').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.find').count()).toBe(0);
    expect(await marked(page, false)).toEqual({ all: [], now: [] });
    expect(await page.evaluate('document.activeElement.className')).toBe('pdf-pane');
  });

  it('looks through a rendered Markdown document and through its source', async () => {
    const page = await openDocument('in your own words', 2);
    await page.getByRole('button', { name: 'Find in this document' }).click();
    await field(page).fill('THE  day of confirmation');
    await status(page).getByText('1 of 1').waitFor();
    await expect
      .poll(() => marked(page, true))
      .toEqual({
        all: ['the day of confirmation'],
        now: ['the day of confirmation'],
      });
    await page.getByRole('button', { name: 'Source', exact: true }).click();
    await expect(page.locator('.text-found.now').textContent()).resolves.toBe('the day of confirmation');
  });

  it('looks through a text, one place after the other, beside what is cited', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'Кто утверждает авансовый отчёт?');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.locator('.text-lit').first().waitFor();
    await page.locator('.text-view').focus();
    await page.keyboard.press('Control+f');
    await field(page).fill('авансовый отчет');
    await status(page).getByText('1 of 2').waitFor();
    await page.keyboard.press('Enter');
    await status(page).getByText('2 of 2').waitFor();
    expect(await page.locator('.text-found').allTextContents()).toEqual([
      'Авансовый отчёт',
      'Авансовый отчёт',
    ]);
    expect(await page.locator('.text-lit').allTextContents()).toEqual([' утверждает финансовый директор.']);
  });

  it('goes from cell to cell of a sheet', async () => {
    const page = await openDocument('in your own words', 3);
    await page.getByRole('button', { name: 'Find in this document' }).click();
    await field(page).fill('30 days');
    await status(page).getByText('1 of 2').waitFor();
    await page.locator('.sheet-cell-name').getByText('C3').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.sheet-cell-name').getByText('C4').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.sheet-cell-name').getByText('C3').waitFor();
    expect(session.problems).toEqual([]);
  });

  it('keeps the words for the next document, and leaves the keys of the page alone', async () => {
    const page = await openDocument('in your own words', 1);
    await page.getByRole('button', { name: 'Find in this document' }).click();
    await field(page).fill('orders');
    await status(page).getByText('1 of 1').waitFor();
    await page.keyboard.press('n');
    await field(page).fill('confirmed');
    await page.locator('article.card').nth(1).getByRole('button', { name: /^Open/ }).click();
    await status(page).getByText('1 of 1').waitFor();
    await expect.poll(async () => (await marked(page, true)).now).toEqual(['confirmed']);
  });
});
