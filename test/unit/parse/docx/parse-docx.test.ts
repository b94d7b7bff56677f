import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseDocx } from '../../../../src/engine/parse/docx/parse-docx.ts';
import { viewDocx } from '../../../../src/engine/parse/docx/view-docx.ts';
import { type ReadDocument, readAll, withFile } from '../../../e2e/read-parts.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const SPACES = `${W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`;
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  body: string;
  styles?: string;
  numbering?: string;
  footnotes?: string;
}

function documentOf({ body, styles, numbering, footnotes }: Parts): Uint8Array {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const parts = { styles, numbering, footnotes };
  const relations = Object.entries(parts)
    .filter(([, xml]) => xml !== undefined)
    .map(([name]) => `<Relationship Id="${name}" Type="${TYPES}/${name}" Target="${name}.xml"/>`)
    .join('');
  return zipSync({
    'word/document.xml': text(`<w:document ${SPACES}><w:body>${body}</w:body></w:document>`),
    'word/_rels/document.xml.rels': text(`<Relationships>${relations}</Relationships>`),
    ...(styles ? { 'word/styles.xml': text(`<w:styles ${W}>${styles}</w:styles>`) } : {}),
    ...(numbering ? { 'word/numbering.xml': text(`<w:numbering ${W}>${numbering}</w:numbering>`) } : {}),
    ...(footnotes ? { 'word/footnotes.xml': text(`<w:footnotes ${W}>${footnotes}</w:footnotes>`) } : {}),
  });
}

const t = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const read = (parts: Parts): Promise<ReadDocument> =>
  withFile('sample.docx', documentOf(parts), (file) => readAll(parseDocx, file));
