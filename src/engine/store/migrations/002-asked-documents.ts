/** Which documents were found for a question, so that what is asked most gets better vectors first? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const askedDocuments: Migration = {
  version: 2,
  sql: `
-- By path: a document that is read again has a new number and is still the one that was asked.
CREATE TABLE asked_documents (
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (folder_id, path)
) STRICT, WITHOUT ROWID;
`,
};
