/** Is a mail shown as its reader expects it, with the cited words lit, and does nothing in it reach beyond its own room? */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentView } from '../../src/api/types.ts';
import type { SourceFile } from '../../src/engine/document.ts';
import { makeView } from '../../src/engine/parse/make-view.ts';
import { parseDocument } from '../../src/engine/parse/parse-document.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { mailOf, part } from '../unit/parse/mail/mail-samples.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { type LitText, litInFrame } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';
import { readAll } from './read-parts.ts';

const never = new AbortController().signal;
const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
const shots = process.env.LECTERN_SHOTS;

/** A square of one colour, 40 by 40. */
const square =
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAoCAIAAAADnC86AAAAK0lEQVR4nO3NMQEAAAgDILV/59nBFz4GOZ1qJAAAAAAAAAAAAAAAAAAAAAB4bQE8AgFHLzJ9ngAAAABJRU5ErkJggg==';

const head = [
  'From: Ольга Лебедева <olga@example.org>',
  'To: Ivan Petrov <ivan@example.org>, "Stores, North" <stores@example.org>',
  'Cc: archive@example.org',
  'Subject: Отгрузка насосов: offer 7',
  'Date: Tue, 12 Mar 2024 01:30:00 +0300',
];

/** What a mail may try: to hide its head, to lie above it, to fetch, to forge a way to what is attached. */
const page = `<html><head><style>p { color: #245; } header, .mail-head { display: none !important } } body > * { display: none !important }
:scope { contain: none !important; position: static !important }</style></head>
<body bgcolor="#f2f7ff" title='</header><p onclick="1">'><div style="position:fixed;top:0;left:0;width:900px;height:300px;background:#fff">Urgent: pay at once</div>
<p>Good day! The price is 40 € for each pump.</p><img src="cid:square@example.org"><img src="https://example.org/track.png">
</div></div><p data-member="forged.txt">After two ends of nothing the letter goes on.</p>
<table border="1"><tr><th>Goods</th><th>Pieces</th></tr><tr><td>Pumps</td><td>12</td></tr></table></body></html>`;

const samples = {
  page: mailOf(head, [
    part(['Content-Type: text/html; charset=utf-8'], page),
    part(
      [
        'Content-Type: image/png; name="square.png"',
        'Content-ID: <square@example.org>',
        'Content-Transfer-Encoding: base64',
      ],
      square,
    ),
    part(
      ['Content-Type: text/plain', 'Content-Disposition: attachment; filename="plan & costs.txt"'],
      'inside',
    ),
    part(['Content-Type: message/rfc822'], 'Subject: earlier words\r\n\r\nbefore'),
  ]),
  words: mailOf(head, [
    part(
      ['Content-Type: text/plain; charset=utf-8'],
      'Добрый день!\r\n\r\nСклад закрывается в пятницу.\r\nПросим забрать двадцать насосов.\r\n\r\n> On 11 March Ivan wrote:\r\n> When is it open?\r\n\r\n-- \r\nОльга Лебедева\r\nСклад «Север»',
    ),
    part(
      ['Content-Type: application/pdf', 'Content-Disposition: attachment; filename="накладная.pdf"'],
      'no pdf',
    ),
  ]),
} as const;

function viewOf(file: SourceFile): DocumentView {
  return {
    ...{
      absolutePath: file.path,
      originalUrl: '/original/1',
      viewUrl: '/view/1',
      isChanged: false,
      sheets: [],
    },
    document: {
      ...{
        id: 1,
        folderId: 1,
        path: file.name,
        title: file.name,
        kind: 'mail',
        state: 'indexed',
        ledgerState: 'indexed',
      },
      ...{ sizeBytes: file.sizeBytes, modifiedAtMs: 0, language: 'und', isArchived: false, warnings: [] },
    },
  };
}

