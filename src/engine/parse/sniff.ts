/** What do the first bytes of a file say that it is? */
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { open as openZip, type ZipFile } from 'yauzl';
import type { DocumentKind } from '../../api/types.ts';
import { ParseFailure, type SourceFile } from '../document.ts';
import { archiveFormatOf } from './archive/archive-format.ts';
import { isProse, vocabularyOf } from './flow/xml/vocabularies.ts';
import { extensionOf } from './kinds.ts';
import { detectEncoding } from './text/detect-encoding.ts';

/** kind: certain. format: a name for what no parser reads. Neither: text, to be read by its name. */
export interface Sniffed {
  kind?: DocumentKind;
  format?: string;
  /** Text that begins as a page of HTML does. */
  looksLikeHtml?: boolean;
}

/** Entries of an archive that are looked at before it counts as a plain one. */
const MAX_ENTRIES = 2_000;

/** Pictures that Leptonica unpacks. */
const pictures = new Set(
  ['png', 'apng', 'jpeg', 'webp', 'tiff', 'bmp', 'gif'].map((type) => `image/${type}`),
);

const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean =>
  mark.every((byte, i) => bytes[i] === byte);

/** Excel 2 to 4 wrote their records without a container: the first says that a sheet begins, its length and its version. */
const isBareSheet = (head: Uint8Array): boolean =>
  head[0] === 9 && [0, 2, 4].includes(head[1] ?? -1) && [4, 6].includes(head[2] ?? -1) && head[3] === 0;

/** Looks at the head of a file, and for containers at their list of entries. */
export async function sniff(head: Uint8Array, file: SourceFile): Promise<Sniffed> {
  const latin = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  // Before PDF: an archive may hold one unpacked near its beginning.
  if (startsWith(head, 0x50, 0x4b, 3, 4) || startsWith(head, 0x50, 0x4b, 5, 6)) return sniffZip(file, latin);
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) return sniffOle(head, file);
  if (archiveFormatOf(head)) return { kind: 'archive' };
  if (isPdf(head, latin, file)) return { kind: 'pdf' };
  if (latin.startsWith('{\\rtf')) return { kind: 'rtf' };
  if (latin.startsWith('SQLite format 3\0') || latin.startsWith('PAR1')) return { kind: 'database' };
  if (isBareSheet(head)) return { kind: 'xls' };
  if (latin.startsWith('%!PS')) return { format: 'PostScript' };
  if (hasPictureMark(head, latin)) return sniffPicture(head);
  const extension = extensionOf(file.name);
  const flowing = flowingText(latin, extension);
  if (flowing) return { kind: flowing };
  const mail = mailKind(latin, extension);
  if (mail) return { kind: mail };
  // Text first: marks of two letters, such as those of bitmaps and programs, also begin words.
  const encoding = detectEncoding(head)?.encoding;
  if (encoding?.startsWith('utf-')) return { looksLikeHtml: looksLikeHtml(latin) };
  const binary = await fileTypeFromBuffer(head);
  if (binary && pictures.has(binary.mime)) return { kind: 'image' };
  if (binary && !/^text\/|xml/.test(binary.mime)) return { format: `content of type ${binary.mime}` };
  if (!encoding) return notText(file, extension);
  return { looksLikeHtml: looksLikeHtml(latin) };
}

/** Marks that begin no text; a bitmap's two letters do. */
function hasPictureMark(head: Uint8Array, latin: string): boolean {
  if (startsWith(head, 0x89, 0x50, 0x4e, 0x47) || startsWith(head, 0xff, 0xd8, 0xff)) return true;
  return /^(?:II\*\0|MM\0\*|GIF8[79]a|RIFF[\s\S]{4}WEBP)/.test(latin);
}

/** Raw photographs of cameras have the mark of a TIFF and are none that can be read. */
async function sniffPicture(head: Uint8Array): Promise<Sniffed> {
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime === undefined || pictures.has(mime)) return { kind: 'image' };
  return { format: `content of type ${mime}` };
}

/** The mark may stand behind junk in the first 1,024 bytes; a text that only speaks of it is no PDF. */
function isPdf(head: Uint8Array, latin: string, file: SourceFile): boolean {
  const at = latin.slice(0, 1024).indexOf('%PDF-');
  if (at < 0) return false;
  const isFirst = /^(ï»¿)?\s*$/.test(latin.slice(0, at));
  return isFirst || extensionOf(file.name) === 'pdf' || detectEncoding(head)?.encoding !== 'utf-8';
}

function notText(file: SourceFile, extension: string): Sniffed {
  if (/^(pdf|docx|xlsx|pptx|odp)$/.test(extension)) {
    throw new ParseFailure(
      'damaged',
      `The file could not be read: ${file.name}: its content is no ${extension.toUpperCase()}; get an intact copy.`,
    );
  }
  return { format: 'binary content' };
}

