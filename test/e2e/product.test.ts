/** Does the whole product hold its promise: a folder, a question, an answer, and the cited words lit in the original? */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import type { DocumentKind } from '../../src/api/types.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask, axeFindings } from './page-session.ts';
import {
  litNow,
  openProduct,
  type Product,
  type ProductPage,
  quoteAsLit,
  sampleQuestion,
  startProduct,
} from './product-session.ts';

if (!findChromium()) console.warn('the product is not tested in a browser: no Chromium is installed');

/** Kind of document, and a question of the test set whose answer stands in one. */
const asked: [kind: DocumentKind, question: string][] = [
  ['pdf', 'words-01'],
  ['docx', 'words-06'],
  ['xlsx', 'words-08'],
  ['csv', 'words-27'],
  ['html', 'words-30'],
  ['markdown', 'words-15'],
  ['text', 'words-14'],
  ['code', 'words-17'],
  ['code', 'words-18'],
];

const chips = '.answer .cite[data-source]';
const selectedTab = '[role=tab][aria-selected=true]';

let browser: Browser;
let product: Product;
let session: ProductPage;

/** Waits until the original at the open tab lights exactly these words, and they are seen. */
async function expectLit(page: Page, quote: string, kind: DocumentKind): Promise<void> {
  await expect
    .poll(() => litNow(page, kind), { timeout: 30_000, message: `lit in ${kind}` })
    .toEqual(quoteAsLit(quote, kind));
}

/** Hovers over a source, as a reader does, and reads what it quotes and where. */
async function peekAt(page: Page, index: number): Promise<{ quote: string; path: string }> {
  await page.locator(chips).nth(index).hover();
  const card = page.getByRole('tooltip');
  const quote = (await card.locator('blockquote').textContent()) ?? '';
  return { quote, path: (await card.locator('.peek-path').textContent()) ?? '' };
}

describe.skipIf(findChromium() === undefined)('the product', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 120_000 });
  beforeAll(async () => {
    await buildPage();
    [browser, product] = await Promise.all([launchBrowser(), startProduct()]);
    session = await openProduct(browser, product.shell);
  }, 120_000);
  afterAll(async () => {
    await session?.close();
    await browser?.close();
    await product?.close();
  });

  it('opens by an address that works once', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const address = product.shell.launchUrl();
    await page.goto(address);
    await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
    const other = await browser.newContext();
    expect((await (await other.newPage()).goto(address))?.status()).toBe(401);
    await Promise.all([context.close(), other.close()]);
  });

  it('adds a folder by its path, shows how far reading is, and lists what it could not read, with reasons', async () => {
    const { page } = session;
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await page.getByLabel('Where is the folder?').fill(product.folder);
    await page.keyboard.press('Enter');
    await page.getByRole('progressbar', { name: 'Tarnholm' }).waitFor();
    await page.getByRole('progressbar', { name: 'Tarnholm' }).waitFor({ state: 'detached', timeout: 90_000 });
    await page.getByText('32 of 35 documents searchable').waitFor();
    await page.getByRole('button', { name: '2 need attention' }).click();
    const ledger = page.getByRole('dialog', { name: 'All documents' });
    for (const [file, reason] of [
      ['broken', 'damaged'],
      ['empty', 'empty'],
    ] as const) {
      const row = ledger.getByRole('row').filter({ hasText: file });
      expect((await row.locator('.ledger-state').textContent())?.toLowerCase(), file).toContain(reason);
    }
    await page.keyboard.press('Escape');
  });

  it.each(asked)('lights in a document of kind %s exactly what it cites: %s', async (kind, id) => {
    const { page } = session;
    const { question, evidence } = await sampleQuestion(id);
    await ask(page, question);
    await page.getByRole('button', { name: 'Copy with sources' }).waitFor();
    const count = await page.locator(chips).count();
    let isProved = false;
    for (let index = 0; index < count; index++) {
      const { quote, path } = await peekAt(page, index);
      if (path !== evidence?.[0]?.document) continue;
      await page.locator(chips).nth(index).click();
      await expect.poll(() => page.locator(selectedTab).getAttribute('title')).toBe(path);
      await expectLit(page, quote, kind);
      isProved = true;
    }
    expect(isProved, `a source stands in ${evidence?.[0]?.document}`).toBe(true);
    await page.mouse.move(700, 60);
    expect(await axeFindings(page)).toEqual([]);
  });

  it('walks through the sources by n and p, round and round', async () => {
    const { page } = session;
    await ask(page, (await sampleQuestion('words-18')).question);
    await page.getByRole('button', { name: 'Copy with sources' }).waitFor();
    const count = await page.locator(chips).count();
    const quotes: { quote: string; path: string }[] = [];
    for (let index = 0; index < count; index++) quotes.push(await peekAt(page, index));
    await page.mouse.move(700, 60);
    await page.getByText('The original opens here').or(page.locator(selectedTab)).first().waitFor();
    for (const [key, index] of [
      ['n', 0],
      ...(count > 1
        ? ([
            ['n', 1],
            ['p', 0],
          ] as const)
        : ([['n', 0]] as const)),
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText(`place ${index + 1} of ${count}`).waitFor();
      await expectLit(page, quotes[index]!.quote, 'code');
    }
  });

  it('opens the original at a passage, too', async () => {
    const { page } = session;
    await ask(page, (await sampleQuestion('words-07')).question);
    const card = page.getByRole('article').first();
    await page.getByRole('button', { name: 'Copy with sources' }).waitFor();
    const path = await card.locator('.card-title').getAttribute('title');
    await card.locator('.card-title').click();
    await expect.poll(() => page.locator(selectedTab).getAttribute('title')).toBe(path);
    await expect
      .poll(async () => (await litNow(page, 'docx'))[0], { timeout: 30_000 })
      .toContain('IlseBrandvold');
  });

  it('answers a Russian question from a Russian document', async () => {
    const { page } = session;
    const { question, evidence } = await sampleQuestion('words-24');
    await ask(page, question);
    await page.getByRole('button', { name: 'Copy with sources' }).waitFor();
    expect((await page.getByTestId('answer-text').textContent())?.replace(/\s/g, ' ')).toContain('1 700');
    const { quote, path } = await peekAt(page, 0);
    expect(path).toBe(evidence?.[0]?.document);
    await page.keyboard.press('n');
    await expectLit(page, quote, 'docx');
  });

  it('says so when nothing answers', async () => {
    const { page } = session;
    await ask(page, (await sampleQuestion('unanswerable-05')).question);
    await page
      .getByText(/Nothing in your documents fits this question|Your documents don’t answer this/)
      .waitFor();
    expect(await page.locator(chips).count()).toBe(0);
  });

  it('asked nothing of anybody else and reported no error', () => {
    expect(session.strangers).toEqual([]);
    expect(session.problems).toEqual([]);
  });
});
