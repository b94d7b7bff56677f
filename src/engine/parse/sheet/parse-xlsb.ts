/** Which tables and rows does a binary workbook (Excel 2007 and later) hold? */
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type Parser } from '../../document.ts';
import { findMainPart, readRelations } from '../zip/relations.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { SheetNotes } from './sheet-notes.ts';
import { readWholeWorkbook } from './whole-workbook.ts';

/** Throws ParseFailure as readWholeWorkbook does, too-large also for what unpacks to more than the limits of archives. */
export const parseXlsb: Parser = async function* (file, signal) {
  const archive = await ZipArchive.open(file);
  try {
    await refuseTooLarge(archive, file.name, signal);
    const main = await findMainPart(archive, 'xl/workbook.bin', signal);
    const relations = await readRelations(archive, main, signal);
    yield* readWholeWorkbook('xlsb', file, signal, async ({ relationOf }, sheet) => {
      const part = relations.find(({ id }) => id === relationOf(sheet))?.target;
      return part === undefined ? new SheetNotes() : SheetNotes.read(archive, part, signal);
    });
  } finally {
    archive.close();
  }
};

/** The reader unpacks without limits of its own, so all is unpacked once to nowhere before it may. */
async function refuseTooLarge(archive: ZipArchive, name: string, signal: AbortSignal): Promise<void> {
  let bytes = 0;
  for (const part of archive.names()) {
    if (!/\.(bin|xml|rels)$/i.test(part)) continue;
    for await (const piece of archive.read(part, signal)) {
      bytes += piece.length;
      if (bytes <= limits.maxUnpackedBytes) continue;
      const most = Math.round(limits.maxUnpackedBytes / 1024 ** 2);
      throw new ParseFailure(
        'too-large',
        `The file was not read: ${name}: a workbook of this format may unpack to ${most} MB at most; save it as XLSX.`,
      );
    }
  }
}
