/** Which page shows a document that holds others? Its own text, and a way to each of them. */
import type { DocumentKind } from '../../../api/types.ts';
import { archives as limits } from '../../config.ts';
import type { Block, SourceFile } from '../../document.ts';
import { escapeHtml } from '../flow/flow-page.ts';
import { parseAs } from '../parse-document.ts';

const style = `body{max-width:52em;margin:20px auto;padding:0 24px;font:15px/1.5 system-ui,sans-serif}
ul{list-style:none;margin:0;padding:0}li{border-bottom:1px solid #e4dfd4;padding:5px 4px}
[data-member]{cursor:pointer;color:#1f5f8b}[data-member]:hover,[data-member]:focus{text-decoration:underline}
.date{float:right;color:#77705f;font-variant-numeric:tabular-nums}`;

/** HTML with `data-block` identifiers, and `data-member` with the name of each document inside. Throws ParseFailure as the parser does. */
export async function viewMembers(
  kind: DocumentKind,
  file: SourceFile,
  signal: AbortSignal,
): Promise<string> {
  const lines: string[] = [];
  let count = 0;
  let own: Block | undefined;
  for await (const part of parseAs(kind, file, signal)) {
    if (part.type === 'block') {
      if (own) lines.push(`<li>${drawOwn(own)}</li>`);
      own = part.block;
    }
    if (part.type !== 'member') continue;
    count += 1;
    if (count > limits.maxShown) break;
    // The line before a member is its name in the document's own text.
    lines.push(drawMember(part.member, own));
    own = undefined;
  }
  if (own) lines.push(`<li>${drawOwn(own)}</li>`);
  if (count > limits.maxShown) lines.push('<li>…</li>');
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body><ul>${lines.join('\n')}</ul></body></html>`;
}

function drawMember(
  { name, modifiedAtMs }: { name: string; modifiedAtMs?: number },
  own: Block | undefined,
): string {
  const day = modifiedAtMs === undefined ? '' : new Date(modifiedAtMs).toISOString().slice(0, 10);
  const date = day === '' ? '' : `<span class="date">${day}</span>`;
  const shown = own ? drawOwn(own) : escapeHtml(name);
  return `<li>${date}<span role="link" tabindex="0" data-member="${escapeHtml(name)}">${shown}</span></li>`;
}

function drawOwn({ text, spans }: Block): string {
  return spans
    .map(({ start, end, anchor }) => {
      const id = anchor.kind === 'element' ? ` data-block="${escapeHtml(anchor.path)}"` : '';
      return `<span${id}>${escapeHtml(text.slice(start, end))}</span>`;
    })
    .join(' ');
}
