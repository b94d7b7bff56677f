/** Does the page light the cited words of a Word document, wherever in it they stand? */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import type { DocumentView } from '../../src/api/types.ts';
import type { SourceFile } from '../../src/engine/document.ts';
import { parseDocx } from '../../src/engine/parse/docx/parse-docx.ts';
import { viewDocx } from '../../src/engine/parse/docx/view-docx.ts';
import { narrowSpans } from '../../src/engine/retrieve/anchors.ts';
import { testData } from '../test-data.ts';
import { findChromium } from './browser.ts';
import { englishLease, russianRegulation } from './docx-sample.ts';
import { type MountedFile, type MountedView, mountView } from './mount-view.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from './read-parts.ts';

const hasBrowser = findChromium() !== undefined;
if (!hasBrowser) console.warn('docx view not tested: no Chromium is installed');

const view: DocumentView = {
  document: {
    id: 1,
    folderId: 1,
    path: 'sample.docx',
    title: 'Sample',
    kind: 'docx',
    state: 'indexed',
    ledgerState: 'indexed',
    sizeBytes: 1,
    modifiedAtMs: 0,
    language: 'en',
    isArchived: false,
    warnings: [],
  },
  absolutePath: '/sample.docx',
  originalUrl: '/original/1',
  viewUrl: '/view/1',
  isChanged: false,
  sheets: [],
};

/** Words that are lit and can be seen, as the browser has them; formulas are left out. */
const litWords = `(() => {
  const frame = document.querySelector('iframe');
  const inner = frame.contentWindow;
  const lit = inner.CSS.highlights.get('lectern-cited');
  const ranges = lit ? [...lit] : [];
  return ranges.map((range) => {
    const box = range.getBoundingClientRect();
    const rect = [...range.getClientRects()].find((one) => one.width > 0);
    const isOnScreen = rect !== undefined && rect.top >= 0 && rect.bottom <= inner.innerHeight;
    // Near the first letter: what hangs out to the left is the first to be clipped.
    const under = rect && inner.document.elementFromPoint(rect.left + 2, rect.top + rect.height / 2);
    const holder = range.commonAncestorContainer;
    const element = holder.nodeType === 1 ? holder : holder.parentElement;
    const isUncovered = under != null && (element.contains(under) || under.contains(element));
    return { text: range.toString(), isOnScreen, isUncovered, height: box.height };
  });
})()`;

/** Names and texts of the drawn paragraphs in the order of the page; a formula is one sign. */
const drawnParagraphs = `(() => {
  const inner = document.querySelector('iframe').contentDocument;
  const seen = new Set();
  return [...inner.querySelectorAll('[id^="lectern-b"]')].flatMap((mark) => {
    if (seen.has(mark.id)) return [];
    seen.add(mark.id);
    const paragraph = mark.closest('p');
    if (!paragraph) return [{ path: mark.id, text: 'outside any paragraph: ' + mark.parentElement.outerHTML }];
    const copy = paragraph.cloneNode(true);
    for (const formula of copy.querySelectorAll('math')) formula.replaceWith('\\u25a1');
    return [{ path: mark.id.slice('lectern-'.length), text: copy.textContent }];
  });
})()`;

interface Lit {
  text: string;
  isOnScreen: boolean;
  isUncovered: boolean;
}

/** One page for all documents: each is given to the running component under an address of its own. */
class Reader {
  readonly mounted: MountedView;
  readonly #files: Record<string, MountedFile>;
  #opened = 0;

  private constructor(mounted: MountedView, files: Record<string, MountedFile>) {
    this.mounted = mounted;
    this.#files = files;
  }

  static async start(): Promise<Reader> {
    const files: Record<string, MountedFile> = {};
    await withFile('first.docx', await englishLease(), async (file) => {
      files['/view/0'] = await viewDocx(file, AbortSignal.timeout(60_000));
    });
    const props = { view: viewAt(0), anchors: [], quote: '' };
    return new Reader(await mountView({ component: 'docx/docx-view', props, files }), files);
  }

