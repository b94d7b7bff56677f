/** Does the page of models say what is used, what can be had and what went wrong, and never connect unasked? */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { starter } from './page-models.ts';
import { axeFindings, openPage, type PageSession } from './page-session.ts';

let browser: Browser;
let session: PageSession;

async function openModels(...options: Parameters<typeof openPage> extends [Browser, ...infer R] ? R : never) {
  session = await openPage(browser, ...options);
  await session.page.locator('.foot-model').last().click();
  await session.page.locator('.purposes').waitFor();
  return session.page;
}

const purpose = (page: Page, name: string) => page.locator('.purposes > li').filter({ hasText: name });
const row = (page: Page, name: string) => page.locator('.model-row').filter({ hasText: name });
/** The dialog that is on top. */
const top = (page: Page) => page.getByRole('dialog').last();

async function download(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: 'Can be had' }).check();
  await page.getByRole('button', { name: `Download ${name}` }).click();
  await top(page).getByRole('button', { name: 'Download', exact: true }).click();
}

describe.skipIf(findChromium() === undefined)('the page of models', () => {
  // A browser on a busy machine is slow to start and to draw.
  vi.setConfig({ testTimeout: 90_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => session?.close());

  it('opens from the settings too', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Open the models' }).click();
    await page.getByText('Runs on this computer’s processor').waitFor();
  });

  it('says how much a better model knows, and that the starter helps it until then', async () => {
    const page = await openModels();
    const finding = purpose(page, 'Finding by meaning');
    await finding.getByText('Multilingual E5 small + Starter').waitFor();
    await finding.getByText('Knows 3,120 of 4,812 passages; until then both are used.').waitFor();
    expect(await finding.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3120');
    await purpose(page, 'Putting in order').getByText('No model.').waitFor();
  });

  it('says what the starter can do and what it can’t, and offers no way to remove it', async () => {
    const page = await openModels({ models: [starter] });
    await page.getByText('A downloaded model finds more.').waitFor();
    expect(await page.getByRole('button', { name: 'Remove Starter' }).count()).toBe(0);
    await purpose(page, 'Writing answers').getByRole('button', { name: 'See what can be had' }).click();
    expect(await page.getByRole('radio', { name: 'Can be had' }).isChecked()).toBe(true);
  });

  it('says that none is installed', async () => {
    const page = await openModels({ hasNoModel: true });
    await page.getByText('No model. Lectern searches by words only.').waitFor();
    await page.getByText('No model is installed.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('tells of every installed model its licence, where it is from, and whether it was verified', async () => {
    const page = await openModels();
    await row(page, 'Qwen 1.5B')
      .getByText('licence Apache-2.0 · from huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF@91cad51')
      .waitFor();
    await row(page, 'Multilingual E5 small').getByText('Nobody promised a checksum for its files').waitFor();
    await row(page, 'Small multilingual').getByText('its checksum differs, copy the file again.').waitFor();
    await page.getByRole('button', { name: 'Check the files' }).click();
    await page.getByText('Every file was compared just now.').waitFor();
  });

  it('tests the speed in words and passages a second, and says why it could not', async () => {
    const page = await openModels();
    await page.getByRole('button', { name: 'Test the speed of Qwen 1.5B' }).click();
    await page.getByText('Writes 6.4 words a second · the first word comes after 0.9 s').waitFor();
    await page.getByRole('button', { name: 'Test the speed of Starter' }).click();
    await page.getByText('Reads 41 passages a second').waitFor();
    await page.getByRole('button', { name: 'Test the speed of Tiny writer' }).click();
    await page.getByText('This model needs more memory than this computer has free.').waitFor();
    await row(page, 'Tiny writer').getByRole('button', { name: 'See the models' }).click();
    expect(await page.getByRole('radio', { name: 'Can be had' }).isChecked()).toBe(true);
  });

  it('changes over to another model and removes one after asking', async () => {
    const page = await openModels();
    await page.getByRole('button', { name: 'Use Tiny writer' }).click();
    await purpose(page, 'Writing answers').getByText('Tiny writer').waitFor();
    await page.getByRole('button', { name: 'Remove Qwen 1.5B' }).click();
    await top(page).getByText('1.1 GB become free').waitFor();
    await page.keyboard.press('Escape');
    expect(await row(page, 'Qwen 1.5B').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove Qwen 1.5B' }).click();
    await top(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await row(page, 'Qwen 1.5B').waitFor({ state: 'detached' });
  });

  it('names host, size and licence before it connects, and connects only after a yes', async () => {
    const page = await openModels();
    await page.getByRole('radio', { name: 'Can be had' }).check();
    await page.getByRole('button', { name: 'Download Whole meaning' }).click();
    await top(page).getByText('Lectern connects to huggingface.co and loads example/whole.').waitFor();
    await top(page).getByText('Size: 560 MB.').waitFor();
    await top(page).getByText('Licence: MIT.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await top(page).getByRole('button', { name: 'Cancel' }).first().click();
    expect(session.engine.calls).not.toContain('models.download');
    await page.getByRole('button', { name: 'Download Broken meaning' }).click();
    await top(page).getByText('Size: not verified.').waitFor();
  });

  it('shows a download to its end, with what was promised, and the model among the installed ones', async () => {
    const page = await openModels();
    await download(page, 'Whole meaning');
    await page.getByText('220 MB of 560 MB · 2 minutes left').waitFor();
    await page.getByText('Downloaded, compared and installed.').waitFor();
    await page.getByText('Version and checksums').click();
    await page.getByText('6e816089ba7c4d341fb8f19e6976ea5e1c538345c53937d79c762684e2546697').waitFor();
    await page.getByRole('radio', { name: 'Installed' }).check();
    await row(page, 'Whole meaning').waitFor();
  });

  it('keeps what came of a download that failed, says why, and goes on', async () => {
    const page = await openModels();
    await download(page, 'Broken meaning');
    await page.getByText('The download stopped: the host could not be reached').waitFor();
    await page.getByText('The 220 MB that came are kept.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await row(page, 'Broken meaning').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Downloaded, compared and installed.').waitFor();
  });

  it('stops a download and goes on with it', async () => {
    const page = await openModels();
    await download(page, 'Slow writer');
    await page.getByText('220 MB of 2.5 GB').waitFor();
    await page.getByRole('progressbar', { name: 'Download of Slow writer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Downloading Slow writer: 8 %' }).click();
    await page.getByRole('radio', { name: 'Can be had' }).check();
    await page.getByRole('button', { name: 'Stop downloading Slow writer' }).click();
    await page.getByText('Stopped. The 220 MB that came are kept.').waitFor();
    await page.getByRole('button', { name: 'Go on downloading Slow writer' }).click();
    await page.getByText('Downloaded, compared and installed.').waitFor();
  });

  it('says what fits this computer and refuses what does not with a reason', async () => {
    const page = await openModels();
    await page.getByRole('radio', { name: 'Can be had' }).check();
    await page.getByText('Too large: needs 9.6 GB, this computer has 3.1 GB free.').waitFor();
    await page.getByText('Tight: needs 2.9 GB, this computer has 3.1 GB free.').waitFor();
    await row(page, 'Whole meaning').getByText('recommended here').waitFor();
    await row(page, 'Qwen 1.5B').getByText('installed').waitFor();
    await download(page, 'Huge writer');
    await row(page, 'Huge writer').getByText('This model needs more memory').waitFor();
  });

  it('brings a model from a stick and says what became of it', async () => {
    const page = await openModels();
    await page.getByRole('button', { name: 'Bring one from a stick' }).click();
    await page.getByLabel('Where is it?').fill('stick/writer.gguf');
    await page.getByText('Give the full path, from the top').waitFor();
    await page.getByLabel('Where is it?').fill('/media/stick/letters');
    await page.keyboard.press('Enter');
    await page.getByText('Lectern found no model there that it understands.').waitFor();
    await page.getByLabel('Where is it?').fill('"/media/stick/writer.gguf"');
    await page.keyboard.press('Enter');
    await page.getByText('Brought writer: copied and ready, but not verified').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row(page, 'Brought writer').waitFor();
  });

  it('writes an archive for another computer, under another name where one is taken', async () => {
    const page = await openModels();
    await page.getByRole('button', { name: 'Export Multilingual E5 small' }).click();
    await page.getByLabel('Where to?').fill('/media/stick/taken.zip');
    await page.keyboard.press('Enter');
    await page.getByText('The archive was not written. Choose another name').waitFor();
    await page.getByLabel('Where to?').fill('/media/stick/e5.zip');
    await page.keyboard.press('Enter');
    await page.getByText('Written: 471 MB at /media/stick/e5.zip').waitFor();
  });

  it('says what the machine has, and why a device does not work', async () => {
    const page = await openModels();
    await page.getByRole('radio', { name: 'This computer' }).check();
    await page.getByText('8 processor cores · 3.1 GB of 16 GB memory free').waitFor();
    const device = page.getByRole('row').filter({ hasText: 'NVIDIA graphics card (CUDA)' });
    await device.getByText('does not work').waitFor();
    await device.getByText('Its driver is older than version 525.60').waitFor();
    await page.getByText('All of this works without a network, except a download.').waitFor();
  });

  it('is led by the keyboard alone', async () => {
    session = await openPage(browser);
    const { page } = session;
    await page.locator('.foot-model').last().focus();
    await page.keyboard.press('Enter');
    await page.locator('.purposes').waitFor();
    await page.getByRole('radio', { name: 'Installed' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('recommended here').first().waitFor();
    await page.keyboard.press('Tab'); // to the stick
    await page.keyboard.press('Tab'); // to the first download
    await page.keyboard.press('Enter');
    await top(page).getByText('Lectern connects to huggingface.co').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.className')).toContain('foot-model');
    expect(session.problems).toEqual([]);
  });

  it.each([
    { colorScheme: 'light', width: 1280, locale: 'en-US' },
    { colorScheme: 'dark', width: 900, locale: 'ru-RU' },
  ] as const)('axe finds nothing in any part: $colorScheme, $width, $locale', async (look) => {
    const { colorScheme, width, locale } = look;
    const page = await openModels({}, { colorScheme, locale, viewport: { width, height: 800 } });
    for (const part of await page.locator('.models-tools input').all()) {
      await part.check();
      expect(await axeFindings(page)).toEqual([]);
      const { over, wide } = (await page.evaluate(
        '(() => { const e = document.querySelector(".models-page"); return { over: e.scrollWidth, wide: e.clientWidth }; })()',
      )) as { over: number; wide: number };
      expect(over).toBeLessThanOrEqual(wide);
    }
  });

  it('keeps the list and says so when the engine goes away', async () => {
    const page = await openModels();
    session.engine.drop();
    await page.getByText('The reading engine stopped. It is being started again…').waitFor();
    await page.getByRole('button', { name: 'Test the speed of Starter' }).click();
    await page.getByText('The reading engine stopped before it was done.').waitFor();
    await row(page, 'Starter').waitFor();
    session.engine.restore();
    await page
      .getByText('The reading engine stopped. It is being started again…')
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test the speed of Starter' }).click();
    await page.getByText('Reads 41 passages a second').waitFor();
  });
});
