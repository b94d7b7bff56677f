/** Can somebody ask, read, check and come back, in a real browser? */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask, openPage, type PageSession, watchShifts } from './page-session.ts';

let browser: Browser;
let session: PageSession;

describe.skipIf(findChromium() === undefined)('the page', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => session?.close());

  it('answers: passages first, then the answer, then the original at the lit place', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'How long is the notice period?');
    await page.getByRole('article').first().waitFor();
    expect(await page.locator('.short').count()).toBe(0);
    await page.locator('.short').waitFor();
    expect(await page.locator('.short').textContent()).toBe('60 days');
    await page
      .getByRole('button', { name: /^Source 1: Supply agreement/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Supply agreement 2025-014' }).waitFor();
    await page.locator('.pdf-page .textLayer').first().waitFor();
    expect(await page.locator('.s.lit').count()).toBeGreaterThan(0);
    expect(await page.locator('.card.open').count()).toBe(1);
    expect(session.problems).toEqual([]);
  });

  it('keeps everything in its place while an answer streams, also a long one', async () => {
    session = await openPage(browser);
    const { page } = session;
    // What arrives at the start of the page is no part of the promise: the library, the faces.
    await page.getByRole('button', { name: '8 need attention' }).waitFor();
    await page.getByRole('button', { name: 'Contracts', exact: false }).first().waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    for (const question of ['How long is the notice period?', 'Tell me at length']) {
      await ask(page, question);
      await page.getByRole('article').first().waitFor();
      const shifts = await watchShifts(page);
      const before = await page.getByRole('article').first().boundingBox();
      await page.getByRole('button', { name: 'Copy with sources' }).waitFor();
      expect(await page.getByRole('article').first().boundingBox()).toEqual(before);
      expect(await shifts()).toBeLessThan(0.001);
    }
    await page.getByRole('button', { name: 'Show the whole answer' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
  });

  it('is used by keyboard alone', async () => {
    session = await openPage(browser);
    const { page } = session;
    const selected = page.locator('[role=tab][aria-selected=true]');
    await page.getByLabel('Your question').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('notice');
    await page.keyboard.press('Enter');
    await page.locator('.short').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => selected.textContent()).toContain('Supply agreement');
    await page.keyboard.press('n');
    await expect.poll(() => selected.textContent()).toContain('Annex C');
    await page.keyboard.press('p');
    await expect.poll(() => selected.textContent()).toContain('Supply agreement');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => selected.textContent()).toContain('Annex C');
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => selected.textContent()).toContain('Supply agreement');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    expect(await page.evaluate('document.activeElement.id')).toBe('question');
  });

  it('only searches with Alt+Enter, and Esc stops a running answer', async () => {
    session = await openPage(browser);
    const { page, engine } = session;
    await page.getByLabel('Your question').fill('notice');
    await page.getByLabel('Your question').press('Alt+Enter');
    await page.getByRole('article').first().waitFor();
    expect(engine.calls).toContain('search');
    expect(engine.calls).not.toContain('ask');
    await ask(page, 'wait for ever');
    await page.getByTestId('answer-text').getByText('The supplier may').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped. What had come is kept.').waitFor();
    expect(await page.getByText('The supplier may end').count()).toBeGreaterThan(0);
  });

  it('shows a source and a reason when they are pointed at', async () => {
    session = await openPage(browser);
    const { page } = session;
    await ask(page, 'in your own words');
    await page.locator('.answer .cite').first().hover();
    expect(await page.getByRole('tooltip').textContent()).toContain('page 7');
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await page.locator('.s.unsupported').first().hover();
    expect(await page.getByRole('tooltip').textContent()).toBe('“45 days” is not in the source.');
  });

  it('remembers the theme, the language and the folded library', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByRole('radio', { name: 'Русский' }).check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+b');
    await page.reload();
    await page.getByLabel('Ваш вопрос').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    expect(await page.locator('.rail.folded').count()).toBe(1);
  });
});