  async open(file: SourceFile): Promise<ReadDocument> {
    const read = await readAll(parseDocx, file);
    const number = ++this.#opened;
    this.#files[`/view/${number}`] = await viewDocx(file, AbortSignal.timeout(60_000));
    this.mounted.errors.length = 0;
    await this.mounted.setProps({ view: viewAt(number), anchors: [firstAnchor(read)] });
    expect(await this.mounted.lit(), 'the first words are lit').toBe(true);
    return read;
  }
}

const viewAt = (number: number): DocumentView => ({ ...view, viewUrl: `/view/${number}` });

function firstAnchor(read: ReadDocument): Anchor {
  return read.blocks[0]!.spans[0]!.anchor;
}

/** The rendered paragraph has wide spaces for tabs. */
const shown = (text: string): string => text.replaceAll('\u2003', '\t');

async function light(mounted: MountedView, read: ReadDocument, words: string): Promise<Lit[]> {
  const at = read.text.indexOf(words);
  expect(at, `"${words}" is in the text`).toBeGreaterThanOrEqual(0);
  const anchors = read.blocks.flatMap((block) =>
    narrowSpans(block.spans, at - block.offset, at + words.length - block.offset),
  );
  await mounted.setProps({ anchors, quote: words, visit: at });
  expect(await mounted.lit(), `"${words}" is said to be lit`).toBe(true);
  await mounted.page.waitForTimeout(120);
  return (await mounted.page.evaluate(litWords)) as Lit[];
}

/** Every name and text that the parser gave, against what the browser drew. */
async function compareParagraphs(mounted: MountedView, read: ReadDocument): Promise<void> {
  const drawn = (await mounted.page.evaluate(drawnParagraphs)) as { path: string; text: string }[];
  const texts = new Map(drawn.map(({ path, text }) => [path, shown(text)]));
  const order = new Map(drawn.map(({ path }, at) => [path, at]));
  let last = -1;
  for (const block of read.blocks) {
    for (const span of block.spans) {
      if (span.anchor.kind !== 'element') throw new Error('a Word document has element anchors');
      const { path, start, end } = span.anchor;
      const text = texts.get(path);
      if (text === undefined && block.kind === 'margin') continue; // a header that no page of the view uses
      expect(text, `${path} is drawn`).toBeDefined();
      const words = block.text.slice(span.start, span.end);
      if (end - start === words.length) {
        const exact =
          block.kind === 'row'
            ? shown(text!.slice(start, end)).replaceAll('\t', ' ')
            : text!.slice(start, end);
        expect(exact).toBe(words);
      }
      if (block.kind === 'margin' || block.kind === 'footnote') continue;
      // A label that is merged downwards is repeated in its rows, so a row may point back.
      if (block.kind !== 'row') {
        expect(order.get(path)!, `${path} is drawn after what stands before it`).toBeGreaterThanOrEqual(last);
        last = order.get(path)!;
      }
    }
  }
}

