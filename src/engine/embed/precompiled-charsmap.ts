/** How does SentencePiece rewrite characters before it cuts? By a table inside tokenizer.json ("Precompiled"); (pure). */

/** A unit of a double array trie as darts-clone packs it: label, offset to the children, and whether the node ends a key. */
const hasLeaf = (unit: number): boolean => ((unit >>> 8) & 1) === 1;
const labelOf = (unit: number): number => (unit & 0x8000_00ff) >>> 0;
const payloadOf = (unit: number): number => unit & 0x7fff_ffff;
const childrenAt = (unit: number): number => (unit >>> 10) << ((unit & (1 << 9)) >>> 6);

/** Bytes of the UTF-8 character that begins with this byte. */
function characterBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/**
 * Rewrites text by the longest key of the table that begins at each place, as sentencepiece's normalizer.cc does; a
 * character that begins no key stays.
 */
export class PrecompiledCharsmap {
  private readonly units: Uint32Array;
  private readonly replacements: Buffer;

  /**
   * @param base64 number of trie bytes (32 bits, little-endian), the trie, then replacements that end with a zero byte
   * @throws Error when it is too short to be one
   */
  constructor(base64: string) {
    const blob = Buffer.from(base64, 'base64');
    const trieBytes = blob.length < 4 ? 0 : blob.readUInt32LE(0);
    if (trieBytes < 4 || trieBytes % 4 !== 0 || 4 + trieBytes > blob.length) {
      throw new Error('its table of characters is damaged');
    }
    this.units = Uint32Array.from({ length: trieBytes / 4 }, (_, index) => blob.readUInt32LE(4 + index * 4));
    this.replacements = blob.subarray(4 + trieBytes);
  }

  rewrite(text: string): string {
    const bytes = Buffer.from(text, 'utf8');
    const parts: string[] = [];
    let kept = 0;
    let position = 0;
    while (position < bytes.length) {
      const { length, value } = this.longestKey(bytes, position);
      if (length === 0) {
        position += characterBytes(bytes[position]!);
        continue;
      }
      parts.push(bytes.toString('utf8', kept, position), this.replacementAt(value));
      position += length;
      kept = position;
    }
    return kept === 0 ? text : parts.join('') + bytes.toString('utf8', kept);
  }

  private longestKey(bytes: Buffer, start: number): { length: number; value: number } {
    const { units } = this;
    const found = { length: 0, value: 0 };
    let node = childrenAt(units[0]!);
    for (let position = start; position < bytes.length; position += 1) {
      node ^= bytes[position]!;
      const unit = units[node];
      if (unit === undefined || labelOf(unit) !== bytes[position]) break;
      node ^= childrenAt(unit);
      if (hasLeaf(unit)) {
        found.length = position + 1 - start;
        found.value = payloadOf(units[node] ?? 0);
      }
    }
    return found;
  }

  private replacementAt(offset: number): string {
    const end = this.replacements.indexOf(0, offset);
    return this.replacements.toString('utf8', offset, end < 0 ? this.replacements.length : end);
  }
}
