/** A process that writes documents until it is killed; its argument is the library's path. */
import { addDocument, openLibrary } from './library.ts';

const store = await openLibrary(process.argv[2]!);
const folder = (await store.folders())[0]?.id ?? (await store.addFolder('/data', 'data'));
const paragraphs = Array.from(
  { length: 40 },
  (_, i) => `paragraph ${i} of a document that somebody interrupts`,
);
process.stdout.write('writing\n');
for (let i = 0; i < 500; i++) await addDocument(store, folder, { path: `${i % 7}.txt`, paragraphs });
