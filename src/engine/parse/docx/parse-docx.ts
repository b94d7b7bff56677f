/** Which blocks does a Word document hold, and in which paragraph of its view does each stand? */
import { ParseFailure, type Parser, type Part, type SourceFile } from '../../document.ts';
import { readOfficeProperties } from '../zip/office-properties.ts';
import { xmlPieces } from '../zip/read-xml.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { readDocumentParts, type TextPart } from './document-parts.ts';
import { DocxBlocks } from './docx-blocks.ts';
import { StoryWalker } from './story-walker.ts';
import type { WalkContext } from './walk-state.ts';

/**
 * Reads a document paragraph by paragraph: the body, then notes, then running headers and footers. Tracked insertions
 * are text, deletions are not. Throws ParseFailure: empty, no-text (pictures only), encrypted, unsupported, damaged,
 * too-large.
 */
export const parseDocx: Parser = async function* (file, signal) {
  const archive = await ZipArchive.open(file);
  try {
    const metadata = await readOfficeProperties(archive, signal);
    yield { type: 'metadata', metadata: { kind: 'docx', ...metadata } };
    const { texts, context } = await readDocumentParts(archive, file, signal);
    const blocks = new DocxBlocks(context);
    for (const part of texts) yield* readPart(archive, part, context, blocks, signal);
    if (blocks.count === 0) throw withoutText(archive, file, context);
    if (!metadata.title && blocks.title) yield { type: 'metadata', metadata: { title: blocks.title } };
    yield* contextWarnings(context);
  } finally {
    archive.close();
  }
};

async function* readPart(
  archive: ZipArchive,
  part: TextPart,
  context: WalkContext,
  blocks: DocxBlocks,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  blocks.startPart(part.role);
  const walker = new StoryWalker(context, false);
  const pieces = xmlPieces(archive, part.name, walker, signal);
  while (true) {
    const next = await pieces.next();
    for (const event of walker.take()) yield* blocks.take(event);
    if (!next.done) continue;
    if (next.value === 'damaged') {
      // What is open at the fault still counts.
      walker.closeAll();
      for (const event of walker.take()) yield* blocks.take(event);
      yield warning(
        'part-damaged',
        `The part ${part.name} is broken in the file: only what stands before the fault was read`,
      );
    }
    return;
  }
}

function withoutText(archive: ZipArchive, file: SourceFile, context: WalkContext): ParseFailure {
  if (context.hasForeignPart) {
    const what = 'it only embeds content of another format: open it in Word and save it as a document';
    return new ParseFailure('unsupported', `Nothing to read: ${file.name}: ${what}`);
  }
  if (archive.names().some((name) => /\/media\//i.test(name))) {
    return new ParseFailure(
      'no-text',
      `Nothing to read: ${file.name}: it holds pictures only: they need recognition`,
    );
  }
  return new ParseFailure('empty', `Nothing to read: ${file.name}: the document has no text`);
}

function* contextWarnings(context: WalkContext): Generator<Part> {
  if (context.hasForeignPart) {
    yield warning('part-not-read', 'The document embeds content of another format, which was not read');
  }
  if (context.isCut)
    yield warning(
      'paragraphs-left-out',
      'The document has more paragraphs than the limit: the rest was left out',
    );
}

function warning(code: string, message: string): Part {
  return { type: 'warning', warning: { code, message } };
}
