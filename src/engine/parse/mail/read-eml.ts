/** What does a message say, as it travels: headers and MIME parts? Read by postal-mime, after RFC 5322 and 2045. */
import PostalMime, {
  type Address,
  type Attachment,
  addressParser,
  decodeWords,
  type Email,
} from 'postal-mime';
import { mail as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { readDate } from './mail-date.ts';
import { type Mail, type MailAttachment, type Picture, personInWords } from './mail-page.ts';
import { MemberNames } from './member-names.ts';
import { lettersOfHead, mendLetters } from './mend-letters.ts';
import { withoutArmour } from './pgp-armour.ts';
import { readTnef } from './read-tnef.ts';
import { readRtfBody } from './rtf-body.ts';
import { signedContent } from './signed-content.ts';

/** Throws ParseFailure damaged. */
export async function readEml(bytes: Buffer, file: SourceFile, signal: AbortSignal): Promise<Mail> {
  const { email, attachments, isEncrypted } = await unwrap(await parse(messageIn(bytes), file), file, signal);
  const html = hasWords(email.html) ? email.html! : '';
  const body = withoutArmour(email.text ?? '');
  const shown = new Set(html.matchAll(/cid:([^"'\s>)]+)/gi).map((one) => one[1]!));
  return {
    subject: oneLine(email.subject),
    from: people(email.from ?? email.sender)[0] ?? '',
    to: (email.to ?? []).flatMap(people),
    cc: (email.cc ?? []).flatMap(people),
    bcc: (email.bcc ?? []).flatMap(people),
    date: readDate(email.headers.find(({ key }) => key === 'date')?.value ?? ''),
    html,
    text: body.text,
    attachments: toAttachments(attachments.filter((one) => isOwnDocument(one, shown))),
    pictures: picturesOf(attachments),
    isEncrypted: isEncrypted || body.isEncrypted,
  };
}

async function parse(bytes: Buffer, file: SourceFile): Promise<Email> {
  try {
    return await PostalMime.parse(mendLetters(bytes), {
      forceRfc822Attachments: true,
      maxNestingDepth: limits.maxDepth,
      maxHeadersSize: limits.maxHeaderBytes,
    });
  } catch (cause) {
    const why = (cause as Error).message;
    throw new ParseFailure('damaged', `The mail could not be read: ${file.name}: ${why}; save it again.`, {
      cause,
    });
  }
}

/** Without what programs put around a message: the line of a mailbox, and the length and the property list of Apple's Mail. */
function messageIn(bytes: Buffer): Buffer {
  const start = bytes.toString('latin1', 0, limits.markBytes);
  const mark = /^>?From [^\n]*\n/.exec(start);
  if (mark) return bytes.subarray(mark[0].length);
  const length = /^\s*(\d{1,9})\s*\n(?=[\w-]+:)/.exec(start);
  return length ? bytes.subarray(length[0].length, length[0].length + Number(length[1])) : bytes;
}

interface Unwrapped {
  email: Email;
  attachments: Attachment[];
  isEncrypted: boolean;
}

/** A message without the containers that programs put into it: a signed whole, Outlook's winmail.dat, what is encrypted. */
async function unwrap(email: Email, file: SourceFile, signal: AbortSignal, depth = 0): Promise<Unwrapped> {
  const found: Unwrapped = { email, attachments: [], isEncrypted: false };
  for (const one of email.attachments) {
    if (/pgp-encrypted/.test(one.mimeType)) found.isEncrypted = true;
    else if (/pkcs7-mime/.test(one.mimeType)) await takeSigned(found, one, file, signal, depth);
    else if (/ms-tnef/.test(one.mimeType) || one.filename?.toLowerCase() === 'winmail.dat')
      await takeTnef(found, one, file, signal);
    else found.attachments.push(one);
  }
  // The second part of what PGP encrypted is the secret.
  const isPgp = email.attachments.some(({ mimeType }) => /pgp-encrypted/.test(mimeType));
  const open = found.attachments.filter(
    ({ filename }) => !isPgp || !/\.(?:asc|pgp|gpg)$/i.test(filename ?? ''),
  );
  return { ...found, attachments: open.slice(0, limits.maxAttachments) };
}

async function takeSigned(
  found: Unwrapped,
  one: Attachment,
  file: SourceFile,
  signal: AbortSignal,
  depth: number,
): Promise<void> {
  const signed = depth < limits.maxSignatures ? signedContent(bytesOf(one)) : undefined;
  if (!signed) {
    found.isEncrypted = true;
    return;
  }
  const inner = await unwrap(await parse(Buffer.from(signed), file), file, signal, depth + 1);
  found.attachments.push(...inner.attachments);
  found.isEncrypted ||= inner.isEncrypted;
  found.email = withBody(found.email, inner.email.html ?? '', inner.email.text ?? '');
}

async function takeTnef(
  found: Unwrapped,
  one: Attachment,
  file: SourceFile,
  signal: AbortSignal,
): Promise<void> {
  const { files, html = '', text = '', rtf } = readTnef(bytesOf(one));
  const hasBody = hasWords(found.email.html) || (found.email.text ?? '').trim() !== '';
  const rich = !hasBody && html === '' && rtf ? await readRtfBody(rtf, file, signal) : undefined;
  if (!hasBody) found.email = withBody(found.email, html || (rich?.html ?? ''), text || (rich?.text ?? ''));
  const isKnown = files.length > 0 || html !== '' || text !== '' || rtf !== undefined;
  found.attachments.push(...(isKnown ? files.map(fromTnef) : [one]));
}

function withBody(email: Email, html: string, text: string): Email {
  return { ...email, ...(html === '' ? {} : { html }), ...(text === '' ? {} : { text }) };
}

function fromTnef({ name, bytes }: { name: string; bytes: Uint8Array }): Attachment {
  return {
    filename: name,
    mimeType: 'application/octet-stream',
    disposition: 'attachment',
    content: new Uint8Array(bytes).buffer,
  };
}

const oneLine = (text = ''): string => text.replaceAll(/\s+/gu, ' ').trim().normalize('NFC');

/** True where a page says anything outside of its tags, styles and scripts. One pass: tags that never end must not cost more. */
function hasWords(html = ''): boolean {
  const lower = html.toLowerCase();
  for (let at = 0; at >= 0 && at < html.length; ) {
    const tag = lower.indexOf('<', at);
    if (/[\p{L}\p{N}]/u.test(html.slice(at, tag < 0 ? html.length : tag))) return true;
    if (tag < 0) return false;
    const silent = /^<(?:style|script)\b/.exec(lower.slice(tag, tag + 8))?.[0].slice(1);
    const close = silent ? lower.indexOf(`</${silent}`, tag) : tag;
    const end = close < 0 ? -1 : lower.indexOf('>', close);
    at = end < 0 ? -1 : end + 1;
  }
  return false;
}

function people(address: Address | undefined): string[] {
  if (address === undefined) return [];
  if (address.group) return address.group.map(({ name, address: at }) => oneLine(personInWords(name, at)));
  return [oneLine(personInWords(address.name, address.address))];
}

/** Not signatures, and of the pictures that stand in the page not the nameless and the tiny. @param shown identifiers that the page has for its pictures */
function isOwnDocument(one: Attachment, shown: ReadonlySet<string>): boolean {
  if (/pgp-signature|pkcs7-signature/.test(one.mimeType)) return false;
  const id = idOf(one);
  const isShown = one.mimeType.startsWith('image/') && shown.has(id);
  if (isShown && bytesOf(one).length < limits.leastPictureBytes) return false;
  return one.filename !== null || one.mimeType === 'message/rfc822' || one.disposition === 'attachment';
}

const idOf = ({ contentId }: Attachment): string => contentId?.replaceAll(/^<|>$/g, '') ?? '';

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

function picturesOf(attachments: Attachment[]): Map<string, Picture> {
  const pictures = new Map<string, Picture>();
  for (const one of attachments) {
    const id = idOf(one);
    if (id !== '' && one.mimeType.startsWith('image/'))
      pictures.set(id, { type: one.mimeType, bytes: bytesOf(one) });
  }
  return pictures;
}

function toAttachments(all: Attachment[]): MailAttachment[] {
  const names = new MemberNames();
  return all.map((one, at) => {
    const bytes = bytesOf(one);
    const isMail = one.mimeType === 'message/rfc822';
    const wanted = one.filename ?? (isMail ? subjectIn(headOf(bytes)) : '');
    const ended = isMail && !/\.eml$/i.test(wanted) ? `${wanted || `message ${at + 1}`}.eml` : wanted;
    return {
      name: names.give(ended, `attachment ${at + 1}`),
      sizeBytes: bytes.length,
      content: () => bytes,
    };
  });
}

const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, limits.subjectBytes)).toString('latin1');

/** Subject of a message from its beginning, as Latin-1. */
export function subjectIn(beginning: string): string {
  return oneLine(decodeWords(fieldIn(beginning, 'subject')));
}

/** Who wrote a message, by name where there is one, from its beginning, as Latin-1. */
export function senderIn(beginning: string): string {
  const [sender] = people(addressParser(fieldIn(beginning, 'from'))[0]);
  return sender?.replace(/ <[^>]*>$/, '') ?? '';
}

/** When a message was sent, from its beginning, as Latin-1; undefined where it doesn't say. */
export function sentIn(beginning: string): number | undefined {
  const time = Date.parse(fieldIn(beginning, 'date'));
  return Number.isNaN(time) ? undefined : time;
}

/** A field of a message's head, from its beginning, as Latin-1; empty where it is absent. */
export function fieldIn(beginning: string, name: string): string {
  const head = beginning.slice(0, /\r?\n\r?\n/.exec(beginning)?.index);
  const found = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, 'im').exec(head)?.[1] ?? '';
  return lettersOfHead(found.replaceAll(/\r?\n[ \t]+/g, ' ').trim());
}
