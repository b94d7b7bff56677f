import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../../../src/api/errors.ts';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { readXml } from '../../../../src/engine/parse/zip/read-xml.ts';
import { ZipArchive } from '../../../../src/engine/parse/zip/zip-archive.ts';
import { withFile } from '../../../e2e/read-parts.ts';

const signal = AbortSignal.timeout(30_000);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const ole = (mark: string): Buffer =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(3_000),
    Buffer.from(mark, 'utf16le'),
    Buffer.alloc(500),
  ]);

async function reasonOf(bytes: Uint8Array, part = 'a.xml'): Promise<ReasonCode | 'read'> {
  return withFile('broken.docx', bytes, async (file) => {
    const attempt = async (): Promise<'read'> => {
      const archive = await ZipArchive.open(file);
      try {
        for await (const piece of archive.read(part, signal)) expect(piece.length).toBeGreaterThan(0);
        return 'read';
      } finally {
        archive.close();
      }
    };
    return attempt().then(
      (read) => read,
      (error: unknown) => {
        if (error instanceof ParseFailure) {
          expect(error.message).toContain('broken.docx');
          return error.reason;
        }
        throw error;
      },
    );
  });
}

describe('ZipArchive', () => {
  const whole = zipSync({ 'a.xml': text('<a>words</a>'), 'b/c.xml': text('x'.repeat(5_000)) });
  const cases: [string, Uint8Array, ReasonCode | 'read'][] = [
    ['a whole archive', whole, 'read'],
    ['no bytes', new Uint8Array(), 'empty'],
    ['the first half of an archive', whole.subarray(0, whole.length / 2), 'damaged'],
    ['bytes that are no archive', text('Just a letter, renamed.'.repeat(50)), 'damaged'],
    ['an encrypted office file', ole('EncryptedPackage'), 'encrypted'],
    ['an office file of the older kind', ole('WordDocument'), 'unsupported'],
  ];
  it.each(cases)('opens or refuses %s by its reason', async (_, bytes, expected) => {
    expect(await reasonOf(bytes)).toBe(expected);
  });

  it('stops unpacking a bomb', async () => {
    expect(await reasonOf(zipSync({ 'a.xml': new Uint8Array(70_000_000) }))).toBe('too-large');
  });

  it('names damaged content instead of throwing a foreign error', async () => {
    const bytes = zipSync({
      'a.xml': text('words that repeat, words that repeat, words that repeat '.repeat(400)),
    });
    bytes.fill(0xff, 45, 120);
    expect(await reasonOf(bytes)).toBe('damaged');
  });

  it('leaves out names that lead out of the archive', async () => {
    const bytes = zipSync({
      '../../etc/passwd': text('x'),
      'C:\\evil.txt': text('x'),
      'word/a.xml': text('x'),
      '/top.xml': text('x'),
    });
    await withFile('names.zip', bytes, async (file) => {
      const archive = await ZipArchive.open(file);
      expect(archive.names().toSorted()).toEqual(['top.xml', 'word/a.xml']);
      expect(archive.has('WORD/A.XML')).toBe(true);
      archive.close();
    });
  });
});

describe('readXml', () => {
  async function heard(xml: string | Uint8Array): Promise<{ heard: string; outcome: string }> {
    const bytes = zipSync({ 'a.xml': typeof xml === 'string' ? text(xml) : xml });
    return withFile('part.zip', bytes, async (file) => {
      const archive = await ZipArchive.open(file);
      let log = '';
      const listener = {
        open: (name: string) => {
          log += `<${name}>`;
        },
        close: (name: string) => {
          log += `</${name}>`;
        },
        text: (value: string) => {
          log += value;
        },
      };
      const outcome = await readXml(archive, 'a.xml', listener, signal);
      archive.close();
      return { heard: log, outcome };
    });
  }

  it('keeps what stands before a fault', async () => {
    expect(await heard('<a><b>one</b><c>two</a>')).toEqual({
      heard: '<a><b>one</b><c>two</c>',
      outcome: 'damaged',
    });
    expect(await heard('<a><b>one</b>')).toEqual({ heard: '<a><b>one</b>', outcome: 'damaged' });
  });

  it('expands no entities of a document type', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>';
    const { heard: log, outcome } = await heard(bomb);
    expect(log).not.toContain('haha');
    expect(outcome).toBe('damaged');
  });

  it('reads UTF-16', async () => {
    const xml = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>Привет</a>', 'utf16le')]);
    expect(await heard(xml)).toEqual({ heard: '<a>Привет</a>', outcome: 'whole' });
  });
});
