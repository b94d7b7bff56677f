import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrecompiledCharsmap } from '../../../src/engine/embed/precompiled-charsmap.ts';

interface Node {
  children: Map<number, Node>;
  value?: number;
}

/** A table as SentencePiece packs it: every node's children stand at its offset xor their byte; 0 marks the end of a key. */
function pack(pairs: Record<string, string>): string {
  const root: Node = { children: new Map() };
  let replacements = Buffer.alloc(0);
  for (const [key, replacement] of Object.entries(pairs)) {
    let node = root;
    for (const byte of Buffer.from(key)) {
      const next = node.children.get(byte) ?? { children: new Map() };
      node.children.set(byte, next);
      node = next;
    }
    node.value = replacements.length;
    replacements = Buffer.concat([replacements, Buffer.from(`${replacement}\0`)]);
  }
  // Each node gets a block of 256 units of its own: wasteful, but plainly right.
  const units: number[] = [];
  let blocks = 1;
  const place = (node: Node, at: number): void => {
    const block = blocks * 256;
    blocks += 1;
    const offset = at ^ block;
    units[at] = ((units[at] ?? 0) | (offset << 10) | (node.value === undefined ? 0 : 1 << 8)) >>> 0;
    if (node.value !== undefined) units[block] = (node.value | 0x8000_0000) >>> 0;
    for (const [byte, child] of node.children) {
      units[block ^ byte] = byte;
      place(child, block ^ byte);
    }
  };
  place(root, 0);
  const trie = Uint32Array.from({ length: blocks * 256 }, (_, index) => units[index] ?? 0);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(trie.byteLength);
  return Buffer.concat([head, Buffer.from(trie.buffer), replacements]).toString('base64');
}

const pairs = {
  ﬁ: 'fi',
  e: 'E',
  'e\u0301': 'é',
  '\u00a0': ' ',
  '\u200b': '',
  Я: 'я',
  '👍🏽': 'ok',
  '👍': 'fine',
};

describe('PrecompiledCharsmap', () => {
  it.each([
    ['ﬁne', 'finE'],
    ['cafe\u0301', 'café'],
    ['a\u00a0b\u200bc', 'a bc'],
    ['Я 👍🏽👍', 'я okfine'],
    ['漢字', '漢字'],
    ['', ''],
  ])('rewrites %j to %j by the longest key', (text, expected) => {
    expect(new PrecompiledCharsmap(pack(pairs)).rewrite(text)).toBe(expected);
  });

  it('leaves every text alone that holds no key', () => {
    const map = new PrecompiledCharsmap(pack({ ﬁ: 'fi' }));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('ﬁ') && text.isWellFormed());
        expect(map.rewrite(text)).toBe(text);
      }),
    );
  });

  it.each(['', 'AAA=', Buffer.from([255, 255, 0, 0, 1]).toString('base64')])(
    'refuses the damaged table %j',
    (table) => {
      expect(() => new PrecompiledCharsmap(table)).toThrow('its table of characters is damaged');
    },
  );

  it('ends on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 400 }), fc.string(), (bytes, text) => {
        const whole = bytes.length - (bytes.length % 4);
        const head = Buffer.alloc(4);
        head.writeUInt32LE(whole);
        const map = new PrecompiledCharsmap(Buffer.concat([head, bytes]).toString('base64'));
        expect(typeof map.rewrite(text)).toBe('string');
      }),
    );
  });
});
