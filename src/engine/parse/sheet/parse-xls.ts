/** Which tables and rows does an old binary workbook (Excel 5 to 2003) hold? */
import type { Parser } from '../../document.ts';
import { readWholeWorkbook } from './whole-workbook.ts';

/** Throws ParseFailure as readWholeWorkbook does. */
export const parseXls: Parser = (file, signal) => readWholeWorkbook('xls', file, signal);