describe.skipIf(!hasBrowser)('DocxView', () => {
  let reader: Reader;
  let mounted: MountedView;
  beforeAll(async () => {
    reader = await Reader.start();
    mounted = reader.mounted;
  });
  afterAll(() => mounted?.close());

  it('lights exactly the cited words in paragraphs, lists, cells and notes of an English document', async () => {
    await withFile('lease.docx', await englishLease(), async (file) => {
      const read = await reader.open(file);
      const cases = [
        'indexed once a year, no later than 15 March', // a mark of a note stands between
        '12,400 euros is indexed', // across runs
        '1.2. The tenant insures the goods.', // with its number
        'a) against fire',
        '2.1. The landlord repairs',
        'Keys are handed over in person',
        'three months\npaid in advance & kept <apart>',
        'notice period is ninety days for both',
        'the house rules and annex B✓ before',
        'of the base rent',
        'After the break.',
        '5,000',
        'All halls',
        'The index is published by the statistics office',
        'Lease of the Northgate',
      ];
      for (const words of cases) {
        const lit = await light(mounted, read, words);
        const text = shown(lit.map((range) => range.text).join(''));
        expect(text).toBe(words);
        expect(
          lit.every((range) => range.isOnScreen && range.isUncovered),
          `"${words}" is on screen`,
        ).toBe(true);
      }
      expect(mounted.errors).toEqual([]);
    });
  });

  it('lights the words of a Russian document', async () => {
    await withFile('положение.docx', await russianRegulation(), async (file) => {
      const read = await reader.open(file);
      for (const words of [
        '1 500 рублей за каждый день',
        '1.1. Билеты прикладывают',
        '4 200,50',
        'до 5 000 ₽ в сутки',
      ]) {
        const lit = await light(mounted, read, words);
        expect(lit.map((range) => range.text).join('')).toBe(words);
        expect(lit.every((range) => range.isOnScreen && range.isUncovered)).toBe(true);
      }
      expect(mounted.errors).toEqual([]);
    });
  });

  it('draws the paragraphs that the parser names, with the same texts in the same order', async () => {
    for (const bytes of [await englishLease(), await russianRegulation()]) {
      await withFile('sample.docx', bytes, async (file) => {
        const read = await reader.open(file);
        await compareParagraphs(mounted, read);
      });
    }
  });

  const fixtures = [
    'poi/HeaderFooterUnicode.docx',
    'poi/DiffFirstPageHeadFoot.docx',
    'poi/58618.docx',
    'poi/bug56075-changeTracking_on.docx',
    'poi/Bug60337.docx',
    'poi/55966.docx',
  ].map((name) => ({ name, file: testData(`fixtures/${name}`) }));

  it.each(fixtures)('draws $name as the parser reads it', async ({ name, file }) => {
    if (!file) return console.warn(`${name} not tested: it is not on this machine`);
    const read = await reader.open(await sourceFile(file));
    await compareParagraphs(mounted, read);
    expect(mounted.errors).toEqual([]);
  });

  it('finds words across runs and marks them where they are drawn', async () => {
    await withFile('lease.docx', await englishLease(), async (file) => {
      await reader.open(file);
      await mounted.setProps({ find: { words: 'TENANT insures', at: 0 } });
      expect(await mounted.found()).toBe(1);
      await mounted.setProps({ find: { words: 'the', at: 1 } });
      const count = await mounted.found();
      expect(count).toBeGreaterThan(2);
      const read = (name: string) =>
        mounted.page.evaluate(
          `[...document.querySelector('iframe').contentWindow.CSS.highlights.get('${name}')].map(String)`,
        );
      expect(await read('lectern-found')).toHaveLength(count);
      expect(((await read('lectern-found-now')) as string[]).map((one) => one.toLowerCase())).toEqual([
        'the',
      ]);
      // As JSON, undefined would be lost.
      await mounted.page.evaluate('mounted.setProps({ find: undefined })');
      const left = await mounted.page.evaluate(
        "document.querySelector('iframe').contentWindow.CSS.highlights.has('lectern-found')",
      );
      expect(left).toBe(false);
    });
  });

  it('says that it draws until the document is drawn', async () => {
    const held = Promise.withResolvers<void>();
    await mounted.page.route('**/view/held', async (route) => {
      await held.promise;
      await route.fallback();
    });
    await mounted.setProps({ view: { ...view, viewUrl: '/view/held' }, anchors: [] });
    await mounted.page.getByRole('status').waitFor();
    held.resolve();
    await withFile('lease.docx', await englishLease(), (file) => reader.open(file));
    expect(await mounted.page.getByRole('status').count()).toBe(0);
  });

  it('follows no link and loads nothing', async () => {
    await withFile('lease.docx', await englishLease(), async (file) => {
      await reader.open(file);
      const asked: string[] = [];
      mounted.page.on('request', (request) => asked.push(request.url()));
      const frame = mounted.page.frameLocator('iframe');
      await frame.getByText('the house rules').click({ timeout: 5_000 });
      await mounted.page.waitForTimeout(200);
      expect(asked).toEqual([]);
      expect(await frame.locator('a[href]').count()).toBe(0);
    });
  });
});
