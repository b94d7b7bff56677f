import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../../../src/api/errors.ts';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { parseAs } from '../../../../src/engine/parse/parse-document.ts';
import { sniff } from '../../../../src/engine/parse/sniff.ts';
import { testData } from '../../../test-data.ts';
import { type Given, make7z, makeRar4, makeRar5, makeTar, makeZip } from './make-archives.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-archives-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

async function laid(name: string, bytes: Buffer) {
  const at = path.join(folder, name);
  await writeFile(at, bytes);
  return { path: at, name, sizeBytes: bytes.length };
}

interface Read {
  /** Text of each member, or the reason why there is none, by name. */
  members: [string, string][];
  failure?: ReasonCode | undefined;
}

/** Reads all there is; as little of a member as its length in `first` asks for. */
async function read(name: string, bytes: Buffer, first = Number.POSITIVE_INFINITY): Promise<Read> {
  const file = await laid(name, bytes);
  const members: [string, string][] = [];
  try {
    for await (const part of parseAs('archive', file, never)) {
      if (part.type !== 'member') continue;
      const pieces: Uint8Array[] = [];
      const said = async () => {
        if (first === 0) return '';
        for await (const piece of part.member.content()) {
          pieces.push(piece);
          if (pieces.length >= first) break;
        }
        return Buffer.concat(pieces).toString('utf8');
      };
      members.push([part.member.name, await said().catch((error: unknown) => reasonOf(error))]);
    }
    return { members };
  } catch (error) {
    return { members, failure: reasonOf(error) };
  }
}

function reasonOf(error: unknown): ReasonCode {
  if (error instanceof ParseFailure) return error.reason;
  throw error;
}

const namesIn = async (name: string, bytes: Buffer) =>
  (await read(name, bytes, 0)).members.map(([member]) => member);

const files: Given[] = [
  { name: 'one.txt', content: 'First.\n' },
  { name: 'папка/два.txt', content: 'Второй.\n'.repeat(400) },
];
const expected: [string, string][] = [
  ['one.txt', 'First.\n'],
  ['папка/два.txt', 'Второй.\n'.repeat(400)],
];

