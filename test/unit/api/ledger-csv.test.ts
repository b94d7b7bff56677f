/** Can any spreadsheet read the exported ledger, and does it run nothing? */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { ledgerStateOf } from '../../../src/api/ledger.ts';
import { ledgerCsv } from '../../../src/api/ledger-csv.ts';
import type { DocumentRow } from '../../../src/api/types.ts';
import { englishWords } from '../../../src/cli/shapes.ts';

function row(given: Partial<DocumentRow>): DocumentRow {
  const { state = 'indexed', warnings = [], reason } = given;
  return {
    ...{ id: 1, folderId: 1, path: 'a.txt', title: 'a', sizeBytes: 5, modifiedAtMs: 0 },
    ...{
      language: 'en',
      isArchived: false,
      state,
      warnings,
      ...given,
      ledgerState: ledgerStateOf({ state, warnings, ...(reason ? { reason } : {}) }),
    },
  };
}

const folders = new Map([[1, 'papers']]);

function table(rows: DocumentRow[], excluded: Parameters<typeof ledgerCsv>[0]['excluded'] = []) {
  const text = ledgerCsv({ rows, excluded, folders }, englishWords);
  expect(text.startsWith('\uFEFFFolder,Path,Title,')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
}

describe('the table of the ledger', () => {
  it('gives path, state, reason in words and what to do', () => {
    const protectedRow = row({
      path: 'a/b.pdf',
      kind: 'pdf',
      state: 'failed',
      reason: 'encrypted',
      pages: 3,
    });
    expect(table([{ ...protectedRow, message: 'It failed: b.pdf: save a copy.' }])).toEqual([
      {
        ...{ Folder: 'papers', Path: 'a/b.pdf', Title: 'a', Kind: 'PDF', State: 'Protected' },
        Reason: 'It is protected by a password.',
        'What to do': 'Save a copy without the password into the folder.',
        Message: 'It failed: b.pdf: save a copy.',
        ...{ 'Size in bytes': '5', Changed: '1970-01-01T00:00:00.000Z', Pages: '3' },
      },
    ]);
  });

  it('says every loss of a document read in part, and what was left out', () => {
    const warnings = ['part-damaged', 'damaged', 'attachments'].map((code) => ({
      code,
      message: `${code}!`,
    }));
    const [part, left] = table([row({ warnings })], [{ folderId: 1, path: 'x/.git/', reason: 'hidden' }]);
    expect(part).toMatchObject({
      State: 'Read in part',
      Reason: 'A part of it is damaged. Something inside it was not read.',
      Message: 'part-damaged! damaged! attachments!',
    });
    expect(left).toMatchObject({ Folder: 'papers', Path: 'x/.git/', State: 'Left out', Pages: '' });
    expect(left?.Reason).toContain('dot');
  });

  it.each([
    ['=HYPERLINK("x"),1.pdf', '\'=HYPERLINK("x"),1.pdf'],
    ['+1.txt', "'+1.txt"],
    ['-1.txt', "'-1.txt"],
    ['@SUM(1).txt', "'@SUM(1).txt"],
    ['\tx.txt', "'\tx.txt"],
    ['\n=1.txt', "'\n=1.txt"],
    ['two\r\nlines "quoted", named.txt', 'two\r\nlines "quoted", named.txt'],
    ['отчёт 🚀.txt', 'отчёт 🚀.txt'],
  ])('writes the name %j so that nothing is run and nothing is lost', (path, expected) => {
    expect(table([row({ path })])[0]?.Path).toBe(expected);
  });

  it('writes no time where a file bears none that a calendar has', () => {
    expect(table([row({ modifiedAtMs: 9e15 })])[0]?.Changed).toBe('');
  });
});
