/** Are the words that a page, a Markdown text, a plain text and code show as lit the words that are cited? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Anchor } from '../../src/api/anchor.ts';
import type { DocumentKind, DocumentView } from '../../src/api/types.ts';
import type { Block, SourceFile } from '../../src/engine/document.ts';
import { makeView } from '../../src/engine/parse/make-view.ts';
import { kindOf, parseDocument } from '../../src/engine/parse/parse-document.ts';
import { anchorsOfRange } from '../../src/engine/retrieve/anchors.ts';
import { findChromium, launchBrowser } from './browser.ts';
import { litInFrame, litInRows } from './lit-words.ts';
import { type MountedView, mountView } from './mount-view.ts';

const never = new AbortController().signal;
const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

interface Opened {
  text: string;
  blocks: { start: number; text: string; spans: Block['spans'] }[];
  mounted: MountedView;
}

const component: Partial<Record<DocumentKind, string>> = {
  html: 'html/html-view',
  markdown: 'markdown/markdown-view',
  text: 'text/text-view',
  code: 'text/text-view',
};

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

describe.skipIf(!findChromium())('the text views in a real browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-text-views-'));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(name: string, content: string | Uint8Array): Promise<Opened> {
    const file = { path: path.join(folder, name), name, sizeBytes: content.length };
    await writeFile(file.path, content);
    const kind = await kindOf(file);
    const blocks: Opened['blocks'] = [];
    let text = '';
    for await (const part of parseDocument(file, never)) {
      if (part.type !== 'block') continue;
      blocks.push({ start: text.length, text: part.block.text, spans: part.block.spans });
      text += part.block.text;
    }
    const prepared = await makeView(kind, file, never);
    const mounted = await mountView({
      component: component[kind]!,
      props: { view: viewOf(file, kind) },
      files: { '/view/1': prepared! },
      browser,
    });
    return { text, blocks, mounted };
  }

  /** Lights the words and returns what is lit on screen. */
  async function light(
    opened: Opened,
    words: string,
    script: string,
  ): Promise<{ text: string; seen: number }> {
    const start = opened.text.indexOf(words);
    expect(start, `"${words}" is in the text`).toBeGreaterThanOrEqual(0);
    const anchors: Anchor[] = anchorsOfRange(opened.blocks, start, start + words.length);
    await opened.mounted.setProps({ anchors, quote: words, visit: 2 });
    expect(await opened.mounted.lit()).toBe(true);
    await opened.mounted.page.waitForTimeout(150);
    return (await opened.mounted.page.evaluate(script)) as { text: string; seen: number };
  }

  async function check(opened: Opened, words: string[], script: string): Promise<void> {
    for (const cited of words) {
      const lit = await light(opened, cited, script);
      expect(squeeze(lit.text)).toBe(squeeze(cited));
      expect(lit.seen, `"${cited}" is on screen`).toBeGreaterThan(0);
    }
    expect(opened.mounted.errors).toEqual([]);
    await opened.mounted.close();
  }

  const filler = (count: number): string =>
    Array.from({ length: count }, (_, i) => `<p>Paragraph ${i} says little about anything at all.</p>`).join(
      '\n',
    );

  it('lights the cited words of a page, across markup, entities, tables and hidden parts', async () => {
    const page = await open(
      'page.html',
      `<!doctype html><html lang="en"><head><title>Rules</title><style>p { margin: 20px } .tab { display: none }</style></head>
<body><script>document.title = 'x'</script><nav>Home | Rules</nav>${filler(60)}
<div>Loose words before<p>The   notice period
      is <b>thirty</b> days &amp; no&nbsp;more.</p>and after it.</div>
<pre>

  keep   these
    lines</pre><p hidden>secret</p>
<ul><li>First <a href="https://example.org/">linked item</a></li></ul>
<table><thead><tr><th>Year</th><th>Sum</th></tr></thead><tbody><tr><td>2023</td><td>1&nbsp;450</td></tr></tbody></table>
<button>Press<p>inside a button</p></button><x-card>custom element words</x-card>
<div class="tab">hidden in a tab</div><p>Страница на русском: срок 30 дней.</p>${filler(60)}</body></html>`,
    );
    const words = [
      'The notice period is thirty days & no more.',
      'thirty',
      'and after it.',
      'keep   these\n    lines',
      'linked item',
      '1 450',
      'inside a button',
      'custom element words',
      'hidden in a tab',
      'Страница на русском: срок 30 дней.',
      'Paragraph 59 says little',
    ];
    await check(
      page,
      words,
      litInFrame.replace('range.toString()', "range.toString().replaceAll('\\u00a0', ' ')"),
    );
  });

  it('lights the same words of a page in windows-1251 with scripts, frames and addresses removed', async () => {
    const source =
      '<html><head><meta charset="windows-1251"></head><body onload="alert(1)"><p onclick="x()">Срок поставки составляет десять дней.</p><img src="http://example.org/x.png"><iframe src="http://example.org"></iframe><table><tr><td colspan="2">x<td>y</table></body></html>';
    const bytes = Uint8Array.from(
      [...source].map((sign) => {
        const code = sign.charCodeAt(0);
        return code < 128 ? code : code === 0x401 ? 0xa8 : code === 0x451 ? 0xb8 : code - 0x410 + 0xc0;
      }),
    );
    const page = await open('old.html', bytes);
    const inner = page.mounted.page.frameLocator('iframe');
    await inner.locator('p').waitFor();
    expect(await inner.locator('[onclick], [src], iframe, script').count()).toBe(0);
    expect(await inner.locator('td[colspan="2"]').count()).toBe(1);
    // A key pressed inside the frame is the page's.
    await page.mounted.page.evaluate(
      "addEventListener('keydown', (event) => { document.title = event.key; })",
    );
    await inner.locator('p').click();
    await page.mounted.page.keyboard.press('n');
    expect(await page.mounted.page.title()).toBe('n');
    await check(page, ['составляет десять дней.'], litInFrame);
  });

  const markdown = `---
title: Handbook
---

# Handbook

${Array.from({ length: 40 }, (_, i) => `Paragraph ${i} of the handbook, with nothing in it.`).join('\n\n')}

## Leave

Every employee has **25 days** of paid leave; a day
is [asked for](https://example.org) two weeks before. Unused days lapse in March.

- one of the items
- another \`item\` here

| Month | Days |
| ----- | ---- |
| May   | 12   |

\`\`\`ts
const days = 25;
const left = days - 3;
\`\`\`
`;

  it('lights the cited words of rendered Markdown', async () => {
    const words = [
      'Every employee has 25 days of paid leave; a day\nis asked for two weeks before.',
      'Unused days lapse in March.',
      'another item here',
      'const left = days - 3;',
      'Paragraph 39 of the handbook, with nothing in it.',
    ];
    await check(await open('handbook.md', markdown), words, litInFrame);
  });

  it('lights the row of a Markdown table whose cells are cited', async () => {
    const opened = await open('table.md', markdown);
    const lit = await light(opened, 'May\t12', litInFrame);
    expect(squeeze(lit.text)).toBe('May 12');
    expect(lit.seen).toBeGreaterThan(0);
    await opened.mounted.close();
  });

  it('lights the cited words of Markdown as source', async () => {
    const opened = await open('source.md', markdown);
    await opened.mounted.page.getByRole('button').nth(1).click();
    await check(opened, ['Unused days lapse in March.', 'const left = days - 3;'], litInRows);
  });

  it('lights the cited words of a plain text, in the middle of a line and over several', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => `Line ${i} of the record.`);
    lines[1500] = 'The delivery takes ten days. The price is 1 000,50 ₽. Payment follows.';
    lines[1501] = 'Late payment costs 0.1 % a day.';
    const opened = await open('record.txt', lines.join('\r\n'));
    await check(
      opened,
      [
        'The price is 1 000,50 ₽.',
        'Payment follows.\nLate payment costs 0.1 % a day.',
        'Line 2999 of the record.',
      ],
      litInRows,
    );
  });

  it('lights the cited lines of code', async () => {
    const code = `import a from 'a';\n\n${'// filler\n'.repeat(300)}\nexport class Store {\n  open(name: string) {\n    return a(name);\n  }\n}\n`;
    await check(
      await open('store.ts', code),
      ['  open(name: string) {\n    return a(name);\n  }'],
      litInRows,
    );
  });

  it('shows a million lines and reaches the last but one', async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, i) => `row ${i} of a long log`);
    lines[999_998] = 'the needle stands here';
    const bytes = Buffer.from(lines.join('\n'));
    const file = { path: path.join(folder, 'long.log'), name: 'long.log', sizeBytes: bytes.length };
    const mounted = await mountView({
      component: 'text/text-view',
      props: { view: viewOf(file, 'text') },
      files: { '/view/1': { bytes, type: 'text/plain; charset=utf-8' } },
      browser,
    });
    const anchors: Anchor[] = [{ kind: 'lines', from: 999_999, to: 999_999 }];
    await mounted.setProps({ anchors, quote: lines[999_998]!, visit: 2 });
    expect(await mounted.lit(60_000)).toBe(true);
    await mounted.page.waitForSelector('mark.text-lit');
    expect(await mounted.page.evaluate(litInRows)).toEqual({ text: 'the needle stands here', seen: 1 });
    expect(await mounted.page.locator('.text-row').count()).toBeLessThan(200);
    await mounted.close();
  });
});
