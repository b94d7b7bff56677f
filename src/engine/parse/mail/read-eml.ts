/** What does a message say, as it travels: headers and MIME parts? Read by postal-mime, after RFC 5322 and 2045. */
import iconv from 'iconv-lite';
import PostalMime, { type Address, type Attachment, decodeWords, type Email } from 'postal-mime';
import { mail as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { toIconvName } from '../text/code-pages.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import { type Mail, type MailAttachment, personInWords } from './mail-page.ts';
import { MemberNames } from './member-names.ts';

/** Throws ParseFailure damaged. */
export async function readEml(bytes: Buffer, file: SourceFile): Promise<Mail> {
  let email: Email;
  try {
    email = await PostalMime.parse(inUtf8(bytes), {
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
  const types = email.attachments.map(({ mimeType }) => mimeType);
  const named = email.attachments.filter((one) => isOwnDocument(one, email.html ?? ''));
  return {
    subject: oneLine(email.subject),
    from: people(email.from ?? email.sender)[0] ?? '',
    to: (email.to ?? []).flatMap(people),
    cc: (email.cc ?? []).flatMap(people),
    date: oneLine(email.date),
    html: hasWords(email.html) ? email.html! : '',
    text: email.text ?? '',
    attachments: toAttachments(named.slice(0, limits.maxAttachments)),
    isEncrypted: types.some((type) => /pgp-encrypted|pkcs7-mime/.test(type)),
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

/** Not pictures that stand in the page, signatures and the wrapping of what is encrypted. */
function isOwnDocument(one: Attachment, html: string): boolean {
  if (/pgp-(signature|encrypted)|pkcs7-(signature|mime)/.test(one.mimeType)) return false;
  const id = one.contentId?.replace(/^<|>$/g, '');
  if (one.related || (id && html.includes(`cid:${id}`))) return false;
  return one.filename !== null || one.mimeType === 'message/rfc822' || one.disposition === 'attachment';
}

function toAttachments(all: Attachment[]): MailAttachment[] {
  const names = new MemberNames();
  return all.map(({ filename, mimeType, content }, at) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
    const isMail = mimeType === 'message/rfc822';
    const wanted = filename ?? (isMail ? subjectOf(bytes) : '');
    const ended = isMail && !/\.eml$/i.test(wanted) ? `${wanted || `message ${at + 1}`}.eml` : wanted;
    return {
      name: names.give(ended, `attachment ${at + 1}`),
      sizeBytes: bytes.length,
      content: () => bytes,
    };
  });
}

function subjectOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, limits.subjectBytes)).toString('latin1');
  return subjectIn(head);
}

/** Subject of a message from its beginning, as Latin-1. */
export function subjectIn(head: string): string {
  const end = /\r?\n\r?\n/.exec(head)?.index ?? head.length;
  const found = /^subject:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(head.slice(0, end))?.[1] ?? '';
  const raw = Buffer.from(found.replaceAll(/\r?\n[ \t]+/g, ' '), 'latin1');
  return oneLine(decodeWords(decode(raw, '')));
}

function decode(bytes: Buffer, declared: string): string {
  const name = toIconvName(declared.trim().toLowerCase());
  const known = name !== '' && iconv.encodingExists(name) ? name : undefined;
  return iconv.decode(bytes, known ?? toIconvName(detectEncoding(bytes)?.encoding ?? 'windows-1252'));
}

/**
 * The library takes what is declared nowhere for UTF-8. Old programs wrote headers, and whole messages, in the code page of their
 * machine: what is not UTF-8 is brought into it, by the declared encoding, else by the look of its letters.
 */
function inUtf8(bytes: Buffer): Buffer {
  // A message that is itself in UTF-16 was saved by an editor.
  const whole = detectEncoding(bytes.subarray(0, limits.subjectBytes))?.encoding ?? '';
  if (/^utf-(16|32)/.test(whole)) return Buffer.from(iconv.decode(bytes, toIconvName(whole)), 'utf8');
  const at = endOfHead(bytes);
  const [head, body] = [bytes.subarray(0, at), bytes.subarray(at)];
  const charset = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*?charset\s*=\s*"?([\w.:-]+)/im.exec(
    head.toString('latin1'),
  )?.[1];
  const declaresNowhere = !/charset\s*=/i.test(bytes.toString('latin1', 0, limits.charsetBytes));
  return Buffer.concat([
    isUtf8(head) ? head : Buffer.from(decode(head, charset ?? ''), 'utf8'),
    !declaresNowhere || isUtf8(body) ? body : Buffer.from(decode(body, ''), 'utf8'),
  ]);
}

function endOfHead(bytes: Buffer): number {
  const found = /\r?\n\r?\n/.exec(bytes.toString('latin1', 0, limits.maxHeaderBytes));
  return found ? found.index + found[0].length : Math.min(bytes.length, limits.maxHeaderBytes);
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
