/** Which tables and rows does an OpenDocument sheet hold? */
import type { Parser } from '../../document.ts';
import { readOdfProperties, refuseEncrypted } from '../flow/odf/odf-properties.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { readWholeWorkbook } from './whole-workbook.ts';

/** Throws ParseFailure as readWholeWorkbook does. */
export const parseOds: Parser = async function* (file, signal) {
  const archive = await ZipArchive.open(file);
  try {
    await refuseEncrypted(archive, file, signal);
    const metadata = await readOdfProperties(archive, signal);
    yield* readWholeWorkbook('ods', file, signal);
    yield { type: 'metadata', metadata };
  } finally {
    archive.close();
  }
};
