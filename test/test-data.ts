/** Where do the large test documents stand? The one place that knows; tests skip with a message where they are absent. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(
  fileURLToPath(new URL('..', import.meta.url)),
  process.env.LECTERN_TEST_DATA ?? '../shared',
);

/** Absolute path of a file or folder of the test data, or undefined when it is not on this machine. */
export function testData(relative: string): string | undefined {
  const found = path.join(root, relative);
  return existsSync(found) ? found : undefined;
}
