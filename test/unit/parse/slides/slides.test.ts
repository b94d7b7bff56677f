/** What is read from a presentation, and where does each word stand? */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Block, ParseFailure } from '../../../../src/engine/document.ts';
import { makeView } from '../../../../src/engine/parse/make-view.ts';
import { kindOf, parseAs } from '../../../../src/engine/parse/parse-document.ts';
import { testData } from '../../../test-data.ts';
import { type ReadParts, readFileParts, readParts, withFile } from '../read-parts.ts';
import { odpParts, odpSample, pack, pptxParts, pptxSample, shape } from './samples.ts';

const never = new AbortController().signal;

/** A line for each block: its slide, its kind, its text. */
const lines = ({ blocks }: ReadParts): string[] =>
  blocks.map(({ kind, text, spans }) => {
    const anchor = spans[0]?.anchor;
    return `${anchor?.kind === 'slide' ? anchor.slide : '?'} ${kind} ${text.trimEnd()}`;
  });

const check = async (name: string, bytes: Uint8Array, expected: string[]): Promise<ReadParts> => {
  const read = await readParts(name, bytes);
  expect(lines(read)).toEqual(expected);
  return read;
};

/** The sample with one part changed. */
const withPart = (name: string, change: (part: string) => string): Uint8Array => {
  const parts = pptxParts();
  return pack({ ...parts, [name]: change(parts[name]!) });
};

const pptxLines = [
  '1 heading Rent & term',
  '1 list-item 1. Sign',
  '1 list-item 2. Pay by bank',
  '1 list-item within thirty days',
  '1 list-item Right column',
  '1 paragraph In a group',
  '1 margin Northgate Holding',
  '1 margin 1',
  '2 heading Figures',
  '2 row Hall\tRent',
  '2 row Northgate\t12 400',
  '2 row Southgate\t9 800',
  '2 row Southgate\t10 100',
  '2 paragraph Rent by year',
  '2 row \tHall A',
  '2 row 2024\t12.3',
  '2 row 2025\t13.5',
  '3 paragraph Write the draft',
  '3 paragraph Sign the draft',
  '4 heading Не показывать гостям',
  '4 footnote Mention the index.',
  '4 footnote Anna: Is this the last year?',
];