/** Text whose first lines say how it is read, whatever its name. */
function flowingText(latin: string, extension: string): DocumentKind | undefined {
  const start = latin.replaceAll('\0', '').replace(/^(ï»¿|ÿþ|þÿ)?\s*/, '');
  if (/^WEBVTT(\s|$)/.test(start) || /^\d+\r?\n\d{2}:\d{2}:\d{2}[.,]\d{3} --> /.test(start))
    return 'transcript';
  const isSaved = /^mht(ml)?$/.test(extension) || /^From: <?Saved by/im.test(start);
  if (isSaved && /^content-type:\s*multipart\/related/im.test(start)) return 'mhtml';
  if (/^mht(ml)?$/.test(extension) && /^mime-version:/im.test(start)) return 'mhtml';
  if (!start.startsWith('<') || looksLikeHtml(latin)) return undefined;
  const vocabulary = vocabularyOf(start);
  if (vocabulary === 'sheet') return 'xls';
  if (vocabulary === 'odf' && /office:mimetype="[^"]*opendocument\.spreadsheet/.test(start)) return 'ods';
  if (vocabulary) return 'xml';
  return extension === 'xml' && isProse(start) ? 'xml' : undefined;
}

/** Head lines that a message has, whoever wrote it. */
const headLines =
  /^(?:return-path|received|message-id|mime-version|date|from|to|subject|delivered-to|x-[\w-]+):[ \t]/gim;

/** A mailbox begins with "From " and the head of its first message; mail is known by its ending, or by a head that only programs write. */
function mailKind(latin: string, extension: string): 'mail' | 'mailbox' | undefined {
  const plain = latin.replaceAll('\0', '').replace(/^(ï»¿|ÿþ|þÿ)?\s*/, '');
  if (/^(eml|emlx)$/.test(extension)) return 'mail';
  const isBox = /^From \S.*\r?\n/.test(plain);
  if (isBox && (/^(mbox|mbx)$/.test(extension) || /^From \S+ .*\r?\n[\w-]+:[ \t]/.test(plain)))
    return 'mailbox';
  if (extension !== '' || !/^[\w-]+:[ \t]/.test(plain)) return undefined;
  const names = new Set([...plain.slice(0, 4_000).matchAll(headLines)].map(([line]) => line.toLowerCase()));
  return names.size >= 4 ? 'mail' : undefined;
}

/** OpenDocument names its kind in its first entry, which is not packed. */
function openDocument(head: string, file: SourceFile): Sniffed {
  const named = /^.{30}mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/s.exec(
    head,
  )?.[1];
  const extension = extensionOf(file.name);
  if (named === 'text' || (!named && /^(odt|ott|odm)$/.test(extension))) return { kind: 'odt' };
  if (named === 'spreadsheet' || (!named && /^(ods|ots)$/.test(extension))) return { kind: 'ods' };
  if (named === 'presentation' || (!named && /^(odp|otp)$/.test(extension))) return { kind: 'odp' };
  return { format: 'an OpenDocument drawing or formula (.odg, .odf)' };
}

