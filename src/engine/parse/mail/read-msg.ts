/** What does a message say that Outlook saved (.msg)? */
import iconv from 'iconv-lite';
import { mail as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { detectEncoding } from '../text/detect-encoding.ts';
import { readDate } from './mail-date.ts';
import { type Mail, type MailAttachment, type Picture, personInWords } from './mail-page.ts';
import { MemberNames } from './member-names.ts';
import { withoutArmour } from './pgp-armour.ts';
import { fieldIn, readEml } from './read-eml.ts';
import { readRtfBody } from './rtf-body.ts';
import { signedContent } from './signed-content.ts';

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
  headers?: string;
  attachments?: Attached[];
}
interface Attached {
  attachmentHidden?: boolean;
  /** Under which the HTML shows it. */
  pidContentId?: string;
  innerMsgContent?: true;
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
  const open = (ansiEncoding: string): { reader: Reader; fields: Fields } => {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    reader.parserConfig = { ansiEncoding };
    return { reader, fields: reader.getFileData() };
  };
  try {
    let { reader, fields } = open('latin1');
    if (fields.error !== undefined) throw new Error(fields.error);
    const page = ansiPage(fields);
    if (page !== undefined) ({ reader, fields } = open(page));
    return await signedInside(await toMail(reader, fields, file, signal), fields, file, signal);
  } catch (cause) {
    if (cause instanceof ParseFailure || signal.aborted) throw cause;
    throw new ParseFailure(
      'damaged',
      `The mail could not be read: ${file.name}: it is broken; save it again.`,
      { cause },
    );
  }
}

/** Code page of texts that are not Unicode; `fields` hold them as Latin-1. What the message says of it is at times not so. */
function ansiPage(fields: Fields): string | undefined {
  const { messageCodepage, internetCodepage, messageLocaleId } = fields;
  const ofLocale = messageLocaleId ? (pagesOfLanguages.get(messageLocaleId & 0x3ff) ?? 1252) : undefined;
  const names = [messageCodepage, ofLocale, internetCodepage]
    .filter((page) => page !== undefined && page > 0)
    .map((page) => `cp${page}`)
    .filter((name) => iconv.encodingExists(name));
  if (new Set(names).size < 2) return names[0];
  const letters = [fields.subject, fields.senderName, fields.body].join('\n');
  const detected = detectEncoding(Buffer.from(letters, 'latin1'))?.encoding.replace('windows-', 'cp');
  return names.find((name) => name === detected) ?? names[0];
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

/** What a signed message says stands in what is attached: as a MIME message, or wrapped into its signature. */
async function signedInside(
  outer: Mail,
  { messageClass }: Fields,
  file: SourceFile,
  signal: AbortSignal,
): Promise<Mail> {
  if (!/smime/i.test(messageClass ?? '')) return outer;
  const bytes = outer.attachments.find(({ name }) => /\.p7m$/i.test(name))?.content();
  const isMime = bytes && /^[\w-]+:/.test(Buffer.from(bytes.subarray(0, 80)).toString('latin1'));
  const signed = isMime ? bytes : bytes && signedContent(bytes);
  if (!signed) return { ...outer, isEncrypted: bytes !== undefined, attachments: [] };
  const { html, text, attachments, pictures, isEncrypted } = await readEml(Buffer.from(signed), file, signal);
  return { ...outer, html, text, attachments, pictures, isEncrypted };
}

async function toMail(reader: Reader, fields: Fields, file: SourceFile, signal: AbortSignal): Promise<Mail> {
  const own = htmlOf(fields);
  const rtf =
    own === '' && fields.compressedRtf ? await readRtfBody(fields.compressedRtf, file, signal) : undefined;
  const html = own || (rtf?.html ?? '');
  const attachments = attachmentsOf(reader, fields);
  const isPgp = attachments.some(({ name }) => /\.pgp-encrypted$/i.test(name));
  const head = (fields.headers ?? '').slice(0, limits.maxHeaderBytes);
  const sent = fieldIn(head, 'date');
  const body = withoutArmour(html === '' ? fields.body?.trim() || (rtf?.text ?? '') : '');
  return {
    subject: clean(fields.subject),
    ...peopleOf(fields),
    date: readDate(
      sent || (fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? ''),
    ),
    html,
    text: body.text,
    pictures: picturesOf(reader, fields),
    // What PGP encrypted stands in two files.
    attachments: isPgp ? [] : attachments,
    isEncrypted: isPgp || body.isEncrypted,
  };
}

function peopleOf(fields: Fields): Pick<Mail, 'from' | 'to' | 'cc' | 'bcc'> {
  const named = (kind: string) =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? 'to') === kind)
      .map(({ name, smtpAddress, email }) => clean(personInWords(name, addressOf(smtpAddress, email))));
  const address = addressOf(fields.senderSmtpAddress, fields.sentRepresentingSmtpAddress, fields.senderEmail);
  return {
    from: clean(personInWords(fields.senderName, address)),
    to: named('to'),
    cc: named('cc'),
    bcc: named('bcc'),
  };
}

/** Exchange has addresses of its own kind, which nobody writes to. */
const addressOf = (...all: (string | undefined)[]): string | undefined =>
  all.find((one) => one?.includes('@'));

/** Texts of this format may end in a zero. */
const clean = (text = ''): string =>
  text.replaceAll('\0', ' ').replaceAll(/\s+/gu, ' ').trim().normalize('NFC');

function htmlOf({ html, bodyHtml, internetCodepage }: Fields): string {
  if (html === undefined || html.length === 0) return bodyHtml ?? '';
  const name = `cp${internetCodepage}`;
  const isKnown = internetCodepage !== 65_001 && iconv.encodingExists(name);
  return iconv.decode(Buffer.from(html), isKnown ? name : 'utf-8');
}

function attachmentsOf(reader: Reader, { attachments = [] }: Fields): MailAttachment[] {
  const names = new MemberNames();
  return attachments.slice(0, limits.maxAttachments).flatMap((one, at) => {
    const { fileName, content } = reader.getAttachment(at);
    if (isDecoration(one, content)) return [];
    const wanted = one.innerMsgContent && !/\.msg$/i.test(fileName) ? `${fileName}.msg` : fileName;
    const name = names.give(wanted ?? '', `attachment ${at + 1}`);
    return [{ name, sizeBytes: content.length, content: () => content }];
  });
}

/** A picture of the page that is a mark or a line. */
function isDecoration({ attachmentHidden, pidContentId }: Attached, content: Uint8Array): boolean {
  const isShown = attachmentHidden === true || (pidContentId !== undefined && pidContentId !== '');
  return isShown && content.length < limits.leastPictureBytes;
}

function picturesOf(reader: Reader, { attachments = [] }: Fields): Map<string, Picture> {
  const pictures = new Map<string, Picture>();
  for (const [at, { pidContentId, innerMsgContent }] of attachments.entries()) {
    if (!pidContentId || innerMsgContent) continue;
    const { fileName, content } = reader.getAttachment(at);
    const type = /\.(png|jpe?g|gif|webp|bmp)$/i
      .exec(fileName ?? '')?.[1]
      ?.toLowerCase()
      .replace('jpg', 'jpeg');
    if (type) pictures.set(pidContentId, { type: `image/${type}`, bytes: content });
  }
  return pictures;
}