describe('an archive', { timeout: 30_000 }, () => {
  const marked = files.map((file) => ({ ...file, isUtf8: true }));
  it.each<[string, Buffer]>([
    ['a.zip', makeZip(marked)],
    ['packed.zip', makeZip(marked.map((file) => ({ ...file, isDeflated: true })))],
    ['large.zip', makeZip(marked.map((file) => ({ ...file, isZip64: true })))],
    ['a.tar', makeTar(files)],
    ['old.tar', makeTar(files, true)],
    ['a.tar.gz', gzipSync(makeTar(files))],
    ['a.tgz', gzipSync(makeTar(files))],
    ['a.tar.zst', zstdCompressSync(makeTar(files))],
    ['a.7z', make7z(files)],
    ['four.rar', makeRar4(files)],
    ['five.rar', makeRar5(files)],
  ])('%s gives its files, under whatever name it goes', async (name, bytes) => {
    expect(await read(name, bytes)).toEqual({ members: expected });
    const file = await laid('nameless', bytes);
    expect(await sniff(bytes.subarray(0, 4_100), file)).toEqual({ kind: 'archive' });
  });

  // Made with bzip2, xz and 7-Zip: Node packs none of these.
  it.each<[string, string, [string, string][]]>([
    ['a.txt.bz2', 'QlpoOTFBWSZTWcHAgOIAAAFBAAAQAkSgADDNAMNGKZcXckU4UJDBwIDi', [['a.txt', 'hello\n']]],
    [
      'a.txt.xz',
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAFaGVsbG8KAAAApWCX8ZT2/eAAAR4GwS+kHR+2830BAAAAAARZWg==',
      [['a.txt', 'hello\n']],
    ],
    [
      't.tar.bz2',
      'QlpoOTFBWSZTWT09eX4AAMn778uQAUBAAf+ABCFiRJ5AUAAAAJZVAADgAAAgAAgwALm2I1QAAAAAGQDIRqRkAAaAAAAARUmiaNANNANMgAAfrUwYaYRZSiArC4IDTUQJ7w3XBVNFnHIwRCRDjZEJW1keXizK3DW0Ahtr3UIVwZtwRkVQZIkFCgQcHjJtJMh1hAYC9LZNMoIkHOYhTAL+8MSrIWEKg4MxuFwYlBql44MRxGSQkEUAa+n8OhOaGkfr4gfxdyRThQkD09eX4A==',
      [
        ['t/док.txt', 'Привет мир\n'],
        ['t/a.txt', 'hello\n'],
      ],
    ],
    [
      't.tar.xz',
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/ALBdADoLvBunjDRE4cIHdekACY2x9Z5Qg4GPEXNpREgFV6v5mb1RQt45PqgO/iOA5iPt3T4NEpfdrWmkhb68lQ1qxLOuwdhtbS1u2o7ED09SZlnPegOYXbE7AfsCqOLLotCS+6VB0P9/0rmyqJ8AbXA/Zsry3Jiburgk3KQ/3dJSw5MAsyADRdXiGLYxMFl8dVd6IHGABmtMux0IT+KTkmKIv6ZbpPIjbN60oPvuIsIB+LLQABndIfb3SLj7AAHMAYBQAAApu/oZscRn+wIAAAAABFla',
      [
        ['t/док.txt', 'Привет мир\n'],
        ['t/a.txt', 'hello\n'],
      ],
    ],
  ])('%s gives its files', async (name, packed, members) => {
    expect(await read(name, Buffer.from(packed, 'base64'))).toEqual({ members });
  });

  it('of one packed file gives that under its own name', async () => {
    const named = gzipSync('Rows.\n');
    named[3] = 8;
    const bytes = Buffer.concat([named.subarray(0, 10), Buffer.from('отчёт.csv\0'), named.subarray(10)]);
    expect(await read('x.gz', bytes)).toEqual({ members: [['отчёт.csv', 'Rows.\n']] });
    expect(await read('rows.csv.gz', gzipSync('Rows.\n'))).toEqual({ members: [['rows.csv', 'Rows.\n']] });
  });

  it.each([
    ['ibm866', 'Договор поставки.txt'],
    ['windows-1251', 'Акт сверки за квартал.txt'],
    ['gb18030', '审计压缩包文件检索测试/集团邮件审计系统自动巡检需求文档.doc'],
  ])('whose names are in %s and say nothing of it is read in that', async (encoding, name) => {
    const names = [name, `x/${name}`].map((one) => ({ name: iconv.encode(one, encoding), content: 'x' }));
    expect((await namesIn('a.zip', makeZip(names)))[0]).toBe(name);
    if (encoding !== 'gb18030') expect(await namesIn('a.tar', makeTar(names))).toEqual([name, `x/${name}`]);
  });

  it('never names a place outside of it, nor two files alike', async () => {
    const names = ['../../etc/passwd', '/etc/passwd', 'C:\\Windows\\a.txt', 'a/./b//c.txt', 'nul\0byte.txt'];
    const more = ['👍.txt', 'same.txt', 'same.txt', 'same.txt', `${'я'.repeat(600)}.txt`, '..', ' '];
    const given = [...names, ...more].map((name) => ({ name, content: 'x', isUtf8: true }));
    const found = await namesIn('a.zip', makeZip(given));
    expect(found.slice(0, 9)).toEqual([
      'etc/passwd',
      'etc/passwd (2)',
      'Windows/a.txt',
      'a/b/c.txt',
      'nulbyte.txt',
      '👍.txt',
      'same.txt',
      'same (2).txt',
      'same (3).txt',
    ]);
    expect(new Set(found).size).toBe(given.length);
  });

  it('gives no folders, links or devices', async () => {
    const special = ['1', '2', '3', '4', '5', '6'].map((type) => ({ name: `t${type}`, content: '', type }));
    expect(await namesIn('a.tar', makeTar([...special, ...files]))).toEqual(['one.txt', 'папка/два.txt']);
    const link = { name: 'link', content: '/etc/passwd', mode: 0o120777 };
    expect(await namesIn('a.zip', makeZip([link, { name: 'dir/', content: '' }, files[0]!]))).toEqual([
      'one.txt',
    ]);
    expect(await namesIn('a.rar', makeRar4([link, files[0]!]))).toEqual(['one.txt']);
  });

  it('gives the files behind one that is not read, or not to its end', async () => {
    const large = { name: 'large.bin', content: Buffer.alloc(3_000_000, 7) };
    const all = [large, ...files];
    for (const bytes of [makeTar(all), make7z(all), makeRar5(all), makeZip(all), gzipSync(makeTar(all))]) {
      for (const first of [0, 1]) {
        const { members, failure } = await read('a', bytes, first);
        expect(failure).toBeUndefined();
        expect(members.map(([name]) => name)).toEqual(['large.bin', 'one.txt', 'папка/два.txt']);
      }
    }
  });
});