describe('a presentation', () => {
  it('is read in the order of the show, the title first and the rest by place, with notes and comments behind', async () => {
    const { metadata, parts } = await check('talk.pptx', pptxSample(), pptxLines);
    expect(metadata).toMatchObject({
      kind: 'pptx',
      title: 'Lease talk',
      author: 'Anna Kern',
      date: '2025-03-04',
      pages: 4,
    });
    const tables = parts.flatMap((part) => (part.type === 'table' ? [part.table] : []));
    expect(tables.map(({ name, columns }) => [name, columns])).toEqual([
      ['', ['Hall', 'Rent']],
      ['Rent by year', ['', 'Hall A']],
    ]);
  });

  it('has an exact place for every word of every block', async () => {
    for (const [name, bytes] of [
      ['talk.pptx', pptxSample()],
      ['talk.odp', odpSample()],
    ] as const) {
      const { blocks } = await readParts(name, bytes);
      for (const block of blocks) expect(covered(block)).toBe(block.text.replaceAll(/\s/gu, ''));
      const places = blocks.flatMap(({ spans }) => spans.map(({ anchor }) => JSON.stringify(anchor)));
      // A label that reaches down says the same in two rows, and stands once.
      expect(places.length - new Set(places).size).toBe(name === 'talk.pptx' ? 1 : 0);
    }
  });

  it('is known by its content, whatever its name says', async () => {
    const cases = [
      ['talk.ppsx', pptxSample(), 'pptx'],
      ['talk.potx', pptxSample(), 'pptx'],
      ['talk.pptm', pptxSample(), 'pptx'],
      ['talk.zip', pptxSample(), 'pptx'],
      ['talk.otp', odpSample(), 'odp'],
    ] as const;
    for (const [name, bytes, kind] of cases) expect(await withFile(name, bytes, kindOf)).toBe(kind);
  });

  it('reads an OpenDocument presentation with its lists, tables, running lines, notes and hidden pages', async () => {
    const { metadata } = await check('talk.odp', odpSample(), [
      '1 heading Срок аренды',
      '1 list-item 1. Подпись',
      '1 list-item 2. Оплата за тридцать  дней',
      '1 row Место\tЦена',
      '1 row Склад\t450',
      '1 paragraph В фигуре',
      '1 margin Северный зал',
      '1 footnote Сказать про индекс.',
      '1 footnote Анна: Проверить срок.',
      '2 heading Скрытая страница',
    ]);
    expect(metadata).toMatchObject({
      title: 'Аренда',
      author: 'Анна',
      date: '2025-03-04',
      language: 'ru',
      pages: 2,
    });
  });

  it('takes a line in larger letters above all else for the title where a slide has no place for one', async () => {
    const line = (size: number, text: string): string =>
      `<a:p><a:r><a:rPr sz="${size}"/><a:t>${text}</a:t></a:r></a:p>`;
    const place = (y: number): string =>
      `<a:xfrm><a:off x="900000" y="${y}"/><a:ext cx="6000000" cy="600000"/></a:xfrm>`;
    const cases = [
      [3200, 'Costs', '4 heading Costs'],
      [1900, 'Costs', '4 paragraph Costs'],
      [3200, 'Costs that go on '.repeat(10).trim(), `4 paragraph ${'Costs that go on '.repeat(10).trim()}`],
    ] as const;
    for (const [size, text, expected] of cases) {
      const shapes =
        shape(line(1800, 'Rent rises'), { place: place(3_000_000) }) +
        shape(line(size, text), { place: place(500_000) });
      const bytes = withPart('ppt/slides/slide4.xml', (part) => part.replace(/<p:sp>.*<\/p:sp>/, shapes));
      expect(lines(await readParts('untitled.pptx', bytes)).filter((one) => one.startsWith('4 '))[0]).toBe(
        expected,
      );
    }
  });

  it('reads tables in notes, formulas, newer charts and text that only an alternative holds', async () => {
    const added =
      '<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="x"/><mc:Fallback>' +
      shape(
        '<a:p><a:r><a:t>Only here</a:t></a:r><a:br/><a:m xmlns:m="m"><m:oMath><m:r><m:t>x=2</m:t></m:r></m:oMath></a:m></a:p>',
      ) +
      '</mc:Fallback></mc:AlternateContent>' +
      '<p:graphicFrame><a:graphic><a:graphicData><cx:chart xmlns:cx="c" r:id="rId9"/></a:graphicData></a:graphic></p:graphicFrame>';
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Said</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>twice</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const parts = pptxParts();
    const bytes = pack({
      ...parts,
      'ppt/slides/slide4.xml': parts['ppt/slides/slide4.xml']!.replace('</p:spTree>', `${added}</p:spTree>`),
      'ppt/slides/_rels/slide4.xml.rels': parts['ppt/slides/_rels/slide4.xml.rels']!.replace(
        '</Relationships>',
        '<Relationship Id="rId9" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx" Target="../charts/chartEx1.xml"/></Relationships>',
      ),
      'ppt/charts/chartEx1.xml':
        '<cx:chartSpace xmlns:cx="c"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Start</cx:pt><cx:pt idx="1">End</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl><cx:pt idx="0">10</cx:pt><cx:pt idx="1">14</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Bridge</cx:v></cx:txData></cx:tx></cx:title></cx:chart></cx:chartSpace>',
      'ppt/notesSlides/notesSlide1.xml': parts['ppt/notesSlides/notesSlide1.xml']!.replace(
        '</p:spTree>',
        `${table}</p:spTree>`,
      ),
    });
    const last = lines(await readParts('more.pptx', bytes)).filter((line) => line.startsWith('4 '));
    expect(last).toEqual([
      '4 heading Не показывать гостям',
      '4 paragraph Only here\nx=2',
      '4 paragraph Bridge',
      '4 row Start\t10',
      '4 row End\t14',
      '4 footnote Mention the index.',
      '4 footnote Said\ttwice',
      '4 footnote Anna: Is this the last year?',
    ]);
  });

  it('reads what is hidden and marks it in the view', async () => {
    for (const [name, bytes, hidden] of [
      ['talk.pptx', pptxSample(), 4],
      ['talk.odp', odpSample(), 2],
    ] as const) {
      const html = await withFile(name, bytes, async (file) => {
        const view = await makeView(await kindOf(file), file, never);
        return Buffer.from(view!.bytes).toString('utf8');
      });
      expect([...html.matchAll(/data-slide="(\d+)" data-hidden/g)].map((match) => Number(match[1]))).toEqual([
        hidden,
      ]);
    }
  });

  it('writes into its view nothing that acts or is fetched, whatever the file says', async () => {
    const evil = '&lt;img src=x onerror=alert(1)&gt;" onload="x';
    const bytes = withPart('ppt/slides/slide4.xml', (part) =>
      part.replace(
        '</p:spTree>',
        `${shape(`<a:p><a:r><a:rPr><a:latin typeface="x';background:url(http://evil)"/></a:rPr><a:t>${evil}</a:t></a:r></a:p>`)}</p:spTree>`,
      ),
    );
    const html = await withFile('evil.pptx', bytes, async (file) =>
      Buffer.from((await makeView('pptx', file, never))!.bytes).toString('utf8'),
    );
    expect(html).not.toMatch(/<img|<script|<[^>]*\son\w+=|url\((?!'?data:image)|href=/i);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot; onload=&quot;x');
  });
});

describe('a broken presentation', () => {
  it('gives the slides that can be read, and a warning that names the others', async () => {
    const { blocks, parts } = await readParts(
      'cut.pptx',
      withPart('ppt/slides/slide3.xml', (part) => part.slice(0, part.indexOf('Northgate'))),
    );
    expect(blocks.map(({ text }) => text.trim())).toContain('Не показывать гостям');
    const warnings = parts.flatMap((part) => (part.type === 'warning' ? [part.warning] : []));
    expect(warnings).toEqual([{ code: 'damaged', message: expect.stringContaining('read in part: 2.') }]);
  });

  it.each([
    [
      'without text',
      withPart('ppt/presentation.xml', (part) => part.replace(/<p:sldIdLst>.*<\/p:sldIdLst>/, '')),
      'empty',
    ],
    [
      'without its list of slides',
      pack({ 'ppt/presentation.xml': '<x', 'ppt/slides/slide1.xml': '<y' }),
      'damaged',
    ],
    [
      'without pages',
      pack({ ...odpParts(), 'content.xml': '<office:document-content/>' }, ['mimetype']),
      'damaged',
    ],
    [
      'under a password',
      pack({ ...odpParts(), 'META-INF/manifest.xml': '<manifest><encryption-data/></manifest>' }, [
        'mimetype',
      ]),
      'encrypted',
    ],
  ])('%s ends with its reason', async (_, bytes, reason) => {
    await expect(readParts('broken', bytes)).rejects.toMatchObject({ reason });
  });

  it('stays within limits: groups in groups, thousands of shapes, wide cells, numbers beyond any slide', async () => {
    const deep =
      '<p:grpSp>'.repeat(2_000) + shape('<a:p><a:r><a:t>deep</a:t></a:r></a:p>') + '</p:grpSp>'.repeat(2_000);
    const many = shape('<a:p><a:r><a:t>one</a:t></a:r></a:p>').repeat(6_000);
    const wide =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr h="1"><a:tc gridSpan="2147483647"><a:txBody><a:p><a:r><a:t>wide</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>next</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const far = shape('<a:p><a:r><a:t>far</a:t></a:r></a:p>', {
      place: '<a:xfrm rot="99999999999"><a:off x="1e300" y="-9e99"/><a:ext cx="NaN" cy="5"/></a:xfrm>',
    });
    for (const [added, expected] of [
      [deep, 'Не показывать гостям'],
      [many, 'one'],
      [wide, 'next'],
      [far, 'far'],
    ] as const) {
      const bytes = withPart('ppt/slides/slide4.xml', (part) =>
        part.replace('</p:spTree>', `${added}</p:spTree>`),
      );
      const { text, blocks } = await readParts('limits.pptx', bytes);
      expect(text).toContain(expected);
      expect(blocks.length).toBeLessThan(5_100);
      const view = await withFile('limits.pptx', bytes, (file) => makeView('pptx', file, never));
      expect(view!.bytes.length).toBeGreaterThan(0);
    }
  });
});

describe.skipIf(!testData('fixtures/poi/SampleShow.ppt'))('an old presentation', () => {
  const read = async (name: string): Promise<ReadParts> => {
    const path = testData(`fixtures/${name}`)!;
    return readFileParts({ path, name, sizeBytes: 1 });
  };

  it('is read slide by slide with titles, lists and notes', async () => {
    const sample = await read('poi/SampleShow.ppt');
    expect(lines(sample)).toEqual([
      '1 heading Title of the first slide',
      '1 paragraph Subtitle of the first slide',
      '1 paragraph This bit is in italic green',
      '1 footnote I am the notes of the first slide',
      '2 heading This is the second slide',
      '2 list-item It has bullet points on it',
      '2 list-item They’re fun, aren’t they?',
      '2 list-item Especially in a different font like Arial Black at 16 point!',
      '2 footnote These are the notes of the 2nd slide',
      '2 footnote THIS LINE IS BOLD',
    ]);
    expect(sample.metadata).toMatchObject({ title: 'SlideShow Sample', author: 'Nick Burch', pages: 2 });
  });

  it('brings its comments, and what stands on its master once', async () => {
    expect(lines(await read('tika/testComment.ppt'))).toContain(
      '1 footnote Michael McCandless: Here is a comment',
    );
    expect(lines(await read('tika/testPPT_masterText2.ppt'))).toEqual([
      '1 margin Text that I added to the master slide',
    ]);
  });

  it('with bytes changed anywhere is read, or ends with a reason', async () => {
    const whole = await readFile(testData('fixtures/poi/SampleShow.ppt')!);
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(whole);
      for (let change = 0; change <= random(6); change++)
        bytes[random(bytes.length)] = [0, 255, 127, 128, random(256)][random(5)]!;
      const failure = await withFile('changed.ppt', bytes, async (file) => {
        for await (const _part of parseAs('ppt', file, never));
        await makeView('ppt', file, never);
      }).catch((error: unknown) => error);
      if (failure !== undefined) expect(failure).toBeInstanceOf(ParseFailure);
    }
  });

  it('under a password says so', async () => {
    await expect(read('poi/Password_Protected-np-hello.ppt')).rejects.toMatchObject({ reason: 'encrypted' });
  });
});

/** What the spans of a block cover, without white space. */
function covered({ text, spans }: Block): string {
  return spans.map(({ start, end }) => text.slice(start, end).replaceAll(/\s/gu, '')).join('');
}
