/** Does every state of the page say what is the matter and what to do? */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask, axeFindings, openPage, type PageSession } from './page-session.ts';

let browser: Browser;
let session: PageSession;

describe.skipIf(findChromium() === undefined)('the states of the page', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => session?.close());

  it('begin with one sentence and two ways in', async () => {
    session = await openPage(browser, { isEmpty: true });
    const { page } = session;
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await page.getByLabel('Where is the folder?').fill('/tmp/missing');
    await page.keyboard.press('Enter');
    await page.getByText('This folder is not there, or can’t be read.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Finds by words. With a model it finds by meaning too.').waitFor();
    await page.getByRole('button', { name: 'Try the sample library' }).click();
    await page.getByLabel('Your question').waitFor();
  });

  it.each([
    ['nothing about penguins', 'Nothing in your documents fits this question.'],
    ['please refuse', 'Your documents don’t answer this.'],
    ['fail halfway', 'The answer ended early. What had come is kept, and its sources are below.'],
    ['break off', 'The reading engine stopped before it was done.'],
    ['busy', 'Another Lectern is using this library. Close it and try again.'],
  ])('asked "%s" it says so, with the passages where there are any', async (question, words) => {
    session = await openPage(browser);
    await ask(session.page, question);
    await session.page.getByText(words).waitFor();
    if (question === 'break off') {
      await session.page.getByTestId('answer-text').getByText('The supplier may end').waitFor();
    }
    if (question !== 'busy') expect(await session.page.getByRole('article').count()).toBeGreaterThan(2);
    expect(await axeFindings(session.page)).toEqual([]);
  });

  it('keep what streamed when the engine goes, and go on when it is back', async () => {
    session = await openPage(browser);
    const { page, engine } = session;
    await ask(page, 'wait for ever');
    await page.getByTestId('answer-text').getByText('The supplier may').waitFor();
    engine.drop();
    await page.getByText('The reading engine stopped. It is being started again…').waitFor();
    await page.getByText('The reading engine stopped before it was done.').waitFor();
    expect(await page.getByText('The supplier may end').count()).toBeGreaterThan(0);
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(1);
    engine.restore();
    await page
      .getByText('The reading engine stopped. It is being started again…')
      .waitFor({ state: 'detached' });
    await ask(page, 'notice');
    await page.locator('.short').waitFor();
  });

  it.each([
    ['moved', 'The passage was found again at its new place.'],
    ['lost', 'Nothing is lit.'],
  ] as const)('say that a place is %s and read the file again', async (state, words) => {
    session = await openPage(browser, { places: { 1: state } });
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.getByText(words).waitFor();
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByText('Read again. Ask again to cite it as it is now.').waitFor();
  });

  it('list what was not read, with reasons, without drawing every row', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByRole('button', { name: '8 need attention' }).click();
    await page.getByText('It is protected by a password.').waitFor();
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByText('1,207 documents').waitFor();
    await page.getByText('Contract 0001', { exact: true }).waitFor();
    expect(await page.locator('.ledger-row').count()).toBeLessThan(60);
    await page.evaluate('document.querySelector(".ledger").scrollTo(0, 1e9)');
    await page.getByText('Contract 1200', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('lectern-documents.csv');
  });

  it('list what waits where nothing failed', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in pictures');
    await page.getByRole('button', { name: '1 waits for recognition' }).click();
    await page.getByRole('radio', { name: 'Waiting' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Waiting' }).isChecked()).toBe(true);
  });

  it('say that no document lies in what was chosen, and search everything on a wish', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page
      .getByRole('button', { name: /^Finance 2025/ })
      .first()
      .click();
    await ask(page, 'notice');
    await page.getByText('No document that can be searched lies in what you chose.').waitFor();
    expect(await page.getByText('fits this question').count()).toBe(0);
    await page.getByRole('button', { name: 'Search everything' }).click();
    await page.locator('.short').waitFor();
  });

  it('keep no room for a written answer when no model is installed', async () => {
    session = await openPage(browser, { hasNoModel: true });
    const { page } = session;
    await page.getByRole('button', { name: 'Answers in the documents’ own words' }).waitFor();
    await ask(page, 'slowly in your own words');
    await page.locator('.short').waitFor();
    expect(await page.locator('.answer-area.fixed').count()).toBe(0);
  });

  it('light nothing of an earlier question, and keep its document open', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.locator('.pdf-lit, .pdf-page .lit').first().waitFor();
    await ask(page, 'nothing about penguins');
    await page.getByText('Nothing in your documents fits this question.').waitFor();
    await expect.poll(() => page.locator('.pdf-lit, .pdf-page .lit').count()).toBe(0);
    expect(await page.locator('.card.open').count()).toBe(0);
    expect(await page.getByRole('tab').count()).toBe(1);
  });

  it('keep both days of the date inside the library', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByText('Date', { exact: true }).click();
    const rail = await page.locator('#rail').boundingBox();
    for (const field of await page.locator('input[type=date]').all()) {
      const box = await field.boundingBox();
      expect(box!.x + box!.width).toBeLessThanOrEqual(rail!.x + rail!.width - 12);
      expect(box!.width).toBeGreaterThan(100);
    }
  });

  it('show how far reading is', async () => {
    session = await openPage(browser, { isReading: true });
    await session.page.getByText('112 of 180 · 3 minutes left').waitFor();
    await session.page.getByRole('progressbar', { name: 'Finance 2025' }).waitFor();
  });
});
