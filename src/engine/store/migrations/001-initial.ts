/** What did the first library look like? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const initial: Migration = {
  version: 1,
  sql: `
CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  is_unreachable INTEGER NOT NULL DEFAULT 0,
  indexed_at_ms INTEGER -- NULL until a run reached its end
) STRICT;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  is_visible INTEGER NOT NULL DEFAULT 0, -- the one switch: 0 while it is written
  state TEXT NOT NULL DEFAULT 'indexed',
  kind TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL,
  language TEXT NOT NULL DEFAULT 'und',
  author TEXT NOT NULL DEFAULT '',
  day TEXT NOT NULL, -- its own date, else that of its modification; what a scope's dates are compared with
  pages INTEGER NOT NULL DEFAULT 0,
  encoding TEXT NOT NULL DEFAULT '',
  is_archived INTEGER NOT NULL DEFAULT 0,
  size_bytes INTEGER NOT NULL,
  modified_at_ms REAL NOT NULL,
  content_hash TEXT NOT NULL DEFAULT '',
  parser_version INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  message TEXT NOT NULL DEFAULT '',
  warnings TEXT NOT NULL DEFAULT '[]',
  block_count INTEGER NOT NULL DEFAULT 0,
  length INTEGER NOT NULL DEFAULT 0, -- of its text, UTF-16 units
  chunk_count INTEGER NOT NULL DEFAULT 0,
  first_chunk_id INTEGER NOT NULL DEFAULT 0,
  last_chunk_id INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX documents_by_path ON documents (folder_id, path) WHERE is_visible = 1;
CREATE INDEX documents_unfinished ON documents (id) WHERE is_visible = 0;
CREATE INDEX documents_by_folder ON documents (folder_id, id);
CREATE INDEX documents_for_scope ON documents
  (folder_id, is_visible, is_archived, state, kind, day, chunk_count, first_chunk_id, last_chunk_id);

CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  kind TEXT NOT NULL,
  level INTEGER NOT NULL DEFAULT 0,
  table_number INTEGER, -- the next three for rows only
  row INTEGER,
  is_header INTEGER,
  text TEXT NOT NULL,
  spans BLOB NOT NULL -- see pack-spans.ts
) STRICT;
CREATE UNIQUE INDEX blocks_by_start ON blocks (document_id, start);

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  language TEXT NOT NULL,
  headings TEXT NOT NULL, -- JSON array
  text TEXT -- NULL where it is that range of the document's text, which most are
) STRICT;
CREATE UNIQUE INDEX chunks_by_ordinal ON chunks (document_id, ordinal);

-- Every word arrives folded and separated by one space, and the ascii tokenizer cuts at nothing else: its tokens are ours.
CREATE VIRTUAL TABLE chunk_terms USING fts5 (
  title, headings, words, stems,
  content = '', contentless_delete = 1, tokenize = 'ascii', detail = full
);
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_terms, row);

CREATE TABLE fingerprints (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY, -- fingerprint × 2^40 + chunk: one fingerprint is one stretch of the table
  vector BLOB NOT NULL -- unit length, float32, little endian
) STRICT;

CREATE TABLE sheet_tables (
  document_id INTEGER NOT NULL REFERENCES documents (id),
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_sheet INTEGER NOT NULL,
  is_hidden INTEGER NOT NULL,
  columns TEXT NOT NULL, -- JSON arrays
  merges TEXT NOT NULL,
  widths TEXT NOT NULL,
  last_row INTEGER NOT NULL DEFAULT 0,
  column_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE sheet_rows (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  table_number INTEGER NOT NULL,
  row INTEGER NOT NULL,
  is_header INTEGER NOT NULL,
  cells TEXT NOT NULL -- JSON array: text, or [text, value] where the value is more than its text
) STRICT;
CREATE UNIQUE INDEX sheet_rows_by_row ON sheet_rows (document_id, table_number, row);

CREATE TABLE query_cache (
  key TEXT PRIMARY KEY,
  result TEXT NOT NULL,
  stored_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE search_log (
  id INTEGER PRIMARY KEY,
  question TEXT NOT NULL,
  scope TEXT NOT NULL,
  asked_at_ms INTEGER NOT NULL,
  elapsed_ms REAL NOT NULL,
  hits INTEGER NOT NULL
) STRICT;

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  question TEXT NOT NULL,
  scope TEXT, -- JSON; NULL when everything was asked
  asked_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_time ON conversations (asked_at_ms, id);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  ordinal INTEGER NOT NULL,
  search TEXT NOT NULL, -- JSON
  answer TEXT NOT NULL, -- JSON, without its citations
  UNIQUE (conversation_id, ordinal)
) STRICT;
CREATE TABLE citations (
  message_id INTEGER NOT NULL REFERENCES messages (id),
  number INTEGER NOT NULL,
  document TEXT NOT NULL, -- JSON: as it was when cited, the document itself may be gone
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  quote TEXT NOT NULL,
  anchors TEXT NOT NULL, -- JSON
  PRIMARY KEY (message_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE gold_questions (
  id TEXT PRIMARY KEY,
  question TEXT NOT NULL, -- JSON, one line of a question file
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE evaluation_runs (
  id TEXT PRIMARY KEY,
  created_at_ms INTEGER NOT NULL,
  setup TEXT NOT NULL,
  measures TEXT NOT NULL,
  ranks TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  state TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('generation', 0);
`,
};
