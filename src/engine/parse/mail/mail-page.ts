/** How does a mail read as one page: its head, its words? */
import { escapeHtml } from '../flow/flow-page.ts';

/** What all formats of mail hold. */
export interface Mail {
  subject: string;
  /** Each as "Name <address>", or what of it is known. */
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  /** ISO 8601 in the zone of its writer, see mail-date; as written, where it is no date. */
  date: string;
  /** The body as HTML, where there is one, else as text. */
  html: string;
  text: string;
  attachments: MailAttachment[];
  /** Pictures that the HTML shows, by the identifier that it has for them. */
  pictures: ReadonlyMap<string, Picture>;
  /** The body, or a part of it, is under a key that is not here. */
  isEncrypted: boolean;
}

export interface MailAttachment {
  name: string;
  sizeBytes: number;
  content(): Uint8Array;
}

export interface Picture {
  /** Media type, such as image/png. */
  type: string;
  bytes: Uint8Array;
}

/**
 * HTML for the reader of pages; parser and view make it alike, so places in it are the same. The head comes first: nothing in the
 * body can end it or stand before it.
 */
export function mailPage(mail: Mail): string {
  const line = (label: string, value: string) =>
    value === '' ? '' : `<p class="${label.toLowerCase()}"><b>${label}:</b> ${escapeHtml(value)}</p>`;
  const head = [
    line('From', mail.from),
    line('To', mail.to.join(', ')),
    line('Cc', mail.cc.join(', ')),
    line('Bcc', mail.bcc.join(', ')),
    line('Date', dateInWords(mail.date)),
    line('Subject', mail.subject),
    ...mail.attachments.map(({ name, sizeBytes }) =>
      line('Attachment', `${name} (${sizeInWords(sizeBytes)})`),
    ),
  ].join('');
  const title = mail.subject === '' ? '' : `<title>${escapeHtml(mail.subject)}</title>`;
  const [shape, body] = mail.html === '' ? ['words', paragraphs(mail.text)] : ['page', mail.html];
  return `<!doctype html><html><head><meta charset="utf-8">${title}</head><body><header>${head}</header><div class="${shape}">${body}</div></body></html>`;
}

/** Makes the lines of what is attached lead to it: `data-member`. @param view what the reader of pages made of the mail's page */
export function linkAttachments(view: string, { attachments }: Mail): string {
  // What the writer wrote may have put anything into the body's attributes, but no quotes.
  const start = /<body(?: [^"]*"[^"]*")*>/.exec(view);
  const end = start ? view.indexOf('</header>', start.index + start[0].length) : -1;
  if (!start || end < 0) return view;
  const at = start.index + start[0].length;
  const lines = view.slice(at, end).split('<p ');
  const first = lines.length - attachments.length;
  const linked = lines.map((line, index) => {
    const attachment = attachments[index - first];
    return attachment
      ? `role="link" tabindex="0" data-member="${escapeHtml(attachment.name)}" ${line}`
      : line;
  });
  return view.slice(0, at) + linked.join('<p ') + view.slice(end);
}

/** "2024-03-12 10:00 +03:00" */
function dateInWords(date: string): string {
  const said = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*?(Z|[+-]\d\d:\d\d)$/.exec(date);
  return said ? `${said[1]} ${said[2]} ${said[3] === 'Z' ? 'UTC' : said[3]}` : date;
}

function sizeInWords(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function paragraphs(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((one) => one.replaceAll(/^\n+|\s+$/g, ''))
    .filter((one) => one !== '')
    .map((one) => `<p>${escapeHtml(one).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

/** "Name <address>" from the parts that are known. */
export function personInWords(name = '', address = ''): string {
  const [said, at] = [name.trim(), address.trim()];
  if (said === '' || said === at) return at;
  return at === '' ? said : `${said} <${at}>`;
}
