/** Are the words that a drawn slide shows as lit the words that are cited, and does every anchor lead to its words? */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentKind, DocumentView } from '../../src/api/types.ts';
import { ParseFailure, type SourceFile } from '../../src/engine/document.ts';
import { makeView } from '../../src/engine/parse/make-view.ts';
import { kindOf, parseDocument } from '../../src/engine/parse/parse-document.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { testData } from '../test-data.ts';
import { longPptx, odpSample, pptxSample } from '../unit/parse/slides/samples.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { type LitText, litInFrame } from './lit-words.ts';
import { type MountedFile, type MountedView, mountView } from './mount-view.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from './read-parts.ts';

const never = new AbortController().signal;
const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
const presentationKinds: readonly DocumentKind[] = ['pptx', 'odp', 'ppt'];
const fixtures = testData('fixtures');
if (!fixtures) console.warn('presentations of others not tested: they are not on this machine');

function viewOf(file: SourceFile, kind: DocumentKind, number: number): DocumentView {
  return {
    document: {
      id: number,
      folderId: 1,
      path: file.name,
      title: file.name,
      kind,
      state: 'indexed',
      ledgerState: 'indexed',
      sizeBytes: file.sizeBytes,
      modifiedAtMs: 0,
      language: 'und',
      isArchived: false,
      warnings: [],
    },
    absolutePath: file.path,
    originalUrl: `/original/${number}`,
    viewUrl: `/view/${number}`,
    isChanged: false,
    sheets: [],
  };
}

/** Texts of the drawn elements by their slide and name, as the browser has them. */
const drawnTexts = `Object.fromEntries([...document.querySelector('iframe').contentDocument.querySelectorAll('[data-block]')].map(
  (element) => [element.closest('[data-slide]').dataset.slide + ' ' + element.dataset.block, element.textContent]))`;

/** Every lit piece has a size and stands inside its slide or the notes beneath. */
const outsideSlides = `(() => {
  const frame = document.querySelector('iframe').contentWindow;
  return [...(frame.CSS.highlights.get('lectern-cited') ?? [])].filter((range) => {
    const rect = range.getClientRects()[0];
    const holder = range.startContainer.parentElement.closest('.slide, .aside').getBoundingClientRect();
    return !rect || rect.width === 0 || rect.bottom < holder.top || rect.top > holder.bottom || rect.left > holder.right;
  }).map(String);
})()`;

/** One page for all presentations: each is given to the running component under an address of its own. */
class Reader {
  readonly #browser: Browser;
  readonly #files: Record<string, MountedFile> = {};
  #mounted: MountedView | undefined;
  #opened = 0;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  get mounted(): MountedView {
    return this.#mounted!;
  }

  async open(file: SourceFile): Promise<ReadDocument> {
    const kind = await kindOf(file);
    const read = await readAll(parseDocument, file);
    const number = ++this.#opened;
    this.#files[`/view/${number}`] = (await makeView(kind, file, never))!;
    const props = {
      view: viewOf(file, kind, number),
      anchors: [read.blocks[0]!.spans[0]!.anchor],
      quote: '',
    };
    if (this.#mounted) {
      this.#mounted.errors.length = 0;
      await this.#mounted.setProps(props);
    } else {
      const files = this.#files;
      this.#mounted = await mountView({
        component: 'slides/slides-view',
        props,
        files,
        browser: this.#browser,
      });
    }
    expect(await this.mounted.lit(), `the first words of ${file.name} are lit`).toBe(true);
    return read;
  }

  async light(read: ReadDocument, words: string): Promise<LitText> {
    const start = read.text.indexOf(words);
    expect(start, `"${words}" is in the text`).toBeGreaterThanOrEqual(0);
    const blocks = read.blocks.map(({ offset, text, spans }) => ({ start: offset, text, spans }));
    const anchors = anchorsOfRange(blocks, start, start + words.length);
    await this.mounted.setProps({ anchors, quote: words, visit: start + 2 });
    expect(await this.mounted.lit()).toBe(true);
    await this.mounted.page.waitForTimeout(150);
    return (await this.mounted.page.evaluate(litInFrame)) as LitText;
  }

  close(): Promise<void> | undefined {
    return this.#mounted?.close();
  }
}

async function presentations(): Promise<string[]> {
  if (!fixtures) return [];
  const names = await readdir(fixtures, { recursive: true });
  return names.filter((name) => /\.(pptx|pptm|ppsx|potx|ppt|pps|pot|odp|otp)$/i.test(name)).sort();
}

