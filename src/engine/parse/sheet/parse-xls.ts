/** Which tables and rows does an old workbook hold: binary (Excel 2 to 2003), or in the XML of Excel 2002 and 2003? */
import { find } from 'cfb';
import type { Parser } from '../../document.ts';
import { type Notes, SheetNotes } from './sheet-notes.ts';
import { readWholeWorkbook } from './whole-workbook.ts';
import { readXlsShapes } from './xls-shapes.ts';

/** Throws ParseFailure as readWholeWorkbook does. */
export const parseXls: Parser = (file, signal) => {
  let shapes: Map<string, Notes> | undefined;
  return readWholeWorkbook('xls', file, signal, async (book, sheet) => {
    const stream = book.container && find(book.container, '/Workbook')?.content;
    shapes ??= stream ? readXlsShapes(Uint8Array.from(stream)) : new Map();
    return new SheetNotes(shapes.get(book.names[sheet] ?? ''));
  });
};
