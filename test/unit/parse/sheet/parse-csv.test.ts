import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../src/engine/parse/sheet/parse-csv.ts';
import { type ReadDocument, readAll, withFile } from '../../../e2e/read-parts.ts';

const read = (bytes: Uint8Array | string, name = 'цены.csv'): Promise<ReadDocument> =>
  withFile(name, bytes, (file) => readAll(parseCsv, file));

const russian = 'Товар;Цена\r\nЧай чёрный байховый;1 234,50\r\nКофе молотый;99,90\r\n';

describe('parseCsv', () => {
  it.each(['utf8', 'win1251', 'koi8-r', 'utf16le', 'utf16be'])('reads Russian in %s', async (encoding) => {
    const bytes = iconv.encode(russian, encoding, { addBOM: encoding.startsWith('utf16') });
    const document = await read(bytes);
    expect(document.text).toBe('Товар\tЦена\nЧай чёрный байховый\t1 234,50\nКофе молотый\t99,90\n');
    expect(document.tables[0]).toMatchObject({ name: 'цены', columns: ['Товар', 'Цена'], isSheet: true });
    expect(document.blocks[1]!.row!.cells[1]!.value).toBe(1234.5);
  });

  it('keeps a line break inside quotes in its row', async () => {
    const document = await read('a,b\n"one\ntwo",3\nfour,5\n');
    expect(document.blocks.map(({ row }) => row!.row)).toEqual([1, 2, 3]);
    expect(document.blocks[1]!.text).toBe('one\ntwo\t3\n');
    expect(document.blocks[2]!.spans[0]!.anchor).toEqual({ kind: 'cells', sheet: 'цены', range: 'A3' });
  });

  it('takes rows of any length', async () => {
    const document = await read('a,b,c\n1\n2,3,4,5\n\n6,7,8\n');
    expect(document.text).toBe('a\tb\tc\n1\n2\t3\t4\t5\n6\t7\t8\n');
    expect(document.blocks.at(-1)!.row!.row).toBe(5);
  });

  it('loses nothing to a quote that is never closed', async () => {
    const document = await read('id;note\n1;fine\n2;"open\n3;still there\n');
    expect(document.text).toContain('3\tstill there\n');
    expect(document.warnings).toEqual(['quote-not-closed']);
  });

  it('skips the line that only names the delimiter, but counts it', async () => {
    const document = await read('sep=;\nName;Age\nAnn;7\n');
    expect(document.blocks.map(({ row }) => [row!.row, row!.isHeader])).toEqual([
      [2, true],
      [3, false],
    ]);
  });

  it('refuses a file of blank lines', async () => {
    await expect(read('\n\n , \n')).rejects.toMatchObject({ reason: 'empty' });
  });

  it('reads many short records', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${at},name ${at}`).join('\n');
    expect((await read(`id,name\n${lines}\n`)).blocks.length).toBe(20_001);
  });
});
