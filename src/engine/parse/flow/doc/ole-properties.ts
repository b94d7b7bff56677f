/** What does an OLE document say of itself: title, author, date, pages? Its SummaryInformation stream, after [MS-OLEPS]. */
import iconv from 'iconv-lite';

export interface OleProperties {
  title?: string;
  author?: string;
  /** ISO day. */
  date?: string;
  pages?: number;
}

/** Identifiers of properties. */
const id = { codePage: 1, title: 2, author: 4, created: 12, saved: 13, pages: 14 };
/** Types of values. */
const type = { i2: 2, i4: 3, lpstr: 30, lpwstr: 31, filetime: 64 };
const MAX_PROPERTIES = 200;
const MAX_LENGTH = 500;
/** Titles that programs write by themselves and that name nothing. */
const EMPTY_TITLES = /^(untitled|document\d*|документ\d*|без названия|word document|microsoft word.*)$/iu;
/** Milliseconds from 1601 to 1970. */
const EPOCH_MS = 11_644_473_600_000;

/** Empty where the stream is absent or broken. */
export function readOleProperties(stream: Buffer | undefined): OleProperties {
  if (!stream || stream.length < 48 || stream.readUInt16LE(0) !== 0xfffe) return {};
  const values = readSection(stream, stream.readUInt32LE(44));
  const text = (key: number): string => {
    const value = values.get(key);
    return typeof value === 'string' ? value : '';
  };
  const title = text(id.title);
  const author = text(id.author);
  const date = [values.get(id.saved), values.get(id.created)].find((value) => value instanceof Date);
  const pages = values.get(id.pages);
  return {
    ...(title === '' || EMPTY_TITLES.test(title) ? {} : { title }),
    ...(author === '' || /^unknown$/i.test(author) ? {} : { author }),
    ...(date ? { date: date.toISOString().slice(0, 10) } : {}),
    ...(typeof pages === 'number' && pages > 0 ? { pages } : {}),
  };
}

function readSection(stream: Buffer, start: number): Map<number, string | number | Date> {
  const values = new Map<number, string | number | Date>();
  if (start + 8 > stream.length) return values;
  const count = Math.min(MAX_PROPERTIES, stream.readUInt32LE(start + 4));
  const places: { key: number; at: number }[] = [];
  for (let i = 0; i < count; i++) {
    const entry = start + 8 + i * 8;
    if (entry + 8 > stream.length) break;
    places.push({ key: stream.readUInt32LE(entry), at: start + stream.readUInt32LE(entry + 4) });
  }
  const page = places.find(({ key }) => key === id.codePage);
  const codePage = page && page.at + 6 <= stream.length ? stream.readUInt16LE(page.at + 4) : 1252;
  for (const { key, at } of places) {
    const value = at + 12 <= stream.length ? readValue(stream, at, codePage) : undefined;
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

function readValue(stream: Buffer, at: number, codePage: number): string | number | Date | undefined {
  const kind = stream.readUInt32LE(at);
  const length = stream.readUInt32LE(at + 4);
  switch (kind) {
    case type.i2:
      return stream.readInt16LE(at + 4);
    case type.i4:
      return stream.readInt32LE(at + 4);
    case type.lpstr:
      return clean(decode(stream.subarray(at + 8, at + 8 + Math.min(length, MAX_LENGTH)), codePage));
    case type.lpwstr:
      return clean(stream.toString('utf16le', at + 8, at + 8 + Math.min(length, MAX_LENGTH) * 2));
    case type.filetime:
      return toDate(stream.readBigUInt64LE(at + 4));
    default:
      return undefined;
  }
}

function decode(bytes: Buffer, codePage: number): string {
  if (codePage === 1200) return bytes.toString('utf16le');
  if (codePage === 65_001) return bytes.toString('utf8');
  const name = `windows-${codePage}`;
  return iconv.decode(bytes, iconv.encodingExists(name) ? name : 'windows-1252');
}

function clean(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end))
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** A time in units of 100 ns since 1601; programs that don't know the time write their own beginnings. */
function toDate(ticks: bigint): Date | undefined {
  const ms = Number(ticks / 10_000n) - EPOCH_MS;
  const date = new Date(ms);
  return ms > Date.UTC(1985, 0) && ms < Date.UTC(2200, 0) ? date : undefined;
}
