/** Does a document inside archives open in place, with the cited words lit, and does an archive lead to what is in it? */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type BrowserShell, startBrowserShell } from '../../src/server/server.ts';
import { makeTar, makeZip } from '../unit/parse/archive/make-archives.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { ask } from './page-session.ts';
import { litNow, openProduct, type ProductPage } from './product-session.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const selectedTab = '[role=tab][aria-selected=true]';
const inner = 'Casks.tar » folder/toasting.md';

let place: string;
let browser: Browser;
let engine: Engine;
let shell: BrowserShell;
let session: ProductPage;

describe.skipIf(findChromium() === undefined)('archives in the page', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 120_000 });
  beforeAll(async () => {
    place = await mkdtemp(path.join(os.tmpdir(), 'lectern-archive-page-'));
    const folder = path.join(place, 'Cooperage');
    await mkdir(folder);
    const note = '# Toasting\n\nOak casks are toasted for forty minutes before they are filled.\n';
    const tar = makeTar([{ name: 'folder/toasting.md', content: note }]);
    const other = { name: 'price <list>.txt', content: 'A cask costs 900 crowns.\n' };
    await writeFile(path.join(folder, 'all.zip'), makeZip([{ name: 'Casks.tar', content: tar }, other]));
    engine = await createEngine({
      libraryPath: path.join(place, 'library'),
      modelFolders: [path.join(place, 'models')],
      version: '0.0.0-test',
    });
    const added = await engine.folders.add(folder);
    await engine.folders.index(added.id);
    await buildPage();
    browser = await launchBrowser();
    shell = await startBrowserShell({ engine, pagePath: path.join(root, 'out/renderer'), port: 0 });
    session = await openProduct(browser, shell);
  }, 180_000);
  afterAll(async () => {
    await session?.close();
    await browser?.close();
    await shell?.close();
    await engine?.close();
    await rm(place, { recursive: true, force: true });
  });

  it('lights what is cited in a document inside an archive inside an archive', async () => {
    const { page } = session;
    await ask(page, 'How long are oak casks toasted?');
    await page.locator('.answer .cite[data-source]').first().click();
    await expect.poll(() => page.locator(selectedTab).getAttribute('title')).toBe(`all.zip » ${inner}`);
    await expect
      .poll(() => litNow(page, 'markdown'), { timeout: 30_000 })
      .toEqual(['Oakcasksaretoastedforfortyminutesbeforetheyarefilled.']);
  });

  it('shows what is in an archive, and opens each of it', async () => {
    const { page } = session;
    await page.getByRole('button', { name: /documents searchable/ }).click();
    const row = page
      .getByRole('dialog', { name: 'All documents' })
      .getByRole('row')
      .filter({ hasText: 'all.zip' });
    await row.filter({ hasNotText: '»' }).first().getByRole('button').first().click();
    const frame = page.frameLocator('iframe.document-frame');
    await frame.getByRole('link', { name: 'price <list>.txt' }).click();
    await expect
      .poll(() => page.locator(selectedTab).getAttribute('title'))
      .toBe('all.zip » price <list>.txt');
    await page.getByText('A cask costs 900 crowns.').last().waitFor();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => page.locator(selectedTab).getAttribute('title')).toBe('all.zip');
    await page.frameLocator('iframe.document-frame').getByRole('link', { name: 'Casks.tar' }).press('Enter');
    await expect.poll(() => page.locator(selectedTab).getAttribute('title')).toBe('all.zip » Casks.tar');
    await page
      .frameLocator('iframe.document-frame')
      .getByRole('link', { name: 'folder/toasting.md' })
      .waitFor();
    expect(session.problems).toEqual([]);
  });
});