describe('of an archive that is broken, lies or is locked', { timeout: 30_000 }, () => {
  const zeros = Buffer.alloc(100_000_000);
  it.each<[string, string, Buffer, Read]>([
    [
      'a locked file',
      'a.zip',
      makeZip([
        { ...files[0]!, isEncrypted: true },
        { name: 'b', content: 'x' },
      ]),
      {
        members: [
          ['one.txt', 'encrypted'],
          ['b', 'x'],
        ],
      },
    ],
    [
      'a locked file',
      'a.rar',
      makeRar4([
        { ...files[0]!, isEncrypted: true },
        { name: 'b', content: 'x' },
      ]),
      {
        members: [
          ['one.txt', 'encrypted'],
          ['b', 'x'],
        ],
      },
    ],
    [
      'a file that unpacks to more than it says',
      'a.zip',
      makeZip([
        { name: 'a', content: 'x'.repeat(5000), isDeflated: true, statedBytes: 5 },
        { name: 'b', content: 'x' },
      ]),
      {
        members: [
          ['a', 'damaged'],
          ['b', 'x'],
        ],
      },
    ],
    [
      'a file that unpacks to less than it says',
      'a.zip',
      makeZip([
        { name: 'a', content: 'xxx', isDeflated: true, statedBytes: 50 },
        { name: 'b', content: 'x' },
      ]),
      {
        members: [
          ['a', 'damaged'],
          ['b', 'x'],
        ],
      },
    ],
    [
      'a file that unpacks to a thousand times its size',
      'a.zip',
      makeZip([
        { name: 'a', content: zeros, isDeflated: true },
        { name: 'b', content: 'x' },
      ]),
      {
        members: [
          ['a', 'too-large'],
          ['b', 'x'],
        ],
      },
    ],
    [
      'a file that unpacks to a thousand times its size',
      'a.gz',
      gzipSync(zeros),
      { members: [['a', 'too-large']] },
    ],
    [
      'a cut tar, what comes before',
      'a.tar',
      makeTar(files).subarray(0, 1600),
      {
        members: [
          ['one.txt', 'First.\n'],
          ['папка/два.txt', 'damaged'],
        ],
        failure: 'damaged',
      },
    ],
    [
      'a tar of a wrong size, what comes before',
      'a.tar',
      makeTar([files[0]!, { name: 'b', content: 'x', statedBytes: 700 }, files[1]!]),
      {
        members: [
          ['one.txt', 'First.\n'],
          ['b', expect.any(String)],
        ],
        failure: 'damaged',
      },
    ],
    ['a cut zip', 'a.zip', makeZip(files).subarray(0, 200), { members: [], failure: 'damaged' }],
    ['a cut 7z', 'a.7z', make7z(files).subarray(0, 60), { members: [], failure: 'damaged' }],
    ['an archive without files', 'a.zip', makeZip([]), { members: [], failure: 'empty' }],
  ])('%s is known (%s)', async (_what, name, bytes, found) => {
    expect(await read(name, bytes)).toEqual(found);
  });

  it('the parts of a cut RAR that are whole are read', async () => {
    const { members } = await read('a.rar', makeRar4(files).subarray(0, 400));
    expect(members[0]).toEqual(['one.txt', 'First.\n']);
    expect(members[1]?.[1] ?? 'damaged').toBe('damaged');
  });

  const locked = testData('fixtures/tika/full_encrypted.7z');
  it.skipIf(!locked)('a locked list of files is known', async () => {
    const { readFile } = await import('node:fs/promises');
    expect(await read('locked.7z', await readFile(locked!))).toEqual({ members: [], failure: 'encrypted' });
  });

  it.each([
    ['a.jar', [{ name: 'META-INF/MANIFEST.MF', content: 'x' }]],
    ['a.apk', [{ name: 'classes.dex', content: 'x' }]],
    ['a.vsdx', [{ name: '[Content_Types].xml', content: '<x/>' }]],
    ['a.odg', [{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.graphics' }]],
  ])('%s is one thing to its user, and no archive', async (name, given) => {
    const bytes = makeZip(given);
    expect(await sniff(bytes, await laid(name, bytes))).not.toHaveProperty('kind');
  });
});
