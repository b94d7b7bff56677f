/** Which blocks does a page of HTML hold, and in which of its elements do they stand? */
import { text as limits } from '../../config.ts';
import {
  type Block,
  type BlockKind,
  type Cell,
  ParseFailure,
  type Parser,
  type Part,
  type Span,
} from '../../document.ts';
import { type Element, isElement, isText, type Node, type TextNode } from './clean-tree.ts';
import { blockElements, marginElements } from './elements.ts';
import { InlineText } from './inline-text.ts';
import { type NumberedBlocks, numberBlocks } from './number-blocks.ts';
import { readHtml } from './read-html.ts';
import { isLayout, readTable, type TableCell } from './read-table.ts';

/** Reads a page as its reader sees it. Anchors are `data-block` identifiers of the page's view. */
export const parseHtml: Parser = async function* (file, signal) {
  const page = await readHtml(file, signal);
  yield { type: 'metadata', metadata: page.metadata };
  if (page.isCut) {
    const message = `${file.name}: the page is over the limit on size or nesting; its end was left out.`;
    yield { type: 'warning', warning: { code: 'too-large', message } };
  }
  const parts = new PageReader(numberBlocks(page.body)).read(page.body);
  if (!parts.some((part) => part.type === 'block')) {
    throw new ParseFailure(
      'empty',
      `Nothing to read: ${file.name}: the page shows no text without its scripts.`,
    );
  }
  for (const part of parts) {
    signal.throwIfAborted();
    yield part;
  }
};

/** What a block element makes of the text in it. */
interface Context {
  kind: BlockKind;
  level?: number;
  isPreformatted: boolean;
}

class PageReader {
  private readonly numbered: NumberedBlocks;
  private readonly parts: Part[] = [];
  private readonly inline = new InlineText();
  private tables = 0;

  constructor(numbered: NumberedBlocks) {
    this.numbered = numbered;
  }

  read(body: Element): Part[] {
    this.readChildren(body, { kind: 'paragraph', isPreformatted: false });
    return this.parts;
  }

  /** Recursion is bounded: the tree's depth was limited when it was cleaned. */
  private readChildren(element: Element, context: Context): void {
    for (const node of element.childNodes) this.readNode(node, context);
    if (blockElements.has(element.tagName)) this.flush(context);
  }

  private readNode(node: Node, context: Context): void {
    if (isText(node)) this.readText(node, context);
    if (!isElement(node)) return;
    if (node.tagName === 'br') {
      this.inline.breakLine();
      this.flushLong(context);
      return;
    }
    if (!blockElements.has(node.tagName)) {
      this.readChildren(node, context);
      return;
    }
    this.flush(context);
    if (node.tagName === 'table' && context.kind !== 'margin' && !isLayout(node))
      this.readTable(node, context);
    else this.readChildren(node, contextOf(node, context));
  }

  /** Logs in one element have megabytes: they become many blocks. */
  private readText(node: TextNode, context: Context): void {
    const { path, start } = this.numbered.placeOf(node);
    const { value } = node;
    let from = 0;
    while (value.length - from > limits.maxBlockLength) {
      const window = value.slice(from, from + limits.maxBlockLength);
      const feed = window.lastIndexOf('\n') + 1;
      const cut = feed > window.length / 2 ? feed : window.lastIndexOf(' ') + 1 || wholeLength(window);
      this.inline.add(window.slice(0, cut), { path, start: start + from }, context.isPreformatted);
      this.flushLong(context);
      from += cut;
    }
    this.inline.add(
      from === 0 ? value : value.slice(from),
      { path, start: start + from },
      context.isPreformatted,
    );
  }

  private flushLong(context: Context): void {
    if (this.inline.length > limits.maxBlockLength / 2) this.flush(context);
  }

  private flush(context: Context): void {
    if (this.inline.isEmpty) {
      this.inline.take();
      return;
    }
    const { text, spans } = this.inline.take(context.isPreformatted);
    const block: Block = { kind: context.kind, text: `${text}\n`, spans };
    if (context.kind === 'heading') block.level = context.level!;
    this.parts.push({ type: 'block', block });
  }

  private readTable(table: Element, context: Context): void {
    const caption = table.childNodes.find(
      (node): node is Element => isElement(node) && node.tagName === 'caption',
    );
    const first = this.parts.length;
    if (caption) this.readChildren(caption, context);
    const captionPart = this.parts[first];
    const name = captionPart?.type === 'block' ? captionPart.block.text.trim() : '';
    const { rows, headerRows, columns } = readTable(table, this.numbered);
    const number = ++this.tables;
    this.parts.push({
      type: 'table',
      table: { table: number, name, isSheet: false, isHidden: false, columns, merges: [], widths: [] },
    });
    rows.forEach((cells, index) => {
      if (!cells.some((cell) => cell.text !== '')) return;
      this.parts.push({ type: 'block', block: rowBlock(cells, number, index, index < headerRows) });
    });
  }
}

/** Without half a character at its end. */
function wholeLength(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

function contextOf(element: Element, outer: Context): Context {
  const { tagName } = element;
  if (outer.kind === 'margin' || marginElements.has(tagName))
    return { kind: 'margin', isPreformatted: tagName === 'pre' };
  const heading = /^h([1-6])$/.exec(tagName);
  if (heading) return { kind: 'heading', level: Number(heading[1]), isPreformatted: false };
  if (tagName === 'pre') return { kind: 'code', isPreformatted: true };
  if (tagName === 'li' || tagName === 'dd') return { kind: 'list-item', isPreformatted: false };
  if (outer.kind === 'code' || outer.kind === 'list-item') return outer;
  return { kind: 'paragraph', isPreformatted: false };
}

function rowBlock(row: TableCell[], table: number, index: number, isHeader: boolean): Block {
  let text = '';
  const spans: Span[] = [];
  const cells: Cell[] = row.map((cell, column) => {
    if (column > 0) text += '\t';
    const start = text.length;
    // Header names that a column span says again are names only: they stand once on the page.
    const shown = cell.isRepeated && cell.spans.length === 0 ? '' : cell.text;
    text += shown;
    for (const span of cell.spans) {
      spans.push({ start: span.start + start, end: span.end + start, anchor: { ...span.anchor } });
    }
    return { text: shown, start };
  });
  return { kind: 'row', text: `${text}\n`, spans, row: { table, row: index + 1, isHeader, cells } };
}
