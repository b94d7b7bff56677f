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
import { signedContent } from './signed-content.ts';

/** Throws ParseFailure damaged. */
export async function readEml(bytes: Buffer, file: SourceFile): Promise<Mail> {
  const { email, attachments, isEncrypted } = await unwrap(await parse(messageIn(bytes), file), file);
  const html = hasWords(email.html) ? email.html! : '';
  const body = withoutArmour(email.text ?? '');
  return {
    subject: oneLine(email.subject),
    from: people(email.from ?? email.sender)[0] ?? '',
    to: (email.to ?? []).flatMap(people),
    cc: (email.cc ?? []).flatMap(people),
    bcc: (email.bcc ?? []).flatMap(people),
    date: readDate(email.headers.find(({ key }) => key === 'date')?.value ?? ''),
    html,
    text: body.text,
    attachments: toAttachments(attachments.filter((one) => isOwnDocument(one, html))),
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

/** What a message holds besides its text, taken out of the containers that programs put it into: a signed whole, Outlook's winmail.dat. */
async function unwrap(
  outer: Email,
  file: SourceFile,
): Promise<{ email: Email; attachments: Attachment[]; isEncrypted: boolean }> {
  let email = outer;
  let isEncrypted = false;
  const attachments: Attachment[] = [];
  for (const one of outer.attachments) {
    if (/pgp-encrypted/.test(one.mimeType)) isEncrypted = true;
    else if (/pkcs7-mime/.test(one.mimeType)) {
      const signed = signedContent(bytesOf(one));
      if (!signed) {
        isEncrypted = true;
        continue;
      }
      const inner = await parse(Buffer.from(signed), file);
      attachments.push(...inner.attachments);
      email = {
        ...outer,
        ...(inner.html ? { html: inner.html } : {}),
        ...(inner.text ? { text: inner.text } : {}),
      };
    } else if (/ms-tnef/.test(one.mimeType) || one.filename?.toLowerCase() === 'winmail.dat') {
      const { files, html, text } = readTnef(bytesOf(one));
      attachments.push(...(files.length === 0 && !html && !text ? [one] : files.map(fromTnef)));
      if (!email.html && !email.text?.trim())
        email = { ...email, ...(html ? { html } : {}), ...(text ? { text } : {}) };
    } else attachments.push(one);
  }
  // The second part of what PGP encrypted is the secret.
  const isPgp = outer.attachments.some(({ mimeType }) => /pgp-encrypted/.test(mimeType));
  const open = isPgp
    ? attachments.filter(({ filename }) => !/\.(?:asc|pgp|gpg)$/i.test(filename ?? ''))
    : attachments;
  return { email, isEncrypted, attachments: open.slice(0, limits.maxAttachments) };
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

const hasWords = (html = ''): boolean =>
  /[\p{L}\p{N}]/u.test(html.replaceAll(/<(style|script)[\s\S]*?<\/\1>/gi, '').replaceAll(/<[^>]*>/g, ''));

function people(address: Address | undefined): string[] {
  if (address === undefined) return [];
  if (address.group) return address.group.map(({ name, address: at }) => oneLine(personInWords(name, at)));
  return [oneLine(personInWords(address.name, address.address))];
}

/** Not signatures, and of the pictures that stand in the page not the nameless and the tiny. */
function isOwnDocument(one: Attachment, html: string): boolean {
  if (/pgp-signature|pkcs7-signature/.test(one.mimeType)) return false;
  const id = idOf(one);
  const isShown = one.mimeType.startsWith('image/') && id !== '' && html.includes(`cid:${id}`);
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
