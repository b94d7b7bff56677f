/** Which vectors were written since the nearest-neighbour file was built? */
import type { Migration } from '../migrate.ts';

/** Never edited once shipped: a change is a new migration. */
export const vectorAdditions: Migration = {
  version: 3,
  sql: `
-- In the order of writing. Its last row is never removed, so that numbers only rise.
CREATE TABLE vector_additions (
  id INTEGER PRIMARY KEY,
  vector_id INTEGER NOT NULL
) STRICT;
INSERT INTO vector_additions (vector_id) SELECT id FROM vectors ORDER BY id;
CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
  INSERT INTO vector_additions (vector_id) VALUES (new.id);
END;
-- Tells this library from another one at the same path, for files that are derived from it.
INSERT INTO meta (key, value) VALUES ('identity', abs(random() % 9007199254740991));
`,
};
