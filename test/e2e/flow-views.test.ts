/** Are the words that old Word, rich text, OpenDocument, e-books and transcripts show as lit the words that are cited? */
import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentKind, DocumentView } from '../../src/api/types.ts';
import type { SourceFile } from '../../src/engine/document.ts';
import { makeView } from '../../src/engine/parse/make-view.ts';
import { kindOf, parseDocument } from '../../src/engine/parse/parse-document.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { testData } from '../test-data.ts';
import { epubSample, odtSample, rtfSample, srtSample } from '../unit/parse/flow/samples.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { type LitText, litInFrame, litInRows } from './lit-words.ts';
import { mountView } from './mount-view.ts';
import { readAll } from './read-parts.ts';

const never = new AbortController().signal;
const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
const oldWord = testData('fixtures/docling/legacy_sample.doc');

function viewOf(file: SourceFile, kind: DocumentKind): DocumentView {
  return {
    document: {
      id: 1,
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
    originalUrl: '/original/1',
    viewUrl: '/view/1',
    isChanged: false,
    sheets: [],
  };
}

describe.skipIf(!findChromium())(
  'the views of flowing documents in a real browser',
  { timeout: 120_000 },
  () => {
    let browser: Browser;
    let folder: string;

    beforeAll(async () => {
      browser = await launchBrowser();
      folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-flow-views-'));
    });
    afterAll(async () => {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Lights each of the words in turn and reads what is lit on screen. */
    async function check(name: string, content: Uint8Array | string, words: string[]): Promise<void> {
      const place = path.join(folder, name);
      if (typeof content === 'string') await copyFile(content, place);
      else await writeFile(place, content);
      const file = { path: place, name, sizeBytes: (await stat(place)).size };
      const kind = await kindOf(file);
      const read = await readAll(parseDocument, file);
      const blocks = read.blocks.map(({ offset, text, spans }) => ({ start: offset, text, spans }));
      const isTranscript = kind === 'transcript';
      const mounted = await mountView({
        component: isTranscript ? 'transcript/transcript-view' : 'html/html-view',
        props: { view: viewOf(file, kind) },
        files: { '/view/1': (await makeView(kind, file, never))! },
        browser,
      });
      for (const cited of words) {
        const start = read.text.indexOf(cited);
        expect(start, `"${cited}" is in the text`).toBeGreaterThanOrEqual(0);
        const anchors = anchorsOfRange(blocks, start, start + cited.length);
        await mounted.setProps({ anchors, quote: cited, visit: 2 });
        expect(await mounted.lit()).toBe(true);
        await mounted.page.waitForTimeout(150);
        const lit = (await mounted.page.evaluate(isTranscript ? litInRows : litInFrame)) as LitText;
        expect(squeeze(lit.text)).toBe(squeeze(cited));
        expect(lit.seen, `"${cited}" is on screen`).toBeGreaterThan(0);
      }
      expect(mounted.errors).toEqual([]);
      await mounted.close();
    }

    it('lights the cited words of rich text', () =>
      check('sample.rtf', rtfSample, [
        'поставки — ten',
        'a) the first item',
        '2023\t1 450',
        '2 300',
        'Calendar days.',
        'Running head',
      ]));

    it('lights the cited words of an OpenDocument text', () =>
      check('sample.odt', odtSample, [
        '1. Delivery',
        'ten  days',
        'b) the second item',
        'Year\tSum',
        'Words in a box.',
        'Ask the lawyer.',
      ]));

    it('lights the cited words of an e-book', () =>
      check('sample.epub', epubSample, ['First tale', 'fell for nine days', 'was frozen & silent']));

    it('lights the cited words of a transcript, inside a cue and over several', () =>
      check('talk.srt', srtSample, [
        'notice period is thirty',
        'thirty days. So we said',
        'Договор подписан.',
      ]));

    it.skipIf(!oldWord)('lights the cited words of an old Word document', () =>
      check('sample.doc', oldWord!, [
        'Let’s swim!',
        'You can relax and look around',
        '2. Don’t forget to drink water',
        'cute duckling',
      ]),
    );
  },
);
