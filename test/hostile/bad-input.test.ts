import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Document, Packer, Paragraph } from 'docx';
import { PDFDocument } from 'pdf-lib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRow } from '../../src/api/types.ts';
import type { SourceFile } from '../../src/engine/document.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { indexFolder } from '../../src/engine/index-folder.ts';
import type { IndexReply } from '../../src/engine/index-messages.ts';
import { type IndexOptions, ParsePool } from '../../src/engine/parse-pool.ts';
import { Store } from '../../src/engine/store/store.ts';
import { testData } from '../test-data.ts';

let folder: string;
let library: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-bad-'));
  library = await mkdtemp(path.join(tmpdir(), 'lectern-bad-library-'));
  store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
  await store.addFolder(folder, 'folder');
});

afterEach(async () => {
  await store.close();
  for (const at of [folder, library]) await rm(at, { recursive: true, force: true });
});

/** Somebody deletes files named "gone" in the moment in which they are to be read. */
class DeletingPool extends ParsePool {
  override async index(file: SourceFile, options: IndexOptions): Promise<IndexReply> {
    if (file.name.startsWith('gone')) await rm(file.path);
    return super.index(file, options);
  }
}

async function pdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const text of ['First page', 'Second page', 'Third page']) document.addPage().drawText(text);
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

async function docx(): Promise<Buffer> {
  return Packer.toBuffer(
    new Document({ sections: [{ children: [new Paragraph('A paragraph of words.')] }] }),
  );
}

const emptyPdf = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [] /Count 0 >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;

/** The first bytes of an Office file under a password: a compound file that holds an encrypted package. */
function encryptedOffice(): Buffer {
  const file = Buffer.alloc(8192);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  Buffer.from('EncryptedPackage', 'utf16le').copy(file, 2048);
  return file;
}

async function layBadFiles(): Promise<void> {
  const [pdfBytes, docxBytes] = [await pdf(), await docx()];
  const files: [string | Buffer, string | Buffer][] = [
    ['empty.txt', ''],
    ['empty.pdf', ''],
    ['blank.txt', ' \n\n \t\n'],
    ['cut.docx', docxBytes.subarray(0, docxBytes.length / 2)],
    ['cut.pdf', pdfBytes.subarray(0, 40)],
    ['protected.docx', encryptedOffice()],
    ['no-pages.pdf', emptyPdf],
    ['picture.docx', Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex')],
    ['program.txt', Buffer.from('7f454c460201010000000000000000000300', 'hex')],
    ['word.pdf', docxBytes],
    ['gone.txt', 'words'],
    ['отчёт 🚀.txt', 'rocket words'],
    [Buffer.from([...Buffer.from('caf'), 0xe9, ...Buffer.from('.txt')]), 'words'],
    ['good.txt', 'good words'],
    ['good.pdf', pdfBytes],
  ];
  for (const [name, content] of files) {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), content);
  }
  const encrypted = testData('fixtures/unstructured/copy-protected.pdf');
  if (encrypted) await copyFile(encrypted, path.join(folder, 'copy-protected.pdf'));
}

async function ledger(): Promise<Record<string, string>> {
  const { rows } = await store.documents({ limit: 1000, offset: 0 });
  for (const row of rows) expectClear(row);
  return Object.fromEntries(rows.map((row) => [row.path, row.reason ?? row.state]));
}

/** What failed, which thing, what to do: in one line that names the file. */
function expectClear(row: DocumentRow): void {
  if (row.state !== 'failed') return;
  expect(row.message).toMatch(/^[^\n]+$/u);
  expect(row.message).toContain(row.path.split('/').at(-1));
  expect(row.message!.length).toBeLessThan(400);
}

