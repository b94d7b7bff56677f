/** Which blocks do markdown-it's tokens make? */
import type { Token } from 'markdown-it';
import type { Block, BlockKind, Cell, Part, Span } from '../../document.ts';

/** A run of source lines, 1-based, inclusive. */
interface Lines {
  from: number;
  to: number;
}

/** Turns the tokens of successive pieces of one file into parts. */
export class MarkdownBlocks {
  /** A title is known: the first heading gives none. */
  hasTitle = false;
  private tables = 0;
  private listDepth = 0;

  /** `firstLine` is the source line of the piece's first line. */
  *read(tokens: Token[], firstLine: number): Iterable<Part> {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.type === 'list_item_open') this.listDepth++;
      if (token.type === 'list_item_close') this.listDepth--;
      if (token.type === 'table_open') {
        const end = tokens.findIndex((other, at) => at > i && other.type === 'table_close');
        yield* this.readTable(tokens.slice(i, end), firstLine);
        i = end;
        continue;
      }
      if (token.type === 'heading_open') yield* this.readHeading(token, tokens[i + 1]!, firstLine);
      if (token.type === 'paragraph_open') {
        const kind = this.listDepth > 0 ? 'list-item' : 'paragraph';
        yield* blockParts(kind, inlineText(tokens[i + 1]!), linesOf(token, firstLine));
      }
      if (token.type === 'fence' || token.type === 'code_block') yield* readCode(token, firstLine);
      if (token.type === 'html_block') {
        yield* blockParts(
          'paragraph',
          withoutTags(token.content.replace(/\n$/, '')),
          linesOf(token, firstLine),
        );
      }
    }
  }

  private *readHeading(open: Token, inline: Token, firstLine: number): Iterable<Part> {
    const lines = linesOf(open, firstLine);
    // A heading that is underlined: the line below is markup.
    if (open.markup === '=' || open.markup === '-') lines.to--;
    const text = inlineText(inline);
    const level = Number(open.tag.slice(1));
    if (level === 1 && !this.hasTitle && text.trim() !== '') {
      this.hasTitle = true;
      yield { type: 'metadata', metadata: { title: text.replace(/\s+/g, ' ').trim() } };
    }
    yield* blockParts('heading', text, lines, level);
  }

  private *readTable(tokens: Token[], firstLine: number): Iterable<Part> {
    const rows: { cells: string[]; isHeader: boolean; lines: Lines }[] = [];
    let isHeader = false;
    tokens.forEach((token, i) => {
      if (token.type === 'thead_open') isHeader = true;
      if (token.type === 'tbody_open') isHeader = false;
      if (token.type === 'tr_open') rows.push({ cells: [], isHeader, lines: linesOf(token, firstLine) });
      if (token.type === 'th_open' || token.type === 'td_open') {
        rows.at(-1)!.cells.push(
          inlineText(tokens[i + 1]!)
            .replace(/\s+/g, ' ')
            .trim(),
        );
      }
    });
    const table = ++this.tables;
    const columns = rows[0]?.isHeader ? rows[0].cells : [];
    yield {
      type: 'table',
      table: { table, name: '', isSheet: false, isHidden: false, columns, merges: [], widths: [] },
    };
    for (const [index, row] of rows.entries()) {
      if (row.cells.some((cell) => cell !== ''))
        yield { type: 'block', block: rowBlock(row, table, index + 1) };
    }
  }
}

function rowBlock(
  row: { cells: string[]; isHeader: boolean; lines: Lines },
  table: number,
  number: number,
): Block {
  let start = 0;
  const cells: Cell[] = row.cells.map((text) => {
    const cell = { text, start };
    start += text.length + 1;
    return cell;
  });
  const text = row.cells.join('\t');
  const span: Span = { start: 0, end: text.length, anchor: { kind: 'lines', ...row.lines } };
  return {
    kind: 'row',
    text: `${text}\n`,
    spans: [span],
    row: { table, row: number, isHeader: row.isHeader, cells },
  };
}

function linesOf(token: Token, firstLine: number): Lines {
  const [from, to] = token.map ?? [0, 1];
  return { from: firstLine + from, to: Math.max(firstLine + from, firstLine + to - 1) };
}

/** Text of a run of inline tokens, without markup; a line of text for each source line. */
function inlineText(inline: Token): string {
  let text = '';
  for (const token of inline.children ?? []) {
    if (token.type === 'text' || token.type === 'code_inline' || token.type === 'text_special')
      text += token.content;
    if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n';
    if (token.type === 'image') text += inlineText(token);
    if (token.type === 'html_inline' && /^<br\b/i.test(token.content)) text += ' ';
  }
  return text;
}

function withoutTags(html: string): string {
  // Line feeds inside what is removed stay, so that lines keep their numbers.
  const blank = (removed: string): string => removed.replace(/[^\n]+/g, '');
  return html
    .replace(/<!--[\s\S]*?(-->|$)/g, blank)
    .replace(/<(script|style)\b[\s\S]{0,10000}?<\/\1>/gi, blank)
    .replace(/<\/?[a-z][^<>]*>/gi, blank);
}

/** A block from text whose lines are the source lines; when their numbers disagree, every line stands for all of them. */
function* blockParts(kind: BlockKind, text: string, lines: Lines, level?: number): Iterable<Part> {
  if (text.trim() === '') return;
  const all = text.split('\n');
  const isExact = all.length === lines.to - lines.from + 1;
  const first = all.findIndex((row) => row.trim() !== '');
  const rows = all.slice(first, all.findLastIndex((row) => row.trim() !== '') + 1);
  const firstLine = lines.from + first;
  const spans: Span[] = [];
  let start = 0;
  rows.forEach((row, i) => {
    const anchor = isExact ? { from: firstLine + i, to: firstLine + i } : lines;
    if (row.trim() !== '')
      spans.push({ start, end: start + row.length, anchor: { kind: 'lines', ...anchor } });
    start += row.length + 1;
  });
  const block: Block = { kind, text: `${rows.join('\n')}\n`, spans };
  if (level !== undefined) block.level = level;
  yield { type: 'block', block };
}

function* readCode(token: Token, firstLine: number): Iterable<Part> {
  const lines = linesOf(token, firstLine);
  const text = token.content.replace(/\n$/, '');
  const from = token.type === 'fence' ? lines.from + 1 : lines.from;
  yield* blockParts('code', text, { from, to: from + text.split('\n').length - 1 });
}
