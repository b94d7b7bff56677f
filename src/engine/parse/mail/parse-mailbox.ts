/** Which messages does a mailbox (mbox) hold? Each becomes a document of its own. */
import { open } from 'node:fs/promises';
import { mail as limits } from '../../config.ts';
import { type Member, ParseFailure, type Parser, type SourceFile } from '../../document.ts';
import { FlowParts } from '../flow/flow-parts.ts';
import { MemberNames } from './member-names.ts';
import { senderIn, sentIn, subjectIn } from './read-eml.ts';

const LINE_FEED = 0x0a;
/** Begins a message: at the file's start, and behind an empty line. */
const MARK = Buffer.from('From ');

/** Where a message stands in the file, without its "From " line: half-open. */
interface Place {
  start: number;
  end: number;
}

type Read = (start: number, length: number) => Promise<Buffer>;

/** A message with what is known of it before it is read. */
interface Message extends Place {
  number: string;
  /** Its beginning, as Latin-1. */
  beginning: string;
}

/**
 * The mailbox is read once, piece by piece, for the places of its messages; each is read when it is asked for. Its own text is the list
 * of them, which no passage holds: the messages say it themselves. Throws ParseFailure damaged.
 */
export const parseMailbox: Parser = async function* (file, signal) {
  yield { type: 'metadata', metadata: { kind: 'mailbox' } };
  const handle = file.bytes ? undefined : await open(file.path, 'r');
  const read = async (start: number, length: number): Promise<Buffer> => {
    if (file.bytes) return Buffer.from(file.bytes.subarray(start, start + length));
    const { buffer, bytesRead } = await handle!.read(Buffer.allocUnsafe(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  };
  const flow = new FlowParts();
  const names = new MemberNames();
  let count = 0;
  try {
    for await (const place of placesOf(read)) {
      signal.throwIfAborted();
      count += 1;
      const length = Math.min(place.end - place.start, limits.subjectBytes);
      const beginning = (await read(place.start, length)).toString('latin1');
      if (isDeleted(beginning)) continue;
      const message = { ...place, number: String(count).padStart(5, '0'), beginning };
      const line = flow.block('margin', lineOf(message));
      if (line && count <= limits.maxListed) yield line;
      yield { type: 'member', member: memberOf(message, names, file, read) };
    }
  } finally {
    await handle?.close();
  }
  if (count === 0)
    throw new ParseFailure(
      'damaged',
      `The mailbox could not be read: ${file.name}: no message begins in it.`,
    );
};

/** Thunderbird leaves what was deleted in the file until it is compacted, and marks it (nsMsgMessageFlags.h: Expunged). */
function isDeleted(beginning: string): boolean {
  const status = /^x-mozilla-status:[ \t]*([\da-f]{4})/im.exec(beginning)?.[1];
  return status !== undefined && (Number.parseInt(status, 16) & 0x0008) !== 0;
}

function lineOf({ number, beginning }: Message): string {
  const said = [subjectIn(beginning), senderIn(beginning)].filter((one) => one !== '');
  return said.length === 0 ? number : said.join(' · ');
}

function memberOf(message: Message, names: MemberNames, file: SourceFile, read: Read): Member {
  const { number, beginning, start, end } = message;
  const subject = subjectIn(beginning).slice(0, limits.maxNameLength);
  const modifiedAtMs = sentIn(beginning);
  return {
    name: names.give(`${number} ${subject}`.trim().concat('.eml'), `${number}.eml`),
    ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }),
    async *content() {
      if (end - start > limits.maxBytes) {
        const most = Math.round(limits.maxBytes / 1024 ** 2);
        throw new ParseFailure(
          'too-large',
          `The message was not read: number ${Number(number)} of ${file.name}: a mail may have ${most} MB at most; save what is attached apart.`,
        );
      }
      yield unquoted(await read(start, end - start));
    },
  };
}

async function* placesOf(read: Read): AsyncGenerator<Place> {
  let start: number | undefined;
  let at = 0;
  // What may still be a mark when the next piece comes: an empty line and "From ".
  let carried = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const piece = await read(position, limits.pieceBytes);
    position += piece.length;
    const isLast = piece.length < limits.pieceBytes;
    const bytes = Buffer.concat([carried, piece]);
    for (let mark = bytes.indexOf(MARK); mark >= 0; mark = bytes.indexOf(MARK, mark + 1)) {
      const line = bytes.indexOf(LINE_FEED, mark);
      if (!startsMessage(bytes, mark, at) || (line < 0 && !isLast)) continue;
      if (start !== undefined) yield { start, end: at + mark };
      start = at + (line < 0 ? bytes.length : line + 1);
    }
    if (isLast) {
      if (start !== undefined && start < at + bytes.length) yield { start, end: at + bytes.length };
      return;
    }
    const kept = Math.min(bytes.length, limits.markBytes);
    // A mark that was seen must not be seen again: keep only what comes after the last one.
    const from = Math.max(bytes.length - kept, (start ?? 0) - at);
    carried = bytes.subarray(Math.max(0, Math.min(from, bytes.length)));
    at += bytes.length - carried.length;
  }
}

function startsMessage(bytes: Buffer, mark: number, offset: number): boolean {
  if (mark === 0) return offset === 0;
  if (bytes[mark - 1] !== LINE_FEED) return false;
  const before = bytes[mark - 2] === 0x0d ? bytes[mark - 3] : bytes[mark - 2];
  if (before !== LINE_FEED && mark > 2) return false;
  // A sentence may begin with this word: the line of a message ends in a year, or in a zone behind it.
  return /^From \S+ .*\d{4}|^From -? ?\w{3} \w{3} /.test(
    bytes.toString('latin1', mark, mark + 200).split('\n')[0]!,
  );
}

/** Lines that began with "From " were given a ">" in front, and those one more (mboxrd). */
function unquoted(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return text.includes('>From ') ? Buffer.from(text.replaceAll(/^>(>*From )/gm, '$1'), 'latin1') : bytes;
}
