/** Does a model come, serve and go by the page's own buttons, with the real engine and a host on this machine? */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildPage } from '../../build/build-page.ts';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { startBrowserShell } from '../../src/server/server.ts';
import { breakAfter, revision, sendFile, startHub, type TestHub } from '../models/model-hub.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { openProduct, type ProductPage } from './product-session.ts';

const root = path.join(import.meta.dirname, '../..');
const id = 'multilingual-e5-small';
const name = 'Multilingual E5 small';

interface Desk {
  place: string;
  /** The user's own folder of models. */
  models: string;
  engine: Engine;
  session: ProductPage;
  page: Page;
}

let browser: Browser;
let desk: Desk | undefined;

/** A library of one document, the built-in embedder, and the page of models. @param hub asked instead of the catalogue's host */
async function openModels(hub?: TestHub): Promise<Desk> {
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-models-page-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const models = path.join(place, 'models');
  const engine = await createEngine({
    libraryPath: path.join(place, 'library'),
    modelFolders: [models, path.join(root, 'models')],
    cataloguePath: path.join(root, 'resources/models.json'),
    version: '0.0.0-test',
    modelThreads: 1,
    ...(hub ? { network: { origin: hub.origin } } : {}),
  });
  const papers = path.join(place, 'papers');
  await mkdir(papers);
  writeFileSync(path.join(papers, 'rent.txt'), 'The rent of the mill is 900 crowns a month.\n');
  await engine.folders.index((await engine.folders.add(papers)).id);
  const shell = await startBrowserShell({ engine, pagePath: path.join(root, 'out/renderer'), port: 0 });
  const session = await openProduct(browser, shell);
  const { page } = session;
  onTestFinished(async () => {
    await session.close();
    await shell.close();
    await engine.close();
  });
  await page.locator('.foot-model').last().click();
  await page.locator('.purposes').waitFor();
  return { place, models, engine, session, page };
}

/** The files of a generated encoder, as the catalogue's entry names them. */
function encoderFiles(): Map<string, Buffer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-encoder-'));
  makeTinyEncoder(folder, { width: 384, maxTokens: 512 });
  const read = (file: string) => readFileSync(path.join(folder, file));
  const files = new Map([
    ['onnx/model.onnx', read('model.onnx')],
    ['onnx/tokenizer.json', read('tokenizer.json')],
  ]);
  rmSync(folder, { recursive: true });
  return files;
}

const isModel = (url: string | undefined): boolean => url?.endsWith('onnx%2Fmodel.onnx') === true;
const row = (page: Page, words: string) => page.locator('.model-row').filter({ hasText: words });
const top = (page: Page) => page.getByRole('dialog').last();
const part = (page: Page, words: string) => page.getByRole('radio', { name: words }).check();
const finding = (page: Page) => page.locator('.purposes > li').filter({ hasText: 'Finding by meaning' });

/** Opens the question before a connection and says yes. */
async function agree(page: Page, hub: TestHub): Promise<void> {
  await part(page, 'Can be had');
  await page.getByRole('button', { name: `Download ${name}` }).click();
  const asked = top(page);
  await asked
    .getByText(`Lectern connects to ${new URL(hub.origin).host} and loads intfloat/${id}.`)
    .waitFor();
  await asked.getByText('Size: not verified.').waitFor();
  await asked.getByText('Licence: MIT.').waitFor();
  expect(hub.requests).toEqual([]);
  await asked.getByRole('button', { name: 'Download', exact: true }).click();
}

