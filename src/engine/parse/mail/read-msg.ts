/** What does a message say that Outlook saved (.msg)? */
import iconv from 'iconv-lite';
import { mail as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { parseRtf } from '../flow/parse-rtf.ts';
import { type Mail, type MailAttachment, personInWords } from './mail-page.ts';
import { MemberNames } from './member-names.ts';

/** Fields that are used of the reader's. */
interface Fields {
  error?: string;
  subject?: string;
  senderName?: string;
  senderEmail?: string;
  senderSmtpAddress?: string;
  sentRepresentingSmtpAddress?: string;
  body?: string;
  bodyHtml?: string;
  html?: Uint8Array;
  compressedRtf?: Uint8Array;
  internetCodepage?: number;
  messageCodepage?: number;
  messageLocaleId?: number;
  messageDeliveryTime?: string;
  clientSubmitTime?: string;
  creationTime?: string;
  messageClass?: string;
  recipients?: { name?: string; email?: string; smtpAddress?: string; recipType?: string }[];
  attachments?: {
    attachmentHidden?: boolean;
    contentLength?: number;
    fileName?: string;
    innerMsgContent?: true;
  }[];
}
interface Reader {
  parserConfig?: { ansiEncoding?: string };
  getFileData(): Fields;
  getAttachment(at: number): { fileName: string; content: Uint8Array };
}

/** Throws ParseFailure damaged. */
export async function readMsg(bytes: Buffer, file: SourceFile, signal: AbortSignal): Promise<Mail> {
  const { default: package_ } = await import('@kenjiuno/msgreader');
  const MsgReader = ('default' in package_ ? package_.default : package_) as new (bytes: DataView) => Reader;
  const open = (ansiEncoding?: string): { reader: Reader; fields: Fields } => {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    if (ansiEncoding !== undefined) reader.parserConfig = { ansiEncoding };
    return { reader, fields: reader.getFileData() };
  };
  try {
    let { reader, fields } = open();
    const page = ansiPage(fields);
    if (page !== undefined) ({ reader, fields } = open(page));
    if (fields.error !== undefined) throw new Error(fields.error);
    return await toMail(reader, fields, file, signal);
  } catch (cause) {
    if (cause instanceof ParseFailure || signal.aborted) throw cause;
    throw new ParseFailure(
      'damaged',
      `The mail could not be read: ${file.name}: it is broken; save it again.`,
      {
        cause,
      },
    );
  }
}

/** Code page of texts that are not Unicode. */
function ansiPage({ messageCodepage, internetCodepage, messageLocaleId }: Fields): string | undefined {
  const ofLocale = messageLocaleId === undefined ? undefined : pagesOfLanguages.get(messageLocaleId & 0x3ff);
  const pages = [messageCodepage, ofLocale, internetCodepage].filter(
    (page) => page !== undefined && page > 0,
  );
  return pages.map((page) => `cp${page}`).find((name) => iconv.encodingExists(name));
}

/** ANSI code pages of Windows by primary language (the low ten bits of a locale), where it is not 1252. */
const pagesOfLanguages = new Map([
  ...[0x19, 0x22, 0x23, 0x02, 0x2f].map((language) => [language, 1251] as const),
  ...[0x15, 0x05, 0x0e, 0x18, 0x1b, 0x24].map((language) => [language, 1250] as const),
  ...([
    [0x08, 1253],
    [0x1f, 1254],
    [0x0d, 1255],
    [0x01, 1256],
    [0x11, 932],
    [0x12, 949],
  ] as const),
]);

async function toMail(reader: Reader, fields: Fields, file: SourceFile, signal: AbortSignal): Promise<Mail> {
  const html = htmlOf(fields);
  const recipients = fields.recipients ?? [];
  const named = (kind: string) =>
    recipients
      .filter(({ recipType }) => (recipType ?? 'to') === kind)
      .map(({ name, smtpAddress, email }) => clean(personInWords(name, smtpAddress ?? email)));
  const address = [fields.senderSmtpAddress, fields.sentRepresentingSmtpAddress, fields.senderEmail].find(
    (one) => one?.includes('@'),
  );
  return {
    subject: clean(fields.subject),
    from: clean(personInWords(fields.senderName, address)),
    to: named('to'),
    cc: named('cc'),
    date: toDate(fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime),
    html,
    text: html === '' ? await textOf(fields, file, signal) : '',
    attachments: attachmentsOf(reader, fields),
    isEncrypted: /smime(?!\.multipartsigned)/i.test(fields.messageClass ?? ''),
  };
}

/** Texts of this format may end in a zero. */
const clean = (text = ''): string =>
  text.replaceAll('\0', ' ').replaceAll(/\s+/gu, ' ').trim().normalize('NFC');

const toDate = (text = ''): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
};

function htmlOf({ html, bodyHtml, internetCodepage }: Fields): string {
  if (html === undefined || html.length === 0) return bodyHtml ?? '';
  const name = `cp${internetCodepage}`;
  const isKnown = internetCodepage !== 65_001 && iconv.encodingExists(name);
  return iconv.decode(Buffer.from(html), isKnown ? name : 'utf-8');
}

async function textOf(
  { body, compressedRtf }: Fields,
  file: SourceFile,
  signal: AbortSignal,
): Promise<string> {
  if (body !== undefined && body.trim() !== '') return body;
  if (compressedRtf === undefined) return '';
  const { decompressRTF } = await import('@kenjiuno/decompressrtf');
  const bytes = Uint8Array.from(decompressRTF([...compressedRtf]));
  const texts: string[] = [];
  try {
    for await (const part of parseRtf({ ...file, bytes, sizeBytes: bytes.length }, signal)) {
      if (part.type === 'block') texts.push(part.block.text);
    }
  } catch (error) {
    // Its head is worth reading whatever became of its body.
    if (!(error instanceof ParseFailure)) throw error;
  }
  return texts.join('\n');
}

function attachmentsOf(reader: Reader, { attachments = [] }: Fields): MailAttachment[] {
  const names = new MemberNames();
  return attachments.slice(0, limits.maxAttachments).flatMap((one, at) => {
    // Hidden ones are pictures of the page.
    if (one.attachmentHidden) return [];
    const { fileName, content } = reader.getAttachment(at);
    const wanted = one.innerMsgContent && !/\.msg$/i.test(fileName) ? `${fileName}.msg` : fileName;
    const name = names.give(wanted ?? '', `attachment ${at + 1}`);
    return [{ name, sizeBytes: content.length, content: () => content }];
  });
}
