/** Which block do these source lines make? */
import type { Block, BlockKind, Span } from '../../document.ts';
import type { Line } from './decode-text.ts';

/** A block whose text is the lines themselves, one span for each source line. */
export function blockOfLines(kind: BlockKind, lines: Line[], level?: number): Block {
  let text = '';
  const spans: Span[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (text !== '' && !isOpen) text += '\n';
    const last = spans.at(-1);
    const start = text.length;
    text += line.text;
    if (last?.anchor.kind === 'lines' && last.anchor.from === line.number) last.end = text.length;
    else if (line.text !== '') {
      spans.push({ start, end: text.length, anchor: { kind: 'lines', from: line.number, to: line.number } });
    }
    isOpen = line.isCut;
  }
  const block: Block = { kind, text: `${text}\n`, spans };
  if (level !== undefined) block.level = level;
  return block;
}

/** Nothing but white space. */
export function isBlank(line: Line): boolean {
  return !/\S/.test(line.text);
}
