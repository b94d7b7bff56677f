/** Which blocks does a mail hold, and what is attached to it? */
import { readFile } from 'node:fs/promises';
import { html as htmlLimits, mail as limits } from '../../config.ts';
import { type DocumentMetadata, ParseFailure, type Parser, type SourceFile } from '../../document.ts';
import { parseHtml } from '../html/parse-html.ts';
import { viewHtml } from '../html/view-html.ts';
import { dayOf } from './mail-date.ts';
import { linkAttachments, type Mail, mailPage } from './mail-page.ts';

/** First bytes of the container in which Outlook keeps a message. */
const CONTAINER = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Attachments are members. Throws ParseFailure: too-large, encrypted, damaged. */
export const parseMail: Parser = async function* (file, signal) {
  const mail = await readMail(file, signal);
  yield { type: 'metadata', metadata: metadataOf(mail) };
  const isUnreadable = mail.isEncrypted && mail.html === '' && mail.text.trim() === '';
  if (mail.isEncrypted) {
    const message = `${file.name}: the mail is encrypted: only its head was read; save it decrypted.`;
    if (isUnreadable && mail.attachments.length === 0 && mail.subject === '')
      throw new ParseFailure('encrypted', `The mail could not be opened: ${message}`);
    yield { type: 'warning', warning: { code: 'encrypted', message } };
  }
  for await (const part of parseHtml(pageOf(mail, file), signal)) if (part.type !== 'metadata') yield part;
  for (const { name, content } of mail.attachments) {
    yield {
      type: 'member',
      member: {
        name,
        async *content() {
          yield content();
        },
      },
    };
  }
};

/** The same page, safe to be shown, with its own pictures; what is attached leads to its document. */
export async function viewMail(file: SourceFile, signal: AbortSignal): Promise<string> {
  const mail = await readMail(file, signal);
  const view = await viewHtml(pageOf({ ...mail, html: withPictures(mail) }, file), signal);
  return linkAttachments(view, mail);
}

/** A picture's address changes nothing about the places in the page. */
function withPictures({ html, pictures }: Mail): string {
  if (pictures.size === 0) return html;
  let left = Math.min(limits.maxPictureBytes, htmlLimits.maxBytes - Buffer.byteLength(html));
  return html.replaceAll(/(?<=\ssrc\s*=\s*["']?)cid:([^"'\s>]+)/gi, (address, id: string) => {
    const picture = pictures.get(id) ?? pictures.get(decodeId(id));
    const length = picture ? Math.ceil(picture.bytes.length / 3) * 4 : 0;
    if (!picture || length > left) return address;
    left -= length;
    return `data:${picture.type};base64,${Buffer.from(picture.bytes).toString('base64')}`;
  });
}

/** Addresses are written with the escapes of addresses. */
function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

async function readMail(file: SourceFile, signal: AbortSignal): Promise<Mail> {
  if (file.sizeBytes > limits.maxBytes) {
    const most = Math.round(limits.maxBytes / 1024 ** 2);
    throw new ParseFailure(
      'too-large',
      `The mail was not read: ${file.name}: a mail may have ${most} MB at most; save what is attached apart.`,
    );
  }
  const bytes = file.bytes ? Buffer.from(file.bytes) : await readFile(file.path);
  return bytes.subarray(0, CONTAINER.length).equals(CONTAINER)
    ? (await import('./read-msg.ts')).readMsg(bytes, file, signal)
    : (await import('./read-eml.ts')).readEml(bytes, file, signal);
}

function pageOf(mail: Mail, file: SourceFile): SourceFile {
  const bytes = Buffer.from(mailPage(mail), 'utf8');
  return { path: file.path, name: file.name, sizeBytes: bytes.length, bytes };
}

function metadataOf({ subject, from, date }: Mail): DocumentMetadata {
  const day = dayOf(date);
  return {
    kind: 'mail',
    ...(subject === '' ? {} : { title: subject }),
    ...(from === '' ? {} : { author: from.replace(/\s*<[^>]*>$/, '') }),
    ...(day === undefined ? {} : { date: day }),
  };
}
