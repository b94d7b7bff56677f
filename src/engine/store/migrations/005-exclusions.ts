/** What was left out of each folder when it was last read, and which documents were perhaps read only in part? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const exclusions: Migration = {
  version: 5,
  sql: `
-- One row a folder: the list is written whole, and only when it changed. JSON, [[path, reason], …].
CREATE TABLE exclusions (
  folder_id INTEGER PRIMARY KEY REFERENCES folders (id) ON DELETE CASCADE,
  list TEXT NOT NULL
) STRICT;
-- Few documents have warnings; every question counts those whose text is not whole.
CREATE INDEX documents_with_warnings ON documents (folder_id, id)
  WHERE is_visible = 1 AND state = 'indexed' AND warnings <> '[]';
`,
};
