/** Which parts does a MIME message of a saved page have? After RFC 2045, 2046 and 2557. */
import { mime as limits } from '../../../config.ts';

export interface MimePart {
  /** Lower case, such as "text/html". */
  type: string;
  /** Of text, as declared; empty where nothing is said. */
  charset: string;
  /** Address that other parts name it by, without "cid:" or angle brackets. */
  addresses: string[];
  /** Header lines by lower-case name. */
  headers: ReadonlyMap<string, string>;
  bytes: Buffer;
}

/** All parts that aren't containers of others, in order. */
export function readMimeParts(bytes: Buffer): { headers: ReadonlyMap<string, string>; parts: MimePart[] } {
  const parts: MimePart[] = [];
  const { headers, body } = split(bytes);
  collect(headers, body, parts, 0);
  return { headers, parts };
}

function collect(headers: ReadonlyMap<string, string>, body: Buffer, parts: MimePart[], depth: number): void {
  const contentType = headers.get('content-type') ?? 'text/plain';
  const boundary = parameter(contentType, 'boundary');
  if (/^multipart\//i.test(contentType) && boundary !== '' && depth < limits.maxDepth) {
    for (const piece of pieces(body, boundary)) {
      if (parts.length >= limits.maxParts) return;
      const inner = split(piece);
      collect(inner.headers, inner.body, parts, depth + 1);
    }
    return;
  }
  const addresses = [headers.get('content-location'), headers.get('content-id')?.replace(/^<|>$/g, '')];
  parts.push({
    type: (/^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'text/plain').toLowerCase(),
    charset: parameter(contentType, 'charset'),
    addresses: addresses.filter((address): address is string => !!address),
    headers,
    bytes: decode(body, headers.get('content-transfer-encoding')?.trim().toLowerCase()),
  });
}

function parameter(value: string, name: string): string {
  const found = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"([^"]*)"|([^;\s]+))`, 'i').exec(value);
  return found?.[1] ?? found?.[2] ?? '';
}

/** Headers end at the first empty line; their lines go on where the next begins with a blank. */
function split(bytes: Buffer): { headers: ReadonlyMap<string, string>; body: Buffer } {
  const head = /\r?\n\r?\n/.exec(bytes.toString('latin1', 0, limits.maxHeaderBytes));
  const end = head ? head.index : Math.min(bytes.length, limits.maxHeaderBytes);
  const headers = new Map<string, string>();
  for (const line of bytes
    .toString('latin1', 0, end)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: bytes.subarray(head ? end + head[0].length : end) };
}

function* pieces(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let at = body.indexOf(mark);
  while (at >= 0) {
    const from = body.indexOf(0x0a, at + mark.length) + 1;
    const isLast = body.toString('latin1', at + mark.length, at + mark.length + 2) === '--';
    if (isLast || from === 0) return;
    at = body.indexOf(mark, from);
    yield body.subarray(from, at < 0 ? body.length : at);
  }
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  if (encoding !== 'quoted-printable') return body;
  const text = body.toString('latin1').replaceAll(/=[ \t]*\r?\n/g, '');
  return Buffer.from(
    text.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
