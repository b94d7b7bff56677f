/** Does a page's text read as it is shown, and does every span lead to the same words in its view? */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import { makeView } from '../../../../src/engine/parse/make-view.ts';
import { type ReadParts, readFileParts, readParts, withFile } from '../read-parts.ts';

const outline = ({ blocks }: ReadParts): string[] =>
  blocks.map(
    ({ kind, level, text }) =>
      `${kind}${level ?? ''}: ${text.trimEnd().replaceAll('\n', ' / ').replaceAll('\t', ' | ')}`,
  );

const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node;
const textContent = (node: Tree.Node): string =>
  'value' in node
    ? String(node.value)
    : 'childNodes' in node
      ? node.childNodes.map(textContent).join('')
      : '';

/** textContent of every numbered block of a view, read again as a browser reads it. */
function blocksOfView(html: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (node: Tree.Node): void => {
    if (isElement(node)) {
      const id = node.attrs.find(({ name }) => name === 'data-block')?.value;
      if (id) found.set(id, textContent(node));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}

const blank = (text: string): string => text.replace(/[\s\u00a0]/g, ' ');

/** Every span's words in the text are the words at its place in the view. */
async function checkAnchors(html: string | Uint8Array): Promise<ReadParts> {
  return withFile('page.html', html, async (file) => {
    const read = await readFileParts(file);
    const view = await makeView('html', file, new AbortController().signal);
    const blocks = blocksOfView(Buffer.from(view!.bytes).toString('utf8'));
    for (const block of read.blocks) {
      for (const { start, end, anchor } of block.spans) {
        if (anchor.kind !== 'element') throw new Error('a page has element anchors only');
        const shown = blocks.get(anchor.path)?.slice(anchor.start, anchor.end) ?? '(no such block)';
        expect(blank(shown).normalize('NFC')).toBe(blank(block.text.slice(start, end)));
      }
    }
    return read;
  });
}

describe('parseHtml', () => {
  const cases: { name: string; html: string; expected: string[] }[] = [
    {
      name: 'reads headings, paragraphs and lists',
      html: '<h1>Rules</h1><p>One <b>two</b>\n   three.</p><ul><li>a<li>b<ul><li>c</ul></ul><h3>Deep</h3>',
      expected: [
        'heading1: Rules',
        'paragraph: One two three.',
        'list-item: a',
        'list-item: b',
        'list-item: c',
        'heading3: Deep',
      ],
    },
    {
      name: 'leaves out what the page hides',
      html: '<style>p{}</style><script>x</script><noscript>n</noscript><template>t</template><p hidden>h</p><p style="display: none">d</p><p>shown</p>',
      expected: ['paragraph: shown'],
    },
    {
      name: 'keeps text between blocks and line breaks apart',
      html: '<div>before<p>inside<br>next line</p>after</div>',
      expected: ['paragraph: before', 'paragraph: inside / next line', 'paragraph: after'],
    },
    {
      name: 'sets navigation and footers aside',
      html: '<nav><ul><li>Home</li></ul></nav><p>Text</p><footer><h2>Imprint</h2></footer>',
      expected: ['margin: Home', 'paragraph: Text', 'margin: Imprint'],
    },
    {
      name: 'keeps the white space of preformatted text',
      html: '<pre>\nif x:\n    y  z\n</pre>',
      expected: ['code: if x: /     y  z'],
    },
    {
      name: 'decodes entities and drops no letter of unknown elements',
      html: '<p>a&amp;b &lt;c&gt; &#8364; &nbsp;d</p><x-note>own <y-z>element</y-z></x-note>',
      expected: ['paragraph: a&b <c> €  d', 'paragraph: own element'],
    },
    {
      name: 'reads a table row by row with its header, spans included',
      html: `<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Year<tr><th>2023<th>2024</thead>
             <tr><td rowspan=2>Tea<td>10<td>12<tr><td>11<td>13</table>`,
      expected: [
        'paragraph: Prices',
        'row: Item | Year',
        'row: Item | 2023 | 2024',
        'row: Tea | 10 | 12',
        'row: Tea | 11 | 13',
      ],
    },
    {
      name: 'reads a table that only places things as blocks',
      html: '<table><tr><td><h2>Left</h2><p>text</p></td><td>right</td></tr></table>',
      expected: ['heading2: Left', 'paragraph: text', 'paragraph: right'],
    },
  ];
  it.each(cases)('$name', async ({ html, expected }) => {
    expect(outline(await checkAnchors(html))).toEqual(expected);
  });

  it('names columns by all their header rows', async () => {
    const { parts } = await readParts('t.html', cases[6]!.html);
    const table = parts.find((part) => part.type === 'table');
    expect(table?.table).toMatchObject({ name: 'Prices', columns: ['Item', 'Year 2023', 'Year 2024'] });
  });

  it('finds the header of a table without markup', async () => {
    const html =
      '<table><tr><td></td><td>2019</td><td>2018</td></tr><tr><td>Sales</td><td>$1,452</td><td>$1,146</td></tr></table>';
    const { parts, blocks } = await readParts('t.html', html);
    expect(parts.find((part) => part.type === 'table')?.table.columns).toEqual(['', '2019', '2018']);
    expect(blocks.map((block) => block.row?.isHeader)).toEqual([true, false]);
  });

  it('reads title, author, date and language', async () => {
    const html =
      '<html lang="ru-RU"><head><title> Правила\n отпуска </title><meta name="author" content="Ольга"><meta property="article:published_time" content="2024-03-05T10:00:00Z"></head><body>текст</body></html>';
    expect((await readParts('t.html', html)).metadata).toMatchObject({
      kind: 'html',
      title: 'Правила отпуска',
      author: 'Ольга',
      date: '2024-03-05',
      language: 'ru',
    });
  });

  const charsets = [
    {
      name: 'a declared code page',
      html: '<meta charset="windows-1251"><p>Договор поставки</p>',
      encoding: 'windows-1251',
      found: 'windows-1251',
    },
    {
      name: 'no declaration',
      html: '<p>Договор поставки товара заключён в письменной форме</p>',
      encoding: 'koi8-r',
      found: 'koi8-r',
    },
    {
      name: 'a declaration that its bytes contradict',
      html: '<meta charset="iso-8859-1"><p>Договор поставки</p>',
      encoding: 'utf-8',
      found: 'utf-8',
    },
    {
      name: 'UTF-8 declared over another code page',
      html: '<meta charset="utf-8"><p>Договор поставки товара заключён в письменной форме</p>',
      encoding: 'windows-1251',
      found: 'windows-1251',
    },
    {
      name: 'UTF-16 without a mark',
      html: '<html><body><p>Договор поставки</p></body></html>',
      encoding: 'utf-16le',
      found: 'utf-16le',
    },
  ];
  it.each(charsets)('reads a page with $name', async ({ html, encoding, found }) => {
    const { text, metadata } = await checkAnchors(iconv.encode(html, encoding));
    expect(text).toContain('Договор поставки');
    expect(metadata.encoding).toBe(found);
  });

  it('maps odd nesting, entities and accents to the words of the view', async () => {
    const html = `<p>a<a href=x>b<a href=y>c</a></p><table>lost<tr><td>x<p>y</td></table><p>e\u0301te\u0301 &nbsp; <button>go<p>in</p></button>
      <form><p>f<input value=v></form><svg><text>s</text></svg><math><mi>m</mi></math><details><summary>S</summary>D</details><pre>\n\n two</pre><pre><b>\n\nx</b></pre>`;
    const { text } = await checkAnchors(html);
    expect(text).toContain('été');
    expect(text).toContain('lost');
  });

  it('maps every span of any mix of elements to the same words of the view', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<div>',
        '</div>',
        '<b>',
        '</b>',
        '<ul>',
        '<li>',
        '</ul>',
        '<br>',
        '<table>',
        '<tr>',
        '<td>',
        '</table>',
        '<pre>',
        '</pre>',
        '<span>',
        '</span>',
        '<h2>',
        '</h2>',
        '<nav>',
        '</nav>',
        '<blockquote>',
        '<script>x</script>',
        '<x-y>',
        '<button>',
        '</button>',
        '<a href=q>',
        '<center>',
        '<form>',
      ),
      fc.constantFrom(
        'word ',
        ' two  words',
        '\n',
        '\n\n  ',
        '&amp;',
        '&nbsp;',
        'e\u0301',
        'Ж',
        '😀',
        '\t',
        ' ',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
        await checkAnchors(`<!doctype html><body>lead ${pieces.join('')}`);
      }),
      { numRuns: 150 },
    );
  });

  it('reads a page nested ten thousand deep', async () => {
    const { text, parts } = await checkAnchors(
      `${'<div>'.repeat(10_000)}deep words${'</div>'.repeat(10_000)}<p>end</p>`,
    );
    expect(text).toContain('deep words');
    expect(text).toContain('end');
    expect(parts.some((part) => part.type === 'warning')).toBe(true);
  });

  it('reads megabytes in one element as many blocks', async () => {
    for (const body of [
      `<pre>${'a line of the log\n'.repeat(100_000)}</pre>`,
      `<div>${'a line of the log<br>'.repeat(50_000)}</div>`,
      `<p>${'Ж😀'.repeat(200_000)}</p>`,
    ]) {
      const { blocks, text } = await readParts('t.html', body);
      expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThan(20_000);
      expect(blocks.every((block) => block.text.isWellFormed())).toBe(true);
      expect(text.replaceAll('\n', '').length).toBe(body.replace(/<[^>]+>|\n/g, '').length);
    }
  });

  it('is not held up by style sheets and tags that never end', async () => {
    const { text } = await readParts(
      't.html',
      `<style>${'url('.repeat(100_000)}</style><p style="${'url('.repeat(10_000)}">words</p>${'<script '.repeat(20_000)}`,
    );
    expect(text).toContain('words');
  });

  it('says that a page without text is empty', async () => {
    await expect(
      readParts('t.html', '<html><body><script>app()</script></body></html>'),
    ).rejects.toMatchObject({ reason: 'empty' });
  });
});