/** Fixtures that hold no text or can't be read, with the reason that is right for each. */
const reasons: Record<string, string> = {
  'poi/60042.pptx': 'empty',
  'poi/61515.pptx': 'empty',
  'poi/SmartArt.pptx': 'empty',
  'poi/bug60715.pptx': 'empty',
  'poi/missing-blip-fill.pptx': 'no-text',
  'poi/sample_pptx_grouping_issues.pptx': 'empty',
  'poi/54541_cropped_bitmap2.ppt': 'no-text',
  'poi/bug62591.ppt': 'empty',
  'poi/clusterfuzz-testcase-minimized-POIHSLFFuzzer-5962760801091584.ppt': 'empty',
  'poi/Password_Protected-np-hello.ppt': 'encrypted',
  'tika/testWPSAttachment.ppt': 'no-text',
  'poi/clusterfuzz-testcase-minimized-POIXSLFFuzzer-5471515212382208.pptx': 'damaged',
};

describe.skipIf(!findChromium())('SlidesView', { timeout: 120_000 }, () => {
  let browser: Browser;
  let reader: Reader;
  beforeAll(async () => {
    browser = await launchBrowser();
    reader = new Reader(browser);
  });
  afterAll(async () => {
    await reader?.close();
    await browser?.close();
  });

  async function check(name: string, bytes: Uint8Array, words: string[]): Promise<void> {
    await withFile(name, bytes, async (file) => {
      const read = await reader.open(file);
      for (const cited of words) {
        const lit = await reader.light(read, cited);
        expect(squeeze(lit.text)).toBe(squeeze(cited));
        expect(lit.seen, `"${cited}" is on screen`).toBeGreaterThan(0);
        expect(await reader.mounted.page.evaluate(outsideSlides)).toEqual([]);
      }
      expect(reader.mounted.errors).toEqual([]);
    });
  }

  it('lights the cited words of titles, lists, groups, tables, charts, diagrams, notes and comments', () =>
    check('sample.pptx', pptxSample(), [
      'Rent & term',
      'thirty days',
      '2. Pay by bank',
      'Right column',
      'In a group',
      'Northgate Holding',
      'Northgate\t12 400',
      'Rent by year',
      '2025\t13.5',
      'Sign the draft',
      'Mention the index.',
      'Anna: Is this the last year?',
      'Не показывать гостям',
    ]));

  it('lights the cited words of an OpenDocument presentation', () =>
    check('sample.odp', odpSample(), [
      'Срок аренды',
      'тридцать  дней',
      '2. Оплата',
      'Склад\t450',
      'В фигуре',
      'Северный зал',
      'Сказать про индекс.',
      'Проверить срок.',
      'Скрытая страница',
    ]));

  it('brings cited words far down a long presentation on screen', () =>
    check('long.pptx', longPptx(300), ['Right column 287', 'Right column 3', 'Right column 150']));

  it('says which slide is seen, and finds words on slides', async () => {
    await withFile('sample.pptx', pptxSample(), async (file) => {
      await reader.open(file);
      // Told with the scrolling, which comes after the light.
      await expect.poll(async () => (await reader.mounted.places()).at(-1)).toBe('1 / 4');
      await reader.mounted.setProps({ find: { words: 'RENT', at: 0 } });
      expect(await reader.mounted.found()).toBeGreaterThan(1);
      await reader.mounted.page.evaluate('mounted.setProps({ find: undefined })');
    });
  });

  it('leads every block of every presentation back to the same words on its slide', async () => {
    for (const name of await presentations()) {
      const file = await sourceFile(path.join(fixtures!, name));
      expect((await stat(file.path)).isFile()).toBe(true);
      const began = performance.now();
      const failure = await readAll(parseDocument, file).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(performance.now() - began, `${name} is read within 20 s`).toBeLessThan(20_000);
      if (failure) {
        // A workbook that is called a presentation is the sheets' matter.
        if (name === 'poi/bug58718_008524.ppt') continue;
        expect(failure, `${name}: ${String(failure)}`).toBeInstanceOf(ParseFailure);
        expect((failure as ParseFailure).reason, `${name}: ${String(failure)}`).toBe(reasons[name]);
        continue;
      }
      expect(reasons[name], `${name} is read`).toBeUndefined();
      if (!presentationKinds.includes(await kindOf(file))) continue;
      const read = await reader.open(file);
      const drawn = (await reader.mounted.page.evaluate(drawnTexts)) as Record<string, string>;
      for (const { text, spans } of read.blocks) {
        for (const { anchor, start, end } of spans) {
          if (anchor.kind !== 'slide') throw new Error(`${name}: a presentation has anchors on slides`);
          const shown = drawn[`${anchor.slide} ${anchor.shape}`]?.slice(anchor.start, anchor.end);
          // A cell's paragraphs stand below each other on the slide, and beside each other in its row.
          expect(shown?.replaceAll('\n', ' '), `${name}: ${JSON.stringify(anchor)}`).toBe(
            text.slice(start, end).replaceAll('\n', ' '),
          );
        }
      }
      expect(reader.mounted.errors, name).toEqual([]);
    }
  });
});