/** Pages, Numbers and Keynote keep their words in a form of their own. Throws ParseFailure for those under a password. */
function appleFormat(names: string[], file: SourceFile): string | undefined {
  const isApple = names.some((name) =>
    /^(Index\/.*\.iwa|Index\.zip|index\.(apxl|xml)|\.iwph|\.iwpv2)$/.test(
      name.replace(/^.*?\.(pages|key|numbers)\//, ''),
    ),
  );
  if (!isApple) return undefined;
  if (names.some((name) => /\.iwph$|\.iwpv2$/.test(name))) {
    throw new ParseFailure(
      'encrypted',
      `The file could not be opened: ${file.name}: it needs a password; save a copy without one.`,
    );
  }
  const extension = extensionOf(file.name);
  if (extension === 'key' || names.some((name) => /apxl$|Slide/.test(name)))
    return 'a Keynote presentation (.key)';
  return extension === 'numbers' ? 'a Numbers sheet (.numbers)' : 'a Pages document (.pages)';
}

function looksLikeHtml(latin: string): boolean {
  let start = latin.replaceAll('\0', '').replace(/^(ï»¿|ÿþ|þÿ)/, '');
  for (let before = ''; before !== start; ) {
    before = start;
    start = start
      .replace(/^\s+/, '')
      .replace(/^<!--[\s\S]*?-->/, '')
      .replace(/^<\?xml[^>]*>/, '');
  }
  return /^<(!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i.test(start);
}

async function sniffZip(file: SourceFile, head: string): Promise<Sniffed> {
  const names = await entryNames(file.path);
  if (!names) {
    // The list of entries stands at the end: a cut file has none. Its parser says what is wrong.
    if (head.includes('word/')) return { kind: 'docx' };
    if (head.includes('xl/')) return { kind: 'xlsx' };
    if (head.includes('ppt/')) return { kind: 'pptx' };
    const extension = extensionOf(file.name);
    if (extension === 'docx' || extension === 'xlsx') return { kind: extension };
    throw new ParseFailure(
      'damaged',
      `The archive could not be read: ${file.name}: it is cut or damaged; get an intact copy.`,
    );
  }
  if (names.some((name) => /^word\/document\d*\.xml$/i.test(name))) return { kind: 'docx' };
  if (names.some((name) => /^xl\/workbook\.xml$/i.test(name))) return { kind: 'xlsx' };
  if (names.some((name) => /^xl\/workbook\.bin$/i.test(name))) return { kind: 'xlsb' };
  if (names.some((name) => /^ppt\/(presentation\d*\.xml|slides\/)/i.test(name))) return { kind: 'pptx' };
  if (names.includes('META-INF/container.xml') && !names.includes('content.xml')) return { kind: 'epub' };
  if (names.includes('content.xml')) return openDocument(head, file);
  const apple = appleFormat(names, file);
  if (apple) return { format: apple };
  if (isPackage(names, file)) return { format: 'a package of a program' };
  return { kind: 'archive' };
}

/** Zip archives that are one thing to their user: programs, and documents of programs that no parser reads. */
function isPackage(names: string[], file: SourceFile): boolean {
  const marks = ['[Content_Types].xml', 'mimetype', 'META-INF/MANIFEST.MF', 'AndroidManifest.xml'];
  if (names.some((name) => marks.includes(name))) return true;
  return /^(jar|war|ear|aar|apk|aab|ipa|whl|egg|xpi|crx|vsix|nupkg|kmz|3mf|sketch|xmind|idml|usdz|npz)$/.test(
    extensionOf(file.name),
  );
}

/** Names as bytes: one that leads elsewhere is no reason not to look at the others. */
const opening = {
  lazyEntries: true,
  autoClose: true,
  validateEntrySizes: false,
  decodeStrings: false,
} as const;

/** Names of the first entries; undefined where the archive's own list can't be read. */
function entryNames(path: string): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    openZip(path, opening, (error, zip) => {
      if (error || !zip) resolve(undefined);
      else collectNames(zip, resolve);
    });
  });
}

function collectNames(zip: ZipFile, resolve: (names: string[] | undefined) => void): void {
  const names: string[] = [];
  const finish = (): void => {
    zip.close();
    resolve(names);
  };
  zip.on('entry', (entry: { fileName: string | Buffer }) => {
    names.push(entry.fileName.toString().replace(/^\//, ''));
    if (names.length >= MAX_ENTRIES) finish();
    else zip.readEntry();
  });
  zip.on('end', () => resolve(names));
  zip.on('error', () => resolve(names.length > 0 ? names : undefined));
  zip.readEntry();
}

/** Old Office formats, and new ones under a password, share one container; its directory tells which. */
async function sniffOle(head: Uint8Array, file: SourceFile): Promise<Sniffed> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const sectorBytes = head.length > 32 ? 2 ** Math.min(12, Math.max(7, view.getUint16(30, true))) : 512;
  const directoryAt = head.length > 52 ? (view.getUint32(48, true) + 1) * sectorBytes : 512;
  const directory = await readText(file.path, directoryAt, 8_192);
  if (directory.includes('EncryptedPackage')) {
    throw new ParseFailure(
      'encrypted',
      `The file could not be opened: ${file.name}: it needs a password; save a copy without one.`,
    );
  }
  const extension = extensionOf(file.name);
  const marked = oleKinds.filter(({ mark }) => mark.test(directory));
  // A document may hold others in its container; and the directory of a large one stands in several places, of which the first is looked at.
  const promised = (marked.length > 0 ? marked : oleKinds).find(({ endings }) => endings.test(extension));
  const found = promised ?? marked[0];
  return found?.sniffed ?? { format: 'an old Office file' };
}

/** By names in the directory of the container, and by endings. */
const oleKinds: { mark: RegExp; endings: RegExp; sniffed: Sniffed }[] = [
  { mark: /WordDocument/, endings: /^(doc|dot)$/, sniffed: { kind: 'doc' } },
  { mark: /PowerPoint Document/, endings: /^(ppt|pps|pot)$/, sniffed: { kind: 'ppt' } },
  { mark: /Workbook|Book/, endings: /^(xls|xlt|xla)$/, sniffed: { kind: 'xls' } },
  { mark: /__substg1\.0|__properties/, endings: /^msg$/, sniffed: { kind: 'mail' } },
  { mark: /VisioDocument/, endings: /^vs[dst]$/, sniffed: { format: 'a Visio drawing (.vsd)' } },
  { mark: /Quill/, endings: /^pub$/, sniffed: { format: 'a Publisher document (.pub)' } },
];

/** Names in the directory are UTF-16; dropping the zero bytes leaves them readable. */
async function readText(path: string, position: number, length: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead).toString('latin1').replaceAll('\0', '');
  } finally {
    await handle.close();
  }
}
