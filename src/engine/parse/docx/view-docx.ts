/** Which Word document does the page draw, so that every paragraph can be found by its name? */
import { type Zippable, zipSync } from 'fflate';
import { docx as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { readXml } from '../zip/read-xml.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { readDocumentParts } from './document-parts.ts';
import { StoryWalker } from './story-walker.ts';

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Parts that the page never draws: embedded files, macros, fonts, data, thumbnails, printer settings. */
const LEFT_OUT =
  /(?:^|\/)(?:embeddings|activeX|fonts|customXml|docProps|glossary|printerSettings)\/|vbaProject|vbaData|\.bin$/i;

/**
 * Writes the document anew: the paragraph that the parser calls b12 begins with a bookmark "lectern-b12", and holds
 * exactly the text that the parser read, with numbers of lists written out, deletions gone and text boxes as frames
 * below their paragraph. Throws what the parser throws, and ParseFailure too-large above `docx.maxViewBytes`.
 */
export async function viewDocx(
  file: SourceFile,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; type: string }> {
  const archive = await ZipArchive.open(file);
  try {
    const { texts, context } = await readDocumentParts(archive, file, signal);
    const entries: Zippable = {};
    let size = 0;
    const add = (name: string, bytes: Uint8Array): void => {
      size += bytes.length;
      if (size > limits.maxViewBytes) throw tooLarge(file);
      // Stored, not packed: the page is on the same machine and would only unpack it again.
      entries[name] = [bytes, { level: 0 }];
    };
    const written = new Set(texts.map(({ name }) => name.toLowerCase()));
    for (const { name } of texts) {
      const walker = new StoryWalker(context, true);
      await readXml(archive, name, walker, signal);
      add(name, Buffer.from(walker.toXml(), 'utf8'));
    }
    for (const name of archive.names()) {
      if (written.has(name.toLowerCase()) || LEFT_OUT.test(name)) continue;
      if (/\.(?:xml|rels)$/i.test(name) && !(await isWhole(archive, name, signal))) continue;
      const bytes = await archive.readWhole(name, limits.maxViewBytes, signal);
      if (bytes) add(name, bytes);
    }
    return { bytes: zipSync(entries), type: TYPE };
  } finally {
    archive.close();
  }
}

/** A broken part, of styles for example, would keep the page from drawing anything. */
async function isWhole(archive: ZipArchive, name: string, signal: AbortSignal): Promise<boolean> {
  const deaf = { open: () => {}, close: () => {}, text: () => {} };
  return (await readXml(archive, name, deaf, signal)) === 'whole';
}

function tooLarge(file: SourceFile): ParseFailure {
  const megabytes = limits.maxViewBytes / 1024 / 1024;
  return new ParseFailure(
    'too-large',
    `The document can't be shown: ${file.name}: it unpacks to over ${megabytes} MB; open it in its own program.`,
  );
}
