/** Which documents stand inside another, such as an archive or a mail? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const members: Migration = {
  version: 4,
  sql: `
-- Path of the file on disk that holds the document, however deep; empty for a file itself.
ALTER TABLE documents ADD COLUMN container TEXT NOT NULL DEFAULT '';
CREATE INDEX documents_by_container ON documents (folder_id, container, id) WHERE container <> '';
`,
};