describe('the view of a page', () => {
  it('keeps nothing that runs or loads', async () => {
    const html = `<html><head><base href="http://e.org/"><link rel=stylesheet href=x.css><meta http-equiv=refresh content="0;url=http://e.org">
      <style>@import "http://e.org/a.css"; p { background: url(http://e.org/b.png); color: red } </style></head>
      <body onload=a() background="http://e.org/c.png"><p onclick=b() style="background:url('http://e.org/d.png')">x</p><a href="javascript:c()">l</a><a href="http://e.org/">m</a>
      <img src=http://e.org/e.png srcset="http://e.org/f.png 2x"><img src="data:image/svg+xml,<svg onload=d()>"><img src="data:image/png;base64,AA=="><iframe src=http://e.org></iframe><object data=x></object><embed src=x><form action=http://e.org><input></form><svg><script>e()</script></svg></body></html>`;
    const view = await withFile('p.html', html, (file) =>
      makeView('html', file, new AbortController().signal),
    );
    const text = Buffer.from(view!.bytes).toString('utf8');
    expect(text).not.toMatch(/<(script|iframe|object|embed|form|input|link|base|svg)\b/i);
    expect(text).not.toMatch(/\son\w+=|javascript:|srcset|http-equiv|@import/i);
    expect(text.replace(/title="[^"]*"/g, '')).not.toContain('http://e.org');
    expect(text).toContain('src="data:image/png;base64,AA=="');
    expect(text).toContain('color: red');
  });
});
