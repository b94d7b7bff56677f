import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { ParseFailure, type Table } from '../../../../src/engine/document.ts';
import { type ReadParts, readParts } from '../read-parts.ts';
import { flatOdsFrom, odsFrom } from './made-books.ts';

const STYLES = `
  <style:style style:name="co1" style:family="table-column"><style:table-column-properties style:column-width="3cm"/></style:style>
  <style:style style:name="shown" style:family="table"><style:table-properties table:display="true"/></style:style>
  <style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>
  <style:style style:name="strong" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="stronger" style:family="table-cell" style:parent-style-name="strong"/>`;

const word = (text: string, more = ''): string =>
  `<table:table-cell office:value-type="string" ${more}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, more = ''): string => `<table:table-row ${more}>${cells}</table:table-row>`;
const table = (rows: string, name = 'S', more = ''): string =>
  `<table:table table:name="${name}" ${more}>${rows}</table:table>`;

const read = (sheets: string, after?: string): Promise<ReadParts> =>
  readParts('book.ods', odsFrom(STYLES, sheets, after));
const readRows = async (rows: string): Promise<ReadParts> => read(table(rows));
const tablesOf = ({ parts }: ReadParts): Table[] =>
  parts.flatMap((part) => (part.type === 'table' ? [part.table] : []));
const placesOf = ({ blocks }: ReadParts): string[][] =>
  blocks.map((block) => block.spans.map(({ anchor }) => (anchor.kind === 'cells' ? anchor.range : '')));

describe('parseOds', () => {
  it('reads cells as shown, what is beneath them, and what the file says of itself', async () => {
    const cells = [
      '<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1 234,50</text:p></table:table-cell>',
      '<table:table-cell office:value-type="percentage" office:value="0.25"><text:p>25 %</text:p></table:table-cell>',
      '<table:table-cell office:value-type="date" office:date-value="2024-03-12T00:00:00"><text:p>12.03.24</text:p></table:table-cell>',
      '<table:table-cell office:value-type="time" office:time-value="PT06H00M00S"><text:p>06:00</text:p></table:table-cell>',
      '<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>ИСТИНА</text:p></table:table-cell>',
      '<table:table-cell office:value-type="string" calcext:value-type="error" office:string-value="" table:formula="of:=1/0"><text:p>#DIV/0!</text:p></table:table-cell>',
      '<table:table-cell office:value-type="date" office:date-value="2024-03-12T09:30:00"/>',
    ];
    const document = await readRows(row(cells.join('')));
    expect(document.metadata).toMatchObject({
      ...{ kind: 'ods', title: 'Долги', author: 'Бухгалтерия', date: '2024-03-12' },
    });
    expect(document.text).toBe('1 234,50\t25 %\t12.03.24\t06:00\tИСТИНА\t#DIV/0!\t2024-03-12 09:30:00\n');
    expect(document.blocks[0]!.row!.cells.map(({ value }) => value)).toEqual([
      ...[1234.5, 0.25, '2024-03-12', 0.25, true, undefined, '2024-03-12T09:30:00'],
    ]);
  });

  it('is not misled by a million empty rows and sixteen thousand empty columns', async () => {
    const document = await readRows(
      [
        row(`${word('a')}<table:table-cell table:number-columns-repeated="16383"/>`),
        row(
          '<table:table-cell table:number-columns-repeated="16384"/>',
          'table:number-rows-repeated="1048000"',
        ),
        row(`<table:table-cell table:number-columns-repeated="2"/>${word('far')}`),
        row(word('outside'), 'table:number-rows-repeated="99999999"'),
      ].join(''),
    );
    expect(document.text.startsWith('a\n\t\tfar\n')).toBe(true);
    expect(placesOf(document).slice(0, 2)).toEqual([['A1'], ['C1048002']]);
    expect(placesOf(document).at(-1)).toEqual(['A1048576']);
  });

  it('repeats rows and cells that hold words', async () => {
    const document = await readRows(
      row(word('x', 'table:number-columns-repeated="2"'), 'table:number-rows-repeated="3"'),
    );
    expect(placesOf(document)).toEqual([
      ['A1', 'B1'],
      ['A2', 'B2'],
      ['A3', 'B3'],
    ]);
  });

  it('knows merged cells, widths, bold names and the rows of a filter', async () => {
    const rows = [
      '<table:table-column table:style-name="co1" table:number-columns-repeated="2"/><table:table-column table:style-name="co1" table:number-columns-repeated="16382"/>',
      row(word('Report', 'table:style-name="stronger"')),
      row(`${word('Region')}${word('City')}`),
      row(`${word('North', 'table:number-rows-spanned="2"')}${word('Oslo')}`),
      row(`<table:covered-table-cell/>${word('Bergen')}`),
    ].join('');
    const after =
      '<table:database-ranges><table:database-range table:display-filter-buttons="true" table:target-range-address="&apos;It&apos;&apos;s&apos;.A2:&apos;It&apos;&apos;s&apos;.B4"/></table:database-ranges>';
    const document = await read(table(rows, "It's"), after);
    expect(tablesOf(document)).toMatchObject([
      { name: "It's", columns: [], merges: ['A3:A4'], widths: [15, 15] },
      { name: "It's", columns: ['Region', 'City'] },
    ]);
    expect(document.text).toBe('Report\nRegion\tCity\nNorth\tOslo\nNorth\tBergen\n');
  });

  it('reads hidden sheets and says so, leaves out copies of other files and what was deleted', async () => {
    const tracked = `<table:tracked-changes><table:deletion><table:cell-content-deletion><table:change-track-table-cell><text:p>gone</text:p></table:change-track-table-cell></table:cell-content-deletion></table:deletion></table:tracked-changes>`;
    const document = await read(
      [
        tracked,
        table(row(word('open')), 'One', 'table:style-name="shown"'),
        table(row(word('secret'), 'table:visibility="collapse"'), 'Two', 'table:style-name="hidden"'),
        table(
          `<table:table-source xlink:href="file:///other.ods"/>${row(word('copied'))}`,
          "'file:///other.ods'#$One",
        ),
        table('', 'Empty'),
      ].join(''),
    );
    expect(tablesOf(document).map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['One', false],
      ['Two', true],
      ['Empty', false],
    ]);
    expect(document.text).toBe('open\nsecret\n');
  });

  it('puts comments and shapes behind the words of their cell', async () => {
    const note =
      '<office:annotation><dc:creator>Аня</dc:creator><dc:date>2024-01-01</dc:date><text:p>check</text:p><text:p>twice</text:p></office:annotation>';
    const shape =
      '<draw:custom-shape><svg:title>alt</svg:title><text:p>on <text:span>the</text:span> map</text:p></draw:custom-shape>';
    const shapes =
      '<table:shapes><draw:frame><draw:text-box><text:p>Draft</text:p></draw:text-box></draw:frame></table:shapes>';
    const document = await readRows(
      shapes +
        row('<table:table-cell/>', 'table:number-rows-repeated="2"') +
        row(
          `<table:table-cell office:value-type="string">${note}<text:p>debt</text:p></table:table-cell><table:table-cell>${shape}</table:table-cell>`,
        ),
    );
    expect(document.text).toBe('[Draft]\ndebt [check twice]\t[on the map]\n');
    expect(placesOf(document)).toEqual([['A1'], ['A3', 'B3']]);
  });

  it('keeps spaces, tabs and lines of a cell as far as a row can', async () => {
    const document = await readRows(
      row(
        word(
          'two<text:s text:c="2"/>spaces,\n   <text:a>a link</text:a><text:tab/>and<text:line-break/>a line</text:p><text:p>a paragraph',
        ),
      ),
    );
    expect(document.text).toBe('two  spaces, a link and\na line\na paragraph\n');
  });

  it('reads the flat form, whatever its name', async () => {
    const flat = flatOdsFrom(STYLES, table(row(word('Привет'))));
    for (const name of ['book.fods', 'book.xml']) {
      const document = await readParts(name, flat);
      expect(document.metadata).toMatchObject({ kind: 'ods', title: 'Flat' });
      expect(document.text).toBe('Привет\n');
    }
  });

  it.each([
    ['empty', odsFrom(STYLES, table(row('<table:table-cell/>')))],
    ['damaged', odsFrom(STYLES, '<table:table><oops')],
    [
      'encrypted',
      zipSync({
        mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
        'content.xml': strToU8('noise'),
        'META-INF/manifest.xml': strToU8('<manifest:encryption-data/>'),
      }),
    ],
  ])('ends with the reason %s', async (reason, bytes) => {
    const outcome = await readParts('bad.ods', bytes).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(ParseFailure);
    expect((outcome as ParseFailure).reason).toBe(reason);
  });

  it('reads what stands before a fault and says that the rest is missing', async () => {
    const { text, parts } = await readRows(`${row(word('kept'))}${row(word('then <broken'))}`);
    expect(text).toBe('kept\n');
    expect(parts.flatMap((part) => (part.type === 'warning' ? [part.warning.code] : []))).toEqual([
      'part-damaged',
    ]);
  });
});
