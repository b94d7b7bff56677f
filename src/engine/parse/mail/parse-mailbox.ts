/** Which messages does a mailbox (mbox) hold? Each becomes a document of its own. */
import { open } from 'node:fs/promises';
import { mail as limits } from '../../config.ts';
import { ParseFailure, type Parser } from '../../document.ts';
import { MemberNames } from './member-names.ts';
import { subjectIn } from './read-eml.ts';

const LINE_FEED = 0x0a;
/** Begins a message: at the file's start, and behind an empty line. */
const MARK = Buffer.from('From ');

/** Where a message stands in the file, without its "From " line: half-open. */
interface Place {
  start: number;
  end: number;
}

/** The mailbox is read once, piece by piece, for the places of its messages; each is read when it is asked for. Throws ParseFailure damaged. */
export const parseMailbox: Parser = async function* (file, signal) {
  yield { type: 'metadata', metadata: { kind: 'mailbox' } };
  const handle = file.bytes ? undefined : await open(file.path, 'r');
  const read = async (start: number, length: number): Promise<Buffer> => {
    if (file.bytes) return Buffer.from(file.bytes.subarray(start, start + length));
    const { buffer, bytesRead } = await handle!.read(Buffer.allocUnsafe(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  };
  const names = new MemberNames();
  let count = 0;
  try {
    for await (const { start, end } of placesOf(read)) {
      signal.throwIfAborted();
      count += 1;
      const subject = subjectIn(
        (await read(start, Math.min(end - start, limits.subjectBytes))).toString('latin1'),
      );
      const number = String(count).padStart(5, '0');
      yield {
        type: 'member',
        member: {
          name: names.give(`${number} ${subject.slice(0, limits.maxNameLength)}.eml`, `${number}.eml`),
          async *content() {
            if (end - start > limits.maxBytes)
              throw new ParseFailure(
                'too-large',
                `Message ${count} of ${file.name} is larger than the limit.`,
              );
            yield unquoted(await read(start, end - start));
          },
        },
      };
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

async function* placesOf(read: (start: number, length: number) => Promise<Buffer>): AsyncGenerator<Place> {
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
