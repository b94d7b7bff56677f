/** What was left out of each folder when it was last read? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const exclusions: Migration = {
  version: 5,
  sql: `
-- One row a folder: the list is written whole, and only when it changed. JSON, [[path, reason], …].
CREATE TABLE exclusions (
  folder_id INTEGER PRIMARY KEY REFERENCES folders(id) ON DELETE CASCADE,
  list TEXT NOT NULL
) STRICT;
`,
};
