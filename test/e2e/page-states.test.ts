/** Does every state of the page say what is the matter and what to do? */
import { readFile } from 'node:fs/promises';
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

  it('list what was not read, with reasons and what to do, without drawing every row', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByRole('button', { name: '8 need attention' }).click();
    await page.getByText('It is protected by a password.').waitFor();
    await page.getByText('Save a copy without the password into the folder.').waitFor();
    const causes = page.getByRole('radiogroup', { name: 'Why it was not read' });
    expect(await causes.getByRole('radio').count()).toBe(3);
    await causes.getByRole('radio', { name: 'Broken 1' }).check();
    await page.getByText('1 document', { exact: true }).waitFor();
    expect(await page.getByText('It is protected by a password.').count()).toBe(0);
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByText('1,208 documents').waitFor();
    await page.getByText('Contract 0001', { exact: true }).waitFor();
    expect(await page.locator('.ledger-row').count()).toBeLessThan(60);
    await page.evaluate('document.querySelector(".ledger").scrollTo(0, 1e9)');
    await page.getByText('Contract 1200', { exact: true }).waitFor();
  });

  it('export the list as it is narrowed, and with everything also what was left out', async () => {
    session = await openPage(browser);
    const { page } = session;
    const exported = async (): Promise<string[]> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export as CSV' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('lectern-documents.csv');
      return (await readFile(await file.path(), 'utf8')).split('\r\n');
    };
    await page.getByRole('button', { name: '8 need attention' }).click();
    await page.getByText('2 documents', { exact: true }).waitFor();
    const failed = await exported();
    expect(failed[0]).toMatch(/^\uFEFFFolder,Path,.*,What to do,/);
    expect(failed[1]).toMatch(/^Contracts,2024\/Payroll\.pdf,Payroll\.pdf,PDF,Protected,/);
    expect(failed).toHaveLength(4);
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByText('1,208 documents').waitFor();
    expect(await exported()).toHaveLength(1 + 1208 + 4 + 1);
  });

  it('tell what was left out, and why, apart from the documents', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByRole('button', { name: '8 need attention' }).click();
    await page.getByRole('radio', { name: 'Left out 4' }).check();
    await page.getByText('4 files and folders left out').waitFor();
    await page.getByText('A rule in .gitignore or .lecternignore leaves it out.').waitFor();
    await page.getByText('If it should be read, change the rule.').waitFor();
    expect(await page.getByRole('button', { name: /^(Open|Read again):/ }).count()).toBe(0);
  });

  it('say under an answer what was not searched, and list it within what was asked', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in your own words');
    await page.getByText('Searched 1,196 of 1,204 documents').waitFor();
    await page.getByRole('button', { name: '8 not searched, 1 only in part' }).click();
    await page.getByText('Only what the question was asked of').waitFor();
    const chosen = page.getByRole('radio', { name: 'Not fully searched' });
    expect(await chosen.isChecked()).toBe(true);
    await page.getByText('4 documents', { exact: true }).waitFor();
    const row = page.locator('.ledger-row').filter({ hasText: 'Annual accounts' });
    await row.getByText('Some of its pages are pictures whose words are not recognised.').waitFor();
    await row.getByText('Save what is inside as a file beside it.').waitFor();
    expect(await page.getByRole('radio', { name: 'Left out' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show the whole library' }).click();
    await page.getByRole('radio', { name: 'Left out 4' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('list what waits where nothing failed', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in pictures');
    await page.getByRole('button', { name: '1 not searched' }).click();
    await page.getByText('Its pages are pictures; their words must be recognised first.').waitFor();
    await page.getByRole('radio', { name: 'Waiting' }).check();
    await page.getByText('1 document', { exact: true }).waitFor();
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
