/** Which letters did a mail's writer mean, where the mail doesn't say, or says it in a way of its own? */
import iconv from 'iconv-lite';
import { mail as limits } from '../../config.ts';
import { toIconvName } from '../text/code-pages.ts';
import { detectEncoding } from '../text/detect-encoding.ts';

/** Names of code pages as programs of their time wrote them, and as the standard has them. */
const spellings: [RegExp, string][] = [
  [/^(?:x-)?(?:win|windows|cp|ms)[-_ ]?(125\d)$/, 'windows-$1'],
  [/^(?:x-|cs)?koi[-_ ]?8?[-_ ]?r$/, 'koi8-r'],
  [/^(?:x-|cs)?koi[-_ ]?8?[-_ ]?ru?u$/, 'koi8-u'],
  [/^(?:x-|cs)?(?:cp|ibm|dos|oem|alt)?[-_ ]?866$/, 'ibm866'],
  [/^(?:x-)?mac[-_ ]?(?:cyrillic|cyr)$/, 'x-mac-cyrillic'],
];
/** Labels that say nothing of letters beyond ASCII. */
const SILENT =
  /^(?:|us-ascii|ascii|7bit|8bit|none|default|unknown|unknown-8bit|x-unknown|x-user-defined|_autodetect\w*)$/;

/**
 * The message with all that its reader is to know written into its heads: letters there as UTF-8, names of code pages as the standard has
 * them, and a code page for each text that names none. Bodies stay as they are.
 */
export function mendLetters(bytes: Buffer): Buffer {
  // A message that is itself in UTF-16 was saved by an editor.
  const whole = detectEncoding(bytes.subarray(0, limits.subjectBytes))?.encoding ?? '';
  if (/^utf-(16|32)/.test(whole)) return Buffer.from(iconv.decode(bytes, toIconvName(whole)), 'utf8');
  const raw = bytes.toString('latin1');
  const spoken = spokenIn(raw);
  const pieces: Buffer[] = [];
  let isMended = false;
  for (const { start, end } of partsOf(raw)) {
    const feed = /^\r?\n|\r?\n\r?\n/.exec(raw.slice(start, Math.min(end, start + limits.maxHeaderBytes)));
    const at = feed ? start + feed.index + feed[0].length : end;
    const head = raw.slice(start, at);
    const mended = mendHead(head, raw.slice(at, end), spoken);
    isMended ||= mended !== head;
    pieces.push(
      mended === head ? bytes.subarray(start, at) : Buffer.from(mended, 'latin1'),
      bytes.subarray(at, end),
    );
  }
  return isMended ? Buffer.concat(pieces) : bytes;
}

/** A head, as Latin-1, with its letters decoded. */
export function lettersOfHead(head: string): string {
  return Buffer.from(inUtf8(head, ''), 'latin1').toString('utf8');
}

/** The message's own head and body, then each part from behind its boundary to the next. */
function partsOf(raw: string): { start: number; end: number }[] {
  const boundaries = new Set(
    [...raw.matchAll(/\bboundary\s*=\s*(?:"([^"\r\n]{1,250})"|([^\s;"]{1,250}))/gi)].map(
      (one) => one[1] ?? one[2]!,
    ),
  );
  const parts = [{ start: 0, end: raw.length }];
  if (boundaries.size === 0) return parts;
  for (const found of raw.matchAll(/^--([^\r\n]{1,250})\r?\n/gm)) {
    if (!boundaries.has(found[1]!.trimEnd())) continue;
    const start = found.index + found[0].length;
    parts.at(-1)!.end = start;
    parts.push({ start, end: raw.length });
    if (parts.length > limits.maxParts) break;
  }
  return parts;
}

/** The first code page that says something of the letters in this message. */
function spokenIn(raw: string): string {
  const sample = raw.slice(0, limits.charsetBytes);
  const labels = [...sample.matchAll(/charset\s*=\s*"?([\w.:-]+)|=\?([\w.:-]+)\?[bq]\?/gi)].map((one) =>
    spelled(one[1] ?? one[2]!),
  );
  return (
    labels.find(
      (label) => !SILENT.test(label) && !/^utf-?8$/.test(label) && iconv.encodingExists(toIconvName(label)),
    ) ?? ''
  );
}

function spelled(label: string): string {
  const name = label.trim().toLowerCase();
  const [pattern, standard] = spellings.find(([one]) => one.test(name)) ?? [];
  return pattern ? name.replace(pattern, standard!) : name;
}

function mendHead(head: string, body: string, spoken: string): string {
  const mended = inUtf8(head, spoken);
  const said = fieldOf(mended, 'content-type');
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(said)?.[0].toLowerCase() ?? 'text/plain';
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(said)?.[1] ?? '';
  if (!type.startsWith('text/') || !SILENT.test(label.toLowerCase())) return mended;
  const charset = charsetOf(fieldOf(mended, 'content-transfer-encoding'), body, spoken);
  if (charset === undefined) return mended;
  // The first of two fields of a name counts; what else the other says must not be lost with it.
  const others = said.split(';').slice(1);
  const kept = others
    .filter((one) => one.trim() !== '' && !/^\s*charset\s*=/i.test(one))
    .map((one) => `;${one}`);
  return `Content-Type: ${type}; charset=${charset}${kept.join('')}\r\n${mended}`;
}

/** What a head says in a field, its lines made one; empty where it has none. */
function fieldOf(head: string, name: string): string {
  const found = new RegExp(`^${name}:([^\\r\\n]*(?:\\r?\\n[ \\t][^\\r\\n]*)*)`, 'im').exec(head)?.[1] ?? '';
  return found.replaceAll(/\r?\n/g, '').trim();
}

/** Code page of a text that names none; undefined where it needs none. */
function charsetOf(coding: string, body: string, spoken: string): string | undefined {
  const sample = decodedSample(body.slice(0, limits.charsetBytes), coding);
  if (sample.every((byte) => byte < 0x80)) return undefined;
  const meta = /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(sample.toString('latin1', 0, 4_096))?.[1];
  if (meta !== undefined && iconv.encodingExists(toIconvName(spelled(meta)))) return spelled(meta);
  if (isUtf8(sample)) return 'utf-8';
  const detected = detectEncoding(sample)?.encoding;
  return detected === undefined || detected.startsWith('utf-') ? spoken || 'windows-1252' : detected;
}

function decodedSample(body: string, coding: string): Buffer {
  if (/base64/i.test(coding)) return Buffer.from(body, 'base64');
  if (!/quoted-printable/i.test(coding)) return Buffer.from(body, 'latin1');
  const letters = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(letters, 'latin1');
}

/** A head whose letters are those of a code page, as UTF-8; both as Latin-1. */
function inUtf8(head: string, spoken: string): string {
  const labelled = head
    .replaceAll(
      /(charset\s*=\s*"?)([\w.:-]+)/gi,
      (_, before: string, label: string) => before + spelled(label),
    )
    .replaceAll(/=\?([\w.:-]+)(?=\?[bq]\?)/gi, (_, label: string) => `=?${spelled(label)}`);
  const bytes = Buffer.from(labelled, 'latin1');
  if (isUtf8(bytes)) return labelled;
  const own = spokenIn(labelled) || spoken;
  const name = own || (detectEncoding(bytes)?.encoding ?? 'windows-1252');
  const known = iconv.encodingExists(toIconvName(name)) ? toIconvName(name) : 'windows-1252';
  return Buffer.from(iconv.decode(bytes, known), 'utf8').toString('latin1');
}

/** The last letter of a sample may be cut. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
