import type { Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedLibrary, openForWriting } from '../../src/engine/store/connection.ts';
import {
  knownFilesSql,
  knownMembersSql,
  memberCountsSql,
  orphansSql,
} from '../../src/engine/store/read-documents.ts';
import { chunksByOrdinalSql, chunksSql, sheetRowsSql, textsSql } from '../../src/engine/store/read-text.ts';
import { chunksWithoutVectorSql } from '../../src/engine/store/read-vectors.ts';
import { documentRunsSql, inScopeSql } from '../../src/engine/store/scope-extent.ts';
import { rankedSql, unrankedSql } from '../../src/engine/store/search-keywords.ts';
import { addedSql, distanceSql, narrowSql, nextSql, scanSql } from '../../src/engine/store/search-vectors.ts';
import { blocksInRangeSql } from '../../src/engine/store/write-documents.ts';
import { temporaryLibrary } from './library.ts';

let opened: OpenedLibrary;
beforeAll(() => {
  opened = openForWriting(temporaryLibrary());
});
afterAll(() => {
  opened.db.close();
  opened.lock.close();
});

/** Details of the plan, one line each. Unbound parameters read as NULL, which plans alike. */
function planOf(db: Database, sql: string): string[] {
  const explained = db.prepare<[], { detail: string }>(
    `EXPLAIN QUERY PLAN ${sql.replace(/\?|:[a-z]\w*/g, '1')}`,
  );
  return explained.all().map((row) => row.detail);
}

describe('the plan', () => {
  const condition = 'd.is_visible = 1 AND d.is_archived = 0';
  it.each([
    ['of the files of a folder', knownFilesSql, ['SEARCH documents USING INDEX documents_by_folder']],
    ['of what is inside a file', knownMembersSql, ['USING INDEX documents_by_container']],
    ['of how much is inside files', memberCountsSql, ['USING INDEX documents_by_container']],
    [
      'of what is inside files that are gone',
      orphansSql,
      ['INDEX documents_by_container', 'INDEX documents_by_path'],
    ],
    ['of blocks in a range', blocksInRangeSql('text'), ['SEARCH blocks USING INDEX blocks_by_start']],
    ['of neighbouring chunks', chunksByOrdinalSql, ['SEARCH c USING INDEX chunks_by_ordinal']],
    ['of rows of a sheet', sheetRowsSql, ['SEARCH r USING INDEX sheet_rows_by_row']],
    [
      'of chunks to embed',
      chunksWithoutVectorSql,
      [
        'SEARCH d USING INTEGER PRIMARY KEY',
        'SEARCH c USING INDEX chunks_by_ordinal',
        'SEARCH v USING INTEGER PRIMARY KEY',
      ],
    ],
    [
      'of whether a chunk is in scope',
      inScopeSql(condition),
      ['SEARCH c USING INTEGER PRIMARY KEY', 'SEARCH d USING INTEGER PRIMARY KEY'],
    ],
    ["of a scope's documents", documentRunsSql('d.id = 1'), ['SEARCH d USING INTEGER PRIMARY KEY']],
    ['of texts', textsSql, ['SEARCH c USING INTEGER PRIMARY KEY', 'SEARCH b USING INDEX blocks_by_start']],
    ['of chunks', chunksSql, ['SEARCH c USING INTEGER PRIMARY KEY', 'SEARCH b USING INDEX blocks_by_start']],
    [
      'of vectors that the file lacks',
      addedSql,
      ['SEARCH a USING INTEGER PRIMARY KEY', 'SEARCH v USING INTEGER PRIMARY KEY'],
    ],
    ['of one distance', distanceSql, ['SEARCH vectors USING INTEGER PRIMARY KEY']],
    ['of the next vector', nextSql, ['SEARCH vectors USING INTEGER PRIMARY KEY']],
    ['of vectors near by, everywhere', scanSql, ['SEARCH v USING INTEGER PRIMARY KEY']],
    ['of vectors near by, in a narrow scope', narrowSql('d.id = 1'), ['SEARCH v USING INTEGER PRIMARY KEY']],
    ['of keywords, ranked', rankedSql.replaceAll('MATCH ?', "MATCH 'a'"), ['VIRTUAL TABLE INDEX']],
    ['of keywords, unranked', unrankedSql.replaceAll('MATCH ?', "MATCH 'a'"), ['VIRTUAL TABLE INDEX']],
  ])('%s goes by its index', (_, sql, expected) => {
    const plan = planOf(opened.db, sql).join('\n');
    for (const line of expected) expect(plan).toContain(line);
    // A list of numbers is read once.
    expect(plan).not.toMatch(/SCAN (?!chunk_terms|json_each|wanted)/);
  });

  it('of ranked keywords sorts inside the keyword index only', () => {
    expect(planOf(opened.db, rankedSql.replaceAll('MATCH ?', "MATCH 'a'")).join()).not.toContain(
      'TEMP B-TREE',
    );
  });
});
