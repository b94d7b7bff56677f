/** How does a mail read as one page: its head, its words, the names of what is attached? */

/** What all formats of mail hold. */
export interface Mail {
  subject: string;
  /** Each as "Name <address>", or what of it is known. */
  from: string;
  to: string[];
  cc: string[];
  /** As written, where it is no date; else ISO 8601. */
  date: string;
  /** The body as HTML, where there is one, else as text. */
  html: string;
  text: string;
  attachments: MailAttachment[];
  /** The body, or a part of it, is under a key that is not here. */
  isEncrypted: boolean;
}

export interface MailAttachment {
  name: string;
  sizeBytes: number;
  content(): Uint8Array;
}

const plain = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** HTML for the reader of pages; parser and view make it alike, so places in it are the same. */
export function mailPage(mail: Mail): string {
  const line = (label: string, value: string) =>
    value === '' ? '' : `<p><b>${label}:</b> ${plain(value)}</p>`;
  const head = [
    line('From', mail.from),
    line('To', mail.to.join(', ')),
    line('Cc', mail.cc.join(', ')),
    line('Date', dateInWords(mail.date)),
    line('Subject', mail.subject),
  ].join('');
  const names = mail.attachments.map(
    ({ name, sizeBytes }) => `<li>${plain(name)} (${sizeInWords(sizeBytes)})</li>`,
  );
  const attached = names.length === 0 ? '' : `<hr><ul>${names.join('')}</ul>`;
  const title = mail.subject === '' ? '' : `<title>${plain(mail.subject)}</title>`;
  const body = mail.html === '' ? paragraphs(mail.text) : mail.html;
  return `<!doctype html><html><head><meta charset="utf-8">${title}</head><body><div>${head}</div><hr><div>${body}</div>${attached}</body></html>`;
}

/** The hour as it was where the writer sat would need a zone: UTC is said. */
function dateInWords(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : new Date(time).toISOString().replace(/T(\d\d:\d\d).*/, ' $1 UTC');
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
    .map((one) => `<p>${plain(one).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

/** "Name <address>" from the parts that are known. */
export function personInWords(name = '', address = ''): string {
  const [said, at] = [name.trim(), address.trim()];
  if (said === '' || said === at) return at;
  return at === '' ? said : `${said} <${at}>`;
}
