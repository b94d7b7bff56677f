/** Which tables and rows does a binary workbook (Excel 2007 and later) hold? */
import type { Parser } from '../../document.ts';
import { readWholeWorkbook } from './whole-workbook.ts';

/** Throws ParseFailure as readWholeWorkbook does. */
export const parseXlsb: Parser = (file, signal) => readWholeWorkbook('xlsb', file, signal);