/** What the desktop shell adds to a page: paths of what is dropped. */
async function drop(page: Page, file: string): Promise<void> {
  await page.evaluate(`window.lectern = { pathOf: () => ${JSON.stringify(file)} }`);
  await page.getByRole('button', { name: 'Bring one from a stick' }).click();
  const dropped = await page.evaluateHandle(
    "(() => { const data = new DataTransfer(); data.items.add(new File([''], 'dropped')); return data; })()",
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
}

describe.skipIf(findChromium() === undefined)('the page of models on the real engine', () => {
  vi.setConfig({ testTimeout: 120_000 });
  beforeAll(async () => {
    await buildPage();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(desk?.session.problems).toEqual([]);
    desk = undefined;
  });

  it('loads after a yes, stops, goes on from there, compares, serves, is changed for another, and goes', async () => {
    const files = encoderFiles();
    const model = files.get('onnx/model.onnx')!;
    const hub = await startHub(files);
    hub.behave.file = (request, response) => {
      if (!isModel(request.url) || request.headers.range) return false;
      const hash = { etag: '' };
      sendFile(
        request,
        { writeHead: (_: number, head: typeof hash) => Object.assign(hash, head), end: () => {} } as never,
        model,
      );
      response.writeHead(200, { etag: hash.etag, 'content-length': model.length });
      response.write(model.subarray(0, 600_000));
      return true;
    };
    desk = await openModels(hub);
    const { page, models, engine } = desk;
    await agree(page, hub);
    await page.getByText(/^600 kB of [\d.]+ MB/).waitFor();
    await page.getByRole('button', { name: `Stop downloading ${name}` }).click();
    await page.getByText('Stopped. The 600 kB that came are kept.').waitFor();
    expect(statSync(path.join(models, `.download-${id}`, 'onnx', 'model.onnx.part')).size).toBe(600_000);
    await page.getByRole('button', { name: `Go on downloading ${name}` }).click();
    await page.getByText('Downloaded, compared and installed.').waitFor();
    const asked = hub.requests.filter(({ path: file }) => file === '/store/onnx/model.onnx');
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=600000-']);
    await page.getByText('Version and checksums').click();
    await page.getByText(`Version ${revision}`).waitFor();
    await part(page, 'Installed');
    await row(page, name).getByText(`from huggingface.co/intfloat/${id}@614241f`).waitFor();
    await finding(page).getByText('Knows the one passage there is.').waitFor();
    await page.getByRole('button', { name: 'Check the files' }).click();
    await page.getByText('Every file was compared just now.').waitFor();
    // The starter rests now, so it can be chosen; and back again.
    await page.getByRole('button', { name: 'Use Starter' }).click();
    await page.getByRole('button', { name: `Use ${name}` }).click();
    await finding(page).getByText(name).waitFor();
    expect((await engine.modelManager.list()).find((info) => info.id === id)?.isInUse).toBe(true);
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await top(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await row(page, name).waitFor({ state: 'detached' });
    await finding(page).getByText('Starter').waitFor();
    expect(readdirSync(models).filter((one) => one !== '.devices.json')).toEqual([]);
  });

  it('says why a download failed, and what of it is kept', async () => {
    const files = encoderFiles();
    const hub = await startHub(files);
    let isWrong = true;
    hub.behave.file = (request, response) => {
      if (!isModel(request.url)) return false;
      if (isWrong) sendFile(request, response, Buffer.alloc(files.get('onnx/model.onnx')!.length));
      else breakAfter(request, response, files.get('onnx/model.onnx')!, 500_000);
      return true;
    };
    desk = await openModels(hub);
    const { page, models } = desk;
    await agree(page, hub);
    const shown = row(page, name);
    await shown.getByText('The download stopped: the host could not be reached').waitFor();
    await shown.getByText('Nothing of it is kept.').waitFor();
    await shown.getByText('More about this').or(shown.locator('.notice summary')).first().click();
    await shown.getByText(/sent other bytes than it promised: the file was removed/).waitFor();
    expect(readdirSync(models)).toEqual([]);
    isWrong = false;
    await shown.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Downloaded, compared and installed.').waitFor();
  });

  it('takes a dropped folder and a dropped archive, and nothing of what can’t run', async () => {
    desk = await openModels();
    const { page, place, models, engine } = desk;
    const folder = path.join(place, 'stick');
    makeTinyEncoder(folder);
    await drop(page, folder);
    await page.getByText(/checked, copied and ready/).waitFor();
    await page.keyboard.press('Escape');
    const archive = path.join(place, 'models.zip');
    await page.getByRole('button', { name: /^Export / }).click();
    await page.getByLabel('Where to?').fill(archive);
    await page.keyboard.press('Enter');
    await page.getByText(/^Written: /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Remove / }).click();
    await top(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: /^Remove / }).waitFor({ state: 'detached' });
    await drop(page, archive);
    await page.getByText(/checked, copied and ready/).waitFor();
    await page.keyboard.press('Escape');
    expect((await engine.modelManager.list()).map((info) => info.id)).toContain('tiny-embedder');
    writeFileSync(path.join(folder, 'model.onnx'), 'no graph');
    await drop(page, folder);
    await page.getByText('Nothing was brought in.').waitFor();
    expect(readdirSync(models).filter((one) => !one.startsWith('.'))).toEqual(['tiny-embedder']);
  });

  it('tries the devices again when it is told to', async () => {
    desk = await openModels();
    const { page, models } = desk;
    await mkdir(models, { recursive: true });
    writeFileSync(path.join(models, '.devices.json'), '{"stamp":"old","models":{}}');
    await part(page, 'This computer');
    await page.getByRole('button', { name: 'Try the devices again' }).click();
    await page.getByText('Forgotten. Each model is tried on every device').waitFor();
    expect(readdirSync(models)).toEqual([]);
  });
});
