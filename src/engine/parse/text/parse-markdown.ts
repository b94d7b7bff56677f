/** Which headings, lists, tables and paragraphs does a Markdown file hold? */
import MarkdownIt from 'markdown-it';
import { text as limits } from '../../config.ts';
import type { Parser, Part } from '../../document.ts';
import { blockOfLines } from './block-of-lines.ts';
import { decodeText, type Line, readLines } from './decode-text.ts';
import { frontMatterLines, MAX_FRONT_MATTER_LINES, readFrontMatter } from './front-matter.ts';
import { MarkdownBlocks } from './markdown-blocks.ts';

/** Reads Markdown as CommonMark with tables. Markup is left out of the text; anchors are source lines. */
export const parseMarkdown: Parser = async function* (file, signal) {
  const { encoding, pieces } = await decodeText(file, signal);
  yield { type: 'metadata', metadata: { kind: 'markdown', encoding } };
  const markdown = new MarkdownIt({ html: true, linkify: false });
  const blocks = new MarkdownBlocks();
  let isFirst = true;
  for await (const piece of cutAtHeadings(readLines(pieces()))) {
    signal.throwIfAborted();
    const firstLine = piece[0]!.number;
    const lines = joinCutLines(piece);
    if (isFirst) {
      for (const part of takeFrontMatter(piece, lines)) {
        // The title that the author gave in so many words goes before the first heading.
        if (part.type === 'metadata' && part.metadata.title) blocks.hasTitle = true;
        yield part;
      }
    }
    isFirst = false;
    yield* blocks.read(markdown.parse(lines.join('\n'), {}), firstLine);
  }
};

/** Front matter gives metadata and stays in the text; its lines are blanked for what follows. */
function* takeFrontMatter(piece: Line[], lines: string[]): Iterable<Part> {
  const count = frontMatterLines(lines.slice(0, MAX_FRONT_MATTER_LINES));
  if (count === 0) return;
  yield { type: 'metadata', metadata: readFrontMatter(lines.slice(1, count - 1)) };
  const inside = piece.filter((line) => line.number > 1 && line.number < count && line.text.trim() !== '');
  if (inside.length > 0) yield { type: 'block', block: blockOfLines('margin', inside) };
  lines.fill('', 0, count);
}

/** One string for each source line. */
function joinCutLines(piece: Line[]): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of piece) {
    if (isOpen) lines[lines.length - 1] += line.text;
    else lines.push(line.text);
    isOpen = line.isCut;
  }
  return lines;
}

/** Pieces of a bounded length that begin at a heading outside a fence, or where none comes, after a blank line. */
async function* cutAtHeadings(batches: AsyncIterable<Line[]>): AsyncIterable<Line[]> {
  let piece: Line[] = [];
  let length = 0;
  let fence: string | undefined;
  let wasBlank = false;
  for await (const batch of batches) {
    for (const line of batch) {
      const isHeading = fence === undefined && /^#{1,6}\s/.test(line.text);
      const mayCut = isHeading || (wasBlank && length > limits.markdownPieceLength * 2);
      const mustCut = length > limits.markdownPieceLength * 4;
      if (
        piece.length > 0 &&
        !piece.at(-1)!.isCut &&
        ((length > limits.markdownPieceLength && mayCut) || mustCut)
      ) {
        yield piece;
        piece = [];
        length = 0;
        if (!isHeading) fence = undefined;
      }
      const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line.text)?.[1];
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      piece.push(line);
      length += line.text.length + 1;
      wasBlank = line.text.trim() === '';
    }
  }
  if (piece.length > 0) yield piece;
}