describe('A folder of broken files', { timeout: 120_000 }, () => {
  it('gives each its line in the ledger, and the others are read', async () => {
    await layBadFiles();
    const pool = new DeletingPool({ entry: sourceEntries.indexWorker });
    const [known] = await store.folders();
    const first = await indexFolder({ store, pool, folder: known! });
    const expected: Record<string, string> = {
      'empty.txt': 'empty',
      'empty.pdf': 'empty',
      'blank.txt': 'empty',
      'cut.docx': 'damaged',
      'cut.pdf': 'damaged',
      'protected.docx': 'encrypted',
      'picture.docx': 'damaged',
      'program.txt': 'unsupported',
      'word.pdf': 'indexed',
      'gone.txt': 'gone',
      'отчёт 🚀.txt': 'indexed',
      'caf\\xE9.txt': 'bad-name',
      'good.txt': 'indexed',
      'good.pdf': 'indexed',
    };
    const found = await ledger();
    expect(found).toMatchObject(expected);
    // PDFium refuses to open a document without pages before it can be asked for their number.
    expect(['empty', 'damaged']).toContain(found['no-pages.pdf']);
    expect(first.failed).toBe(Object.values(found).filter((state) => state !== 'indexed').length);

    // The second run reads none of them again, and forgets the one that is gone.
    const second = await indexFolder({ store, pool, folder: (await store.folders())[0]! });
    expect(second).toMatchObject({ indexed: 0, failed: first.failed - 1, removed: 1 });
    await pool.close();
  });

  it('tells what may not be opened or listed, and keeps what it knows below it', async () => {
    // The superuser may read everything, so the reading is done by a process without rights where need be.
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    await store.close();
    await writeFile(path.join(folder, 'open.txt'), 'open words');
    await writeFile(path.join(folder, 'closed.txt'), 'closed words');
    await mkdir(path.join(folder, 'room'));
    await writeFile(path.join(folder, 'room', 'inside.txt'), 'inside words');
    if (isRoot) {
      for (const at of [library, path.join(library, 'library.db')]) await chown(at, nobody, nobody);
      await chmod(folder, 0o755);
    }
    const child = fileURLToPath(new URL('./index-child.ts', import.meta.url));
    const run = async () => {
      const options = isRoot ? { uid: nobody, gid: nobody } : {};
      const { stdout } = await promisify(execFile)(process.execPath, [child, library, folder], options);
      return JSON.parse(stdout.split('\n')[1]!);
    };
    expect(await run()).toMatchObject({ summary: { indexed: 3, failed: 0 } });
    await chmod(path.join(folder, 'closed.txt'), 0);
    await chmod(path.join(folder, 'room'), 0);
    await writeFile(path.join(folder, 'secret.txt'), 'secret words');
    await chmod(path.join(folder, 'secret.txt'), 0);
    const closed = await run();
    expect(closed.summary).toMatchObject({ removed: 0, failed: 2 });
    expect(closed.failed.sort()).toEqual([
      ['room/', 'unreadable'],
      ['secret.txt', 'unreadable'],
    ]);
    for (const name of ['closed.txt', 'room', 'secret.txt']) await chmod(path.join(folder, name), 0o755);
    expect(await run()).toMatchObject({ summary: { indexed: 1, unchanged: 3, failed: 0, removed: 1 } });
    store = await Store.open({ path: path.join(library, 'library.db'), entries: sourceEntries });
    expect(Object.keys(await ledger()).sort()).toEqual([
      'closed.txt',
      'open.txt',
      'room/inside.txt',
      'secret.txt',
    ]);
  });

  it.runIf(process.env.LECTERN_FULL)(
    'reads a text of 100 MB within a limited memory',
    async () => {
      const file = await open(path.join(folder, 'long.txt'), 'w');
      for (let mib = 0; mib < 100; mib += 1) {
        const sentence = `Sentence of part ${mib} that says something about the number ${mib * 7}. `;
        await file.write(
          `${sentence.repeat(12)}\n\n`.repeat(Math.ceil(2 ** 20 / (sentence.length * 12 + 2))),
        );
      }
      await file.close();
      const pool = new ParsePool({ entry: sourceEntries.indexWorker });
      const summary = await indexFolder({ store, pool, folder: (await store.folders())[0]! });
      await pool.close();
      expect(summary).toMatchObject({ indexed: 1, failed: 0 });
      expect(summary.chunks).toBeGreaterThan(10_000);
    },
    600_000,
  );
});
