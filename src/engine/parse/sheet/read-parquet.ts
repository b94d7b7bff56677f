/** Which rows does a Parquet file hold? */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { sheet as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import type { DataPart } from './parse-database.ts';

interface FileBuffer {
  byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** One table, named as the file. Throws ParseFailure damaged, also for encrypted columns. */
export async function* readParquet(file: SourceFile): AsyncGenerator<DataPart> {
  const handle = file.bytes ? undefined : await open(file.path, 'r');
  const buffer: FileBuffer = {
    byteLength: file.sizeBytes,
    slice: async (start, end = file.sizeBytes) => {
      if (file.bytes) return Uint8Array.from(file.bytes.subarray(start, end)).buffer;
      const piece = new Uint8Array(Math.max(0, end - start));
      await handle!.read(piece, 0, piece.length, start);
      return piece.buffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(buffer);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    const name = path.basename(file.name, path.extname(file.name)).normalize('NFC');
    yield { name, columns, rows: rowsOf(buffer, metadata, columns) };
  } catch (cause) {
    throw new ParseFailure(
      'damaged',
      `Reading failed: ${file.name}: the Parquet file is broken or encrypted: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    await handle?.close();
  }
}

/** Group after group, each in pieces: a group is what the file packs together. */
async function* rowsOf(
  file: FileBuffer,
  metadata: FileMetaData,
  columns: string[],
): AsyncGenerator<unknown[]> {
  let from = 0;
  for (const group of metadata.row_groups) {
    const end = from + Number(group.num_rows);
    for (; from < end; from += limits.maxRowsAtOnce) {
      const rowEnd = Math.min(end, from + limits.maxRowsAtOnce);
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: from, rowEnd });
      for (const row of rows) yield columns.map((column) => row[column]);
    }
    from = end;
  }
}