const textOf = async (body: string): Promise<string> => (await read({ body })).text;
const kindsOf = (document: ReadDocument): string[] =>
  document.blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text.trimEnd()}`);

describe('parseDocx', () => {
  const texts: [string, string, string][] = [
    [
      'insertions in, deletions out',
      p(
        `${t('a ')}<w:ins w:id="1">${t('new')}</w:ins><w:del w:id="2"><w:r><w:delText>old</w:delText></w:r></w:del>`,
      ),
      'a new\n',
    ],
    [
      'moved text once',
      p(`<w:moveFrom w:id="1">${t('here')}</w:moveFrom>${t('x ')}<w:moveTo w:id="2">${t('here')}</w:moveTo>`),
      'x here\n',
    ],
    [
      'results of fields, not their code',
      p(
        `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${t('7')}<w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="DATE">${t(' May')}</w:fldSimple>`,
      ),
      '7 May\n',
    ],
    [
      'text after a field without an end',
      `${p(`<w:r><w:fldChar w:fldCharType="begin"/></w:r>${t('code')}`)}${p(t('after'))}`,
      'after\n',
    ],
    [
      'tabs, breaks and hyphens',
      p(
        '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>',
      ),
      'a\tb\nc‑de\n',
    ],
    [
      'signs of symbol fonts',
      p('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/></w:r>'),
      '✓α\n',
    ],
    ['no hidden text', p(`<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>${t('seen')}`), 'seen\n'],
    [
      'content controls and tags',
      `<w:sdt><w:sdtPr/><w:sdtContent>${p(`<w:smartTag>${t('in')}</w:smartTag>`)}</w:sdtContent></w:sdt>`,
      'in\n',
    ],
    [
      'words, not the aid above them',
      p(
        '<w:r><w:ruby><w:rt><w:r><w:t>aid</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>word</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      ),
      'word\n',
    ],
    ['composed letters', p(t('кофеи\u0306ня')), 'кофейня\n'],
    [
      'signs of formulas',
      p(`${t('so ')}<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>${t(' holds')}`),
      'so a+b holds\n',
    ],
    ['links', p(`<w:hyperlink>${t('the rules')}</w:hyperlink>`), 'the rules\n'],
  ];
  it.each(texts)('reads %s', async (_, body, expected) => {
    expect(await textOf(body)).toBe(expected);
  });

  it('reads a text box once, after its paragraph', async () => {
    const box = `<w:txbxContent>${p(t('in the box'))}</w:txbxContent>`;
    const body = p(
      `${t('host')}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
    );
    expect(await textOf(body + p(t('next')))).toBe('host\nin the box\nnext\n');
  });

  it('knows headings by style, by inheritance, by outline level, in other languages and by hand', async () => {
    const style = (id: string, inner: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}">${inner}</w:style>`;
    const styles = [
      style('1', '<w:name w:val="heading 1"/>'),
      style('Own', '<w:name w:val="Clause title"/><w:basedOn w:val="1"/>'),
      style('Ru', '<w:name w:val="Заголовок 2"/>'),
      style('Deep', '<w:name w:val="x"/><w:pPr><w:outlineLvl w:val="3"/></w:pPr>'),
      style('T', '<w:name w:val="Title"/>'),
      style('C', '<w:name w:val="toc 1"/>'),
      style('Loop', '<w:name w:val="y"/><w:basedOn w:val="Loop"/>'),
    ].join('');
    const of = (id: string, text: string): string => p(t(text), `<w:pStyle w:val="${id}"/>`);
    const bold = p('<w:r><w:rPr><w:b/></w:rPr><w:t>By hand</w:t></w:r>');
    const body =
      of('T', 'Name') +
      of('C', 'Part 1 … 3') +
      of('1', 'One') +
      of('Own', 'Two') +
      of('Ru', 'Три') +
      of('Deep', 'Four') +
      bold +
      of('Loop', 'plain');
    const document = await read({ body, styles });
    expect(kindsOf(document)).toEqual([
      'title: Name',
      'margin: Part 1 … 3',
      'heading1: One',
      'heading1: Two',
      'heading2: Три',
      'heading4: Four',
      'heading5: By hand',
      'paragraph: plain',
    ]);
    expect(document.metadata.title).toBe('Name');
  });

  it('counts lists as Word does', async () => {
    const level = (at: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'russianLower', '%2)')}${level(2, 'upperRoman', '%1.%3')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>';
    const item = (list: number, at: number, text: string): string =>
      p(t(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
    const body = [
      item(1, 0, 'one'),
      item(1, 1, 'sub'),
      item(1, 1, 'sub'),
      item(1, 2, 'deep'),
      item(1, 0, 'two'),
      item(1, 1, 'anew'),
      item(2, 0, 'point'),
      item(3, 0, 'five'),
      item(0, 0, 'none'),
    ].join('');
    const document = await read({ body, numbering });
    expect(document.text.trimEnd().split('\n')).toEqual([
      '1. one',
      'а) sub',
      'б) sub',
      '1.I deep',
      '2. two',
      'а) anew',
      'point',
      '5. five',
      'none',
    ]);
    expect(document.blocks.map(({ kind }) => kind)).toEqual([...Array(8).fill('list-item'), 'paragraph']);
  });

  const tc = (content: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const tr = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;

  it('reads tables with merged, nested and repeated cells', async () => {
    const nested = `<w:tbl>${tr(tc(p(t('in'))), tc(p(t('side'))))}</w:tbl>`;
    const body = `<w:tbl>${[
      tr(tc(p(t('Hall'))), tc(p(t('Use'))), tc(p(t('Rent')))),
      tr(tc(p(t('North')), '<w:vMerge w:val="restart"/>'), tc(p(t('store'))), tc(p(t('100')))),
      tr(tc(p(''), '<w:vMerge/>'), tc(p(t('office')) + nested), tc(p(t('200')))),
      tr(tc(p(t('All')), '<w:gridSpan w:val="2"/>'), tc(p(t('300')))),
    ].join('')}</w:tbl>`;
    const document = await read({ body: p(t('Rents')) + body });
    expect(document.tables[0]).toMatchObject({ columns: ['Hall', 'Use', 'Rent'], isSheet: false });
    expect(document.blocks.slice(1).map(({ text }) => text)).toEqual([
      'Hall\tUse\tRent\n',
      'North\tstore\t100\n',
      'North\toffice\nin\nside\t200\n',
      'All\t\t300\n',
    ]);
    expect(document.blocks[4]!.row!.cells[2]!.value).toBe(300);
    expect(document.blocks.map(({ row }) => row?.isHeader)).toEqual([undefined, true, false, false, false]);
  });

  it('takes a frame of one column as paragraphs', async () => {
    const document = await read({
      body: `<w:tbl>${tr(tc(p(t('Dear Ann,'))))}${tr(tc(p(t('we agree.'))))}</w:tbl>`,
    });
    expect(kindsOf(document)).toEqual(['paragraph: Dear Ann,', 'paragraph: we agree.']);
  });

  it('reads notes that the text refers to, after the body', async () => {
    const footnotes = `<w:footnote w:type="separator" w:id="-1">${p(t('line'))}</w:footnote><w:footnote w:id="2">${p(`<w:r><w:footnoteRef/></w:r>${t(' the note')}`)}</w:footnote><w:footnote w:id="9">${p(t('lost'))}</w:footnote>`;
    const document = await read({
      body: p(`${t('word')}<w:r><w:footnoteReference w:id="2"/></w:r>${t(', more')}`),
      footnotes,
    });
    expect(kindsOf(document)).toEqual(['paragraph: word, more', 'footnote: the note']);
  });

  it('keeps what stands before a fault', async () => {
    const broken = zipSync({
      'word/document.xml': new TextEncoder().encode(
        `<w:document ${W}><w:body>${p(t('first'))}<w:p><w:r><w:t>sec`,
      ),
    });
    const document = await withFile('broken.docx', broken, (file) => readAll(parseDocx, file));
    expect(document.text).toMatch(/^first\n/);
    expect(document.warnings).toEqual(['part-damaged']);
  });

  const refusals: [string, Uint8Array, string][] = [
    ['no text', documentOf({ body: p('') }), 'empty'],
    ['content of another format only', documentOf({ body: '<w:altChunk/>' }), 'unsupported'],
    ['no document part', zipSync({ 'other.xml': new Uint8Array(3) }), 'damaged'],
    [
      'pictures only',
      zipSync({
        'word/document.xml': new TextEncoder().encode(`<w:document ${W}><w:body/></w:document>`),
        'word/media/a.png': new Uint8Array(3),
      }),
      'no-text',
    ],
  ];
  it.each(refusals)('refuses a document with %s', async (_, bytes, reason) => {
    await withFile('x.docx', bytes, async (file) => {
      await expect(readAll(parseDocx, file)).rejects.toMatchObject({ reason });
    });
  });

  it('gives spans that cover the text and fit their paragraph', async () => {
    const body = p(`${t('  so ')}<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>${t(' holds ')}`);
    const { blocks } = await read({ body });
    expect(blocks[0]!.text).toBe('so a+b holds\n');
    expect(blocks[0]!.spans).toEqual([
      { start: 0, end: 3, anchor: { kind: 'element', path: 'b1', start: 2, end: 5 } },
      { start: 3, end: 6, anchor: { kind: 'element', path: 'b1', start: 5, end: 6 } },
      { start: 6, end: 12, anchor: { kind: 'element', path: 'b1', start: 6, end: 12 } },
    ]);
  });

  it('goes no deeper than the limit', async () => {
    const deep = `${'<w:sdt><w:sdtContent>'.repeat(4_000)}${p(t('deep'))}${'</w:sdtContent></w:sdt>'.repeat(4_000)}`;
    expect(await textOf(deep + p(t('flat')))).toBe('flat\n');
  });
});

describe('viewDocx', () => {
  it('names the paragraphs as the parser does, in well-formed XML', async () => {
    const body = p(t('one &amp; &lt;two&gt;')) + p('') + p(t('three'));
    await withFile('sample.docx', documentOf({ body }), async (file) => {
      const { unzipSync } = await import('fflate');
      const { bytes } = await viewDocx(file, AbortSignal.timeout(10_000));
      const xml = new TextDecoder().decode(unzipSync(bytes)['word/document.xml']);
      expect([...xml.matchAll(/w:name="lectern-(b\d+)"/g)].map((match) => match[1])).toEqual(['b1', 'b3']);
      expect(xml).toContain('one &amp; &lt;two&gt;');
      const { blocks } = await readAll(parseDocx, file);
      expect(blocks.map(({ spans }) => (spans[0]!.anchor as { path: string }).path)).toEqual(['b1', 'b3']);
    });
  });

  it('carries no embedded files and no macros', async () => {
    const bytes = zipSync({
      'word/document.xml': new TextEncoder().encode(
        `<w:document ${W}><w:body>${p(t('x'))}</w:body></w:document>`,
      ),
      'word/embeddings/a.xlsx': new Uint8Array(9),
      'word/vbaProject.bin': new Uint8Array(9),
      'word/media/a.png': new Uint8Array(9),
    });
    await withFile('x.docx', bytes, async (file) => {
      const { unzipSync } = await import('fflate');
      const names = Object.keys(unzipSync((await viewDocx(file, AbortSignal.timeout(10_000))).bytes));
      expect(names.toSorted()).toEqual(['word/document.xml', 'word/media/a.png']);
    });
  });
});
