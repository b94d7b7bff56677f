/** What was signed, where the signature is wrapped around it (CMS SignedData: RFC 5652, 5; its encoding: X.690)? */

/** 1.2.840.113549.1.7.2, the content type SignedData. */
const SIGNED_DATA = '2a864886f70d010702';
const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 0x06;
const OCTET_STRING = 0x04;
const OCTET_STRING_IN_PIECES = 0x24;
const CONTEXT_0 = 0xa0;
/** Values inside each other up to the content: seven; pieces of a string in pieces. */
const MAX_DEPTH = 12;

/** One value: its tag and where its content stands; half-open. */
interface Value {
  tag: number;
  start: number;
  end: number;
  /** Behind its end mark, if it has one. */
  next: number;
}

/** The signed bytes; undefined for content of another type, such as what is encrypted. The signature is not judged. */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const whole = valueAt(bytes, 0, 0);
    const [type, wrapped] = whole.tag === SEQUENCE ? valuesIn(bytes, whole, 1) : [];
    if (type?.tag !== OBJECT_IDENTIFIER || wrapped?.tag !== CONTEXT_0) return undefined;
    if (Buffer.from(bytes.subarray(type.start, type.end)).toString('hex') !== SIGNED_DATA) return undefined;
    const [signed] = valuesIn(bytes, wrapped, 2);
    const content = signed && valuesIn(bytes, signed, 3).find(({ tag }) => tag === SEQUENCE);
    const explicit = content && valuesIn(bytes, content, 4).find(({ tag }) => tag === CONTEXT_0);
    const [octets] = explicit ? valuesIn(bytes, explicit, 5) : [];
    return octets && Buffer.concat(piecesOf(bytes, octets, 6));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function piecesOf(bytes: Uint8Array, value: Value, depth: number): Uint8Array[] {
  if (value.tag === OCTET_STRING) return [bytes.subarray(value.start, value.end)];
  if (value.tag !== OCTET_STRING_IN_PIECES) return [];
  return valuesIn(bytes, value, depth).flatMap((piece) => piecesOf(bytes, piece, depth + 1));
}

function valuesIn(bytes: Uint8Array, { start, end }: Value, depth: number): Value[] {
  const values: Value[] = [];
  for (let at = start; at < end; at = values.at(-1)!.next) values.push(valueAt(bytes, at, depth));
  return values;
}

/** Throws RangeError where the bytes are no value. */
function valueAt(bytes: Uint8Array, at: number, depth: number): Value {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || depth > MAX_DEPTH) throw new RangeError('no value');
  if (first === 0x80) return openValueAt(bytes, at, tag, depth);
  const lengthBytes = first > 0x80 ? first - 0x80 : 0;
  if (lengthBytes > 4) throw new RangeError('too long');
  let length = first & 0x7f;
  if (lengthBytes > 0)
    length = Buffer.from(bytes.subarray(at + 2, at + 2 + lengthBytes)).readUIntBE(0, lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('cut');
  return { tag, start, end: start + length, next: start + length };
}

/** Its length is not said: two zeros end it. */
function openValueAt(bytes: Uint8Array, at: number, tag: number, depth: number): Value {
  let end = at + 2;
  while (bytes[end] !== 0 || bytes[end + 1] !== 0) end = valueAt(bytes, end, depth + 1).next;
  return { tag, start: at + 2, end, next: end + 2 };
}
