import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseXlsx } from '../../../../src/engine/parse/sheet/parse-xlsx.ts';
import { type ReadDocument, readAll, withFile } from '../../../e2e/read-parts.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  sheet: string;
  strings?: string;
  styles?: string;
  workbook?: string;
  /** Other parts by name. */
  more?: Record<string, string>;
}

/** A workbook from its XML, with names prefixed or not. */
function workbook({ sheet, strings, styles, workbook: book, more = {} }: Parts): Uint8Array {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  return zipSync({
    '_rels/.rels': text(
      `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    'xl/_rels/workbook.xml.rels': text(
      `<Relationships>${relation('r1', 'worksheet', 'worksheets/one.xml')}${relation('r2', 'styles', 'styles.xml')}${relation('r3', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': text(
      book ??
        `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    ),
    'xl/worksheets/one.xml': text(sheet),
    ...(strings ? { 'xl/sharedStrings.xml': text(strings) } : {}),
    ...(styles ? { 'xl/styles.xml': text(styles) } : {}),
    ...Object.fromEntries(Object.entries(more).map(([name, xml]) => [name, text(xml)])),
  });
}

const sheetOf = (rows: string, after = ''): string =>
  `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`;
const inline = (place: string, text: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;

const read = (parts: Parts): Promise<ReadDocument> =>
  withFile('book.xlsx', workbook(parts), (file) => readAll(parseXlsx, file));
const rangesOf = (document: ReadDocument): string[][] =>
  document.blocks.map((block) =>
    block.spans.map(({ anchor }) => (anchor.kind === 'cells' ? anchor.range : '')),
  );

describe('parseXlsx', () => {
  it('reads hidden rows, hidden columns and hidden sheets, and says which sheets are hidden', async () => {
    const sheet = `<worksheet xmlns="${MAIN}"><cols><col min="2" max="2" width="0" hidden="1"/></cols><sheetData><row r="1" hidden="1">${inline('A1', 'secret')}${inline('B1', 'column')}</row><row r="2">${inline('A2', 'open')}</row></sheetData></worksheet>`;
    for (const state of ['hidden', 'veryHidden']) {
      const book = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="One" sheetId="1" state="${state}" r:id="r1"/></sheets></workbook>`;
      const document = await read({ sheet, workbook: book });
      expect(document.text).toBe('secret\tcolumn\nopen\n');
      expect(document.tables[0]!.isHidden).toBe(true);
    }
  });

  it('puts comments behind the words of their cell, conversations as they were led', async () => {
    const relation = (id: string, kind: string, target: string): string =>
      `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="../${target}"/>`;
    const comment = (place: string, text: string): string =>
      `<comment ref="${place}" authorId="0"><text><r><t>${text}</t></r></text></comment>`;
    const turn = (place: string, text: string): string =>
      `<threadedComment ref="${place}" id="{1}"><text>${text}</text></threadedComment>`;
    const document = await read({
      sheet: sheetOf(`<row r="2">${inline('B2', 'debt')}</row>`),
      more: {
        'xl/worksheets/_rels/one.xml.rels': `<Relationships>${relation('r1', 'comments', 'comments1.xml')}${relation('r2', 'threadedComment', 'threads.xml')}${relation('r3', 'hyperlink', 'gone.xml')}</Relationships>`,
        'xl/comments1.xml': `<comments xmlns="${MAIN}"><commentList>${comment('A1', 'draft')}${comment('B2', '[Threaded comment] Your version of Excel allows you to read this')}</commentList></comments>`,
        'xl/threads.xml': `<ThreadedComments>${turn('B2', 'who pays?')}${turn('B2', 'we do')}</ThreadedComments>`,
      },
    });
    expect(document.text).toBe('[draft]\n\tdebt [who pays?] [we do]\n');
    expect(rangesOf(document)).toEqual([['A1'], ['B2']]);
  });

  it('neither runs formulas nor follows links to other files', async () => {
    const document = await read({
      sheet: sheetOf(
        '<row r="1"><c r="A1"><f>[1]Prices!A1*2</f><v>42</v></c><c r="B1" t="str"><f>WEBSERVICE("http://127.0.0.1:9/")</f><v/></c><c r="C1"><f>1+1</f></c></row>',
      ),
      more: {
        'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${MAIN}"><externalBook><sheetNames><sheetName val="Prices"/></sheetNames><sheetDataSet><sheetData><row r="1"><cell r="A1"><v>21</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>`,
      },
    });
    expect(document.text).toBe('42\n');
  });

  it('reads names with a prefix', async () => {
    const sheet = `<x:worksheet xmlns:x="${MAIN}"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Tea</x:t></x:is></x:c><x:c r="B1"><x:v>3</x:v></x:c></x:row></x:sheetData><x:mergeCells count="1"><x:mergeCell ref="A1:A2"/></x:mergeCells></x:worksheet>`;
    const book = `<x:workbook xmlns:x="${MAIN}" xmlns:r="${RELATIONS}"><x:sheets><x:sheet name="Ведомость" sheetId="1" r:id="r1"/></x:sheets></x:workbook>`;
    const document = await read({ sheet, workbook: book });
    expect(document.text).toBe('Tea\t3\n');
    expect(document.tables[0]).toMatchObject({ name: 'Ведомость', merges: ['A1:A2'] });
  });

  it('counts rows and cells that name no place', async () => {
    const document = await read({
      sheet: sheetOf(
        '<row><c><v>1</v></c><c><v>2</v></c></row><row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row>',
      ),
    });
    expect(rangesOf(document)).toEqual([
      ['A1', 'B1'],
      ['C5', 'D5'],
    ]);
    expect(document.blocks[1]!.text).toBe('\t\t3\t4\n');
  });

  it('is not misled by a used range of a million empty rows', async () => {
    const empty = Array.from(
      { length: 30_000 },
      (_, at) => `<row r="${at + 3}" spans="1:3"><c r="A${at + 3}" s="1"/></row>`,
    ).join('');
    const document = await read({
      sheet: `<worksheet xmlns="${MAIN}"><dimension ref="A1:XFD1048576"/><sheetData><row r="1">${inline('A1', 'Item')}${inline('B1', 'Price')}</row><row r="2">${inline('A2', 'Tea')}<c r="B2"><v>3</v></c></row>${empty}</sheetData></worksheet>`,
    });
    expect(document.text).toBe('Item\tPrice\nTea\t3\n');
    expect(document.tables[0]!.columns).toEqual(['Item', 'Price']);
  });

  it('reads shared strings with runs, reading aids and escapes', async () => {
    const strings = `<sst xmlns="${MAIN}"><si><t>plain</t></si><si><r><t>half </t></r><r><rPr><b/></rPr><t>bold</t></r><rPh sb="0" eb="1"><t>aid</t></rPh></si><si><t xml:space="preserve">two_x000D_\nlines</t></si></sst>`;
    const sheet = sheetOf(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>99</v></c></row>',
    );
    expect((await read({ sheet, strings })).text).toBe('plain\thalf bold\ttwo\nlines\n');
  });

  it('reads results of formulas, errors, booleans and days of both calendars', async () => {
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
    const book = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="1"/><sheets><sheet name="One" r:id="r1"/></sheets></workbook>`;
    const sheet = sheetOf(
      '<row r="1"><c r="A1" t="str"><f>A2&amp;""</f><v>made</v></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1" t="e"><v>#REF!</v></c><c r="D1" t="b"><v>1</v></c><c r="E1" s="1"><v>43538</v></c></row>',
    );
    const document = await read({ sheet, styles, workbook: book });
    expect(document.text).toBe('made\t2\t#REF!\tTRUE\t15.03.2023\n');
    expect(document.blocks[0]!.row!.cells.map(({ value }) => value)).toEqual([
      undefined,
      2,
      undefined,
      true,
      '2023-03-15',
    ]);
  });

  it('divides a sheet into tables at blank rows, and joins a total to its table', async () => {
    const rows = [
      `<row r="1">${inline('A1', 'Item')}${inline('B1', 'Price')}</row>`,
      `<row r="2">${inline('A2', 'Tea')}<c r="B2"><v>3</v></c></row>`,
      `<row r="4">${inline('A4', 'Total')}<c r="B4"><v>3</v></c></row>`,
      `<row r="6">${inline('A6', 'City')}${inline('B6', 'Staff')}${inline('C6', 'Floor')}</row>`,
      `<row r="7">${inline('A7', 'Oslo')}<c r="B7"><v>12</v></c><c r="C7"><v>2</v></c></row>`,
    ].join('');
    const document = await read({ sheet: sheetOf(rows) });
    expect(document.tables.map(({ columns }) => columns)).toEqual([
      ['Item', 'Price'],
      ['City', 'Staff', 'Floor'],
    ]);
    expect(document.blocks.map(({ row }) => [row!.table, row!.row, row!.isHeader])).toEqual([
      [0, 1, true],
      [0, 2, false],
      [0, 4, false],
      [1, 6, true],
      [1, 7, false],
    ]);
  });

  it('repeats the text of a cell merged downwards, but no number', async () => {
    const rows = [
      `<row r="1">${inline('A1', 'Region')}${inline('B1', 'City')}${inline('C1', 'Quota')}</row>`,
      `<row r="2">${inline('A2', 'North')}${inline('B2', 'Oslo')}<c r="C2"><v>9</v></c></row>`,
      `<row r="3">${inline('B3', 'Bergen')}</row>`,
    ].join('');
    const merges = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="C2:C3"/></mergeCells>';
    const document = await read({ sheet: sheetOf(rows, merges) });
    expect(document.blocks.at(-1)!.text).toBe('North\tBergen\n');
    expect(rangesOf(document).at(-1)).toEqual(['A3', 'B3']);
  });

  it('keeps the rows before a fault and says so', async () => {
    const document = await read({
      sheet: `<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1"><v>7</v></c></row><row r="2"><c r="A2"><v>8</`,
    });
    expect(document.text).toBe('7\n');
    expect(document.warnings).toEqual(['part-damaged']);
  });

  it.each([['no cell holds anything', sheetOf('<row r="1"><c r="A1" s="3"/></row>'), 'empty']])(
    'refuses a workbook in which %s',
    async (_, sheet, reason) => {
      await expect(read({ sheet })).rejects.toMatchObject({ reason });
    },
  );

  it('stops when it is cancelled', async () => {
    await withFile(
      'book.xlsx',
      workbook({ sheet: sheetOf('<row r="1"><c r="A1"><v>7</v></c></row>') }),
      async (file) => {
        await expect(readAll(parseXlsx, file, AbortSignal.abort())).rejects.toMatchObject({
          name: 'AbortError',
        });
      },
    );
  });
});
