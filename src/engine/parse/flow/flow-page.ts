/** Which page shows a document that was read as a flow of blocks? The page's elements carry the identifiers of the blocks' anchors. */
import type { Block, Part, Span } from '../../document.ts';

export interface FlowPageOptions {
  /** HTML that stands before the blocks, such as the head of a mail; made by the caller, who escapes what is not its own. */
  head?: string;
  /** More rules for the page's style. */
  style?: string;
}

const style = `body{max-width:46em;margin:24px auto;padding:0 28px;font:16px/1.55 Georgia,serif}
h1,h2,h3,h4,h5,h6{line-height:1.25}p,li{white-space:pre-line}pre{white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace}
table{border-collapse:collapse;margin:12px 0}td,th{border:1px solid #cfc9bd;padding:4px 9px;text-align:left;vertical-align:top}
.labelled{list-style:none}.again{color:#a39c8d}ul{padding-left:1.6em}
.footnote{font-size:13px;color:#5a554b}.margin{font-size:12px;color:#77705f}`;

/** An item that brings its own number needs no bullet. */
const LABEL = /^\(?(?:\d+(?:\.\d+)*|\p{L}|[ivxlc]+)[.)]/iu;

/** The whole page, as HTML without scripts or anything that would be fetched. */
export async function flowPage(parts: AsyncIterable<Part>, options: FlowPageOptions = {}): Promise<string> {
  const body: string[] = [];
  /** A cell that reaches down says the same in several rows, but stands once. */
  const drawn = new Set<string>();
  let open: { tag: 'ul' | 'table'; table?: number } | undefined;
  const enter = (next: typeof open): void => {
    if (open?.tag === next?.tag && open?.table === next?.table) return;
    if (open) body.push(`</${open.tag}>`);
    if (next) body.push(`<${next.tag}>`);
    open = next;
  };
  for await (const part of parts) {
    if (part.type !== 'block') continue;
    const { block } = part;
    if (block.kind === 'row') enter({ tag: 'table', table: block.row?.table ?? 0 });
    else enter(block.kind === 'list-item' ? { tag: 'ul' } : undefined);
    body.push(drawBlock(block, drawn));
  }
  enter(undefined);
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}${options.style ?? ''}</style></head><body>${options.head ?? ''}${body.join('\n')}</body></html>`;
}

function drawBlock(block: Block, drawn: Set<string>): string {
  if (block.kind === 'row') {
    const tag = block.row?.isHeader ? 'th' : 'td';
    const cells = (block.row?.cells ?? []).map((cell) => {
      const span = block.spans.find((one) => one.start === cell.start && one.end > one.start);
      if (!span || cell.text === '') return `<${tag}></${tag}>`;
      const path = span.anchor.kind === 'element' ? span.anchor.path : '';
      if (drawn.has(path)) return `<${tag} class="again">${escapeHtml(cell.text)}</${tag}>`;
      drawn.add(path);
      return drawSpan(tag, '', block.text, span);
    });
    return `<tr>${cells.join('')}</tr>`;
  }
  const { tag, className } = elementOf(block);
  return block.spans.map((span) => drawSpan(tag, className, block.text, span)).join('');
}

function elementOf({ kind, level, text }: Block): { tag: string; className: string } {
  const isLabelled = kind === 'list-item' && LABEL.test(text);
  switch (kind) {
    case 'title':
      return { tag: 'h1', className: '' };
    case 'heading':
      return { tag: `h${Math.min(6, Math.max(1, level ?? 2))}`, className: '' };
    case 'list-item':
      return { tag: 'li', className: isLabelled ? 'labelled' : '' };
    case 'code':
      return { tag: 'pre', className: '' };
    case 'footnote':
    case 'margin':
      return { tag: 'p', className: kind };
    default:
      return { tag: 'p', className: '' };
  }
}

function drawSpan(tag: string, className: string, text: string, { start, end, anchor }: Span): string {
  const id = anchor.kind === 'element' ? ` data-block="${escapeHtml(anchor.path)}"` : '';
  const inner = escapeHtml(text.slice(start, end));
  // A browser drops the first line feed in a `pre`.
  return `<${tag}${id}${className ? ` class="${className}"` : ''}>${tag === 'pre' ? '\n' : ''}${inner}</${tag}>`;
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
