/** Does axe find nothing, light and dark, wide and narrow, in English and Russian? */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask, axeFindings, openPage, type PageSession } from './page-session.ts';

let browser: Browser;
let session: PageSession;

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 900 },
  { colorScheme: 'dark', width: 900 },
] as const;

describe.skipIf(findChromium() === undefined)('reach', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => session?.close());

  it.each(looks)('axe finds nothing: $colorScheme, $width pixels', async ({ colorScheme, width }) => {
    session = await openPage(browser, { isReading: true }, { colorScheme, viewport: { width, height: 800 } });
    const { page } = session;
    await page.getByLabel('Your question').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('n');
    await page.locator('.pdf-page .textLayer').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    if (width === 900) {
      await page.keyboard.press('Escape');
      await page.locator('.doc.over').waitFor({ state: 'hidden' });
    }
    for (const name of ['Settings', 'All documents']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      if (name === 'All documents') await page.getByText('Payroll.pdf').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  it('axe finds nothing at the first start', async () => {
    session = await openPage(browser, { isEmpty: true });
    await session.page.getByRole('button', { name: 'Choose a folder' }).waitFor();
    expect(await axeFindings(session.page)).toEqual([]);
  });

  it('speaks Russian where the system does, with its plurals and its letters in our own faces', async () => {
    session = await openPage(browser, {}, { locale: 'ru-RU' });
    const { page } = session;
    await page.getByLabel('Ваш вопрос').fill('Кто утверждает авансовый отчёт?');
    await page.keyboard.press('Enter');
    await page.getByText('финансовый директор', { exact: true }).waitFor();
    await page.getByText('8 требуют внимания').waitFor();
    const loaded = await page.evaluate(
      `document.fonts.ready.then(() => [...document.fonts].filter((face) => face.status === 'loaded' && face.unicodeRange.includes('U+400'))
        .map((face) => face.family.replaceAll('"', '')))`,
    );
    expect(loaded).toEqual(expect.arrayContaining(['Inter Variable', 'Source Serif 4 Variable']));
    expect(await axeFindings(page)).toEqual([]);
    expect(session.problems).toEqual([]);
  });

  it('reads a streaming answer aloud in whole sentences', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'How long is the notice period?');
    await page.locator('.short').waitFor();
    const said = await page.locator('[role=log] p').allInnerTexts();
    expect(said).toContain("The buyer's period is thirty days.");
    expect(said.at(-1)).toBe('The answer is complete.');
  });

  it('keeps what was typed, found and opened when the window becomes narrow and wide again', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.locator('.pdf-page .textLayer').first().waitFor();
    await page.evaluate('document.querySelector("#document").wasHere = true');
    for (const width of [880, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator('.doc.over').waitFor({ state: width < 900 ? 'visible' : 'detached' });
      expect(await page.getByLabel('Your question').inputValue()).toBe('in your own words');
      expect(await page.evaluate('document.querySelector("#document").wasHere')).toBe(true);
      expect(await page.locator('.split').isVisible()).toBe(width > 900);
    }
  });

  it('shows a new answer where the document lay over it, and the document again from its next source', async () => {
    session = await openPage(browser, {}, { viewport: { width: 900, height: 800 } });
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.locator('.doc.over').waitFor();
    await ask(page, 'How long is the notice period?');
    await page.locator('.doc.over').waitFor({ state: 'hidden' });
    await page.locator('.short').waitFor();
    await page.locator('.scroll').focus();
    await page.keyboard.press('n');
    await page.locator('.doc.over').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.doc.over').waitFor({ state: 'hidden' });
  });

  it('finds in the open document by its key also where the focus is beside it', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.getByLabel('Your question').focus();
    await page.locator('.scroll').focus();
    await page.keyboard.press('n');
    await page.locator('.pdf-page .textLayer').first().waitFor();
    await page.keyboard.press('Control+f');
    await page.locator('search.find input').waitFor();
  });

  it('slides nothing for those who ask for less motion', async () => {
    session = await openPage(browser, {}, { reducedMotion: 'reduce', viewport: { width: 900, height: 800 } });
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await page.locator('.doc.over').waitFor();
    const duration = await page.evaluate(
      'getComputedStyle(document.querySelector(".doc.over")).animationDuration',
    );
    expect(duration).toBe('0s');
  });
});