describe.skipIf(!findChromium())('the view of a mail in a real browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-mail-view-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function mount(
    sample: keyof typeof samples,
    width = 900,
  ): Promise<{ mounted: MountedView; file: SourceFile }> {
    const place = path.join(folder, `${sample}.eml`);
    await writeFile(place, samples[sample]);
    const file = { path: place, name: `${sample}.eml`, sizeBytes: (await stat(place)).size };
    const mounted = await mountView({
      component: 'mail/mail-view',
      props: { view: viewOf(file) },
      files: { '/view/1': (await makeView('mail', file, never))! },
      viewport: { width, height: 700 },
      browser,
    });
    await mounted.page.frameLocator('iframe').locator('.mail-head').waitFor();
    return { mounted, file };
  }

  it.each([
    {
      sample: 'page',
      words: [
        'From: Ольга Лебедева',
        'Отгрузка насосов',
        '2024-03-12 01:30',
        'The price is 40 €',
        'Pumps\t12',
        'goes on',
        'plan & costs.txt',
      ],
    },
    {
      sample: 'words',
      words: ['Просим забрать двадцать', 'When is it open?', 'Склад «Север»', 'накладная.pdf'],
    },
  ] as const)('lights the cited words in a mail made of $sample', async ({ sample, words }) => {
    const { mounted, file } = await mount(sample);
    const read = await readAll(parseDocument, file);
    const blocks = read.blocks.map(({ offset, text, spans }) => ({ start: offset, text, spans }));
    for (const cited of words) {
      const start = read.text.indexOf(cited);
      expect(start, `"${cited}" is in the text`).toBeGreaterThanOrEqual(0);
      const anchors = anchorsOfRange(blocks, start, start + cited.length);
      await mounted.setProps({ anchors, quote: cited, visit: 2 });
      expect(await mounted.lit()).toBe(true);
      await mounted.page.waitForTimeout(150);
      const lit = (await mounted.page.evaluate(litInFrame)) as LitText;
      expect(squeeze(lit.text)).toBe(squeeze(cited));
      expect(lit.seen, `"${cited}" is on screen`).toBeGreaterThan(0);
    }
    for (const theme of shots ? ['light', 'dark'] : []) {
      await mounted.page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      for (const width of [900, 1280]) {
        await mounted.page.setViewportSize({ width, height: 700 });
        await mounted.page.waitForTimeout(200);
        await mounted.page.screenshot({ path: path.join(shots!, `mail-${sample}-${theme}-${width}.png`) });
      }
    }
    expect(mounted.errors).toEqual([]);
    await mounted.close();
  });

  it('lets nothing that its writer drew hide its head or lie above it', async () => {
    const { mounted } = await mount('page');
    const seen = (await mounted.page.evaluate(`(() => {
      const inner = document.querySelector('iframe').contentDocument;
      return [...inner.querySelectorAll('.mail-head > p')].map((line) => {
        const box = line.getBoundingClientRect();
        const above = inner.elementFromPoint(box.left + 4, box.top + box.height / 2);
        return box.height > 0 && line.contains(above);
      });
    })()`)) as boolean[];
    expect(seen).toEqual(Array.from({ length: 7 }, () => true));
    await mounted.close();
  });

  it('shows the pictures that it brings along, and fetches none', async () => {
    const { mounted } = await mount('page');
    const widths = await mounted.page.evaluate(
      `Promise.all([...document.querySelector('iframe').contentDocument.images].filter((one) => one.src).map(async (one) => {
        await one.decode();
        return one.naturalWidth;
      }))`,
    );
    expect(widths).toEqual([40]);
    expect(mounted.errors).toEqual([]);
    await mounted.close();
  });

  it('opens what is attached, by click and by key, and nothing that its writer forged', async () => {
    const { mounted } = await mount('page');
    const inner = mounted.page.frameLocator('iframe');
    await inner.locator('.attachment').first().click();
    await inner.locator('.attachment').nth(1).press('Enter');
    // What lies above it is the letter's own.
    await inner.getByText('After two ends of nothing').dispatchEvent('click');
    expect(await mounted.page.evaluate('mounted.members')).toEqual(['plan & costs.txt', 'earlier words.eml']);
    await mounted.close();
  });
});
