import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { ParseFailure, type Part } from '../../../../src/engine/document.ts';
import { parseMailbox } from '../../../../src/engine/parse/mail/parse-mailbox.ts';
import { testData } from '../../../test-data.ts';
import { readParts, withFile } from '../read-parts.ts';

const RUSSIAN = 'Прошу подтвердить отгрузку двадцати насосов до пятницы, склад закрывается.';

async function membersOf(parts: Part[]): Promise<[name: string, content: string][]> {
  const found: [string, string][] = [];
  for (const part of parts) {
    if (part.type !== 'member') continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of part.member.content()) pieces.push(piece);
    found.push([part.member.name, Buffer.concat(pieces).toString()]);
  }
  return found;
}

const word = (charset: string, text: string): string =>
  `=?${charset}?B?${iconv.encode(text, charset).toString('base64')}?=`;

function message(head: string[], body: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);
}

const charsets = ['utf-8', 'windows-1251', 'koi8-r', 'koi8-u', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic'];
const nameInIconv = (charset: string): string =>
  ({ ibm866: 'cp866', 'x-mac-cyrillic': 'maccyrillic' })[charset] ?? charset;

describe('a mail', () => {
  it.each(charsets)('in %s is read in head and body, encoded in both ways', async (charset) => {
    const encoded = iconv.encode(RUSSIAN, nameInIconv(charset));
    const quoted = [...encoded]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('');
    const subject = `=?${charset}?B?${iconv.encode('Отгрузка', nameInIconv(charset)).toString('base64')}?=`;
    for (const [way, body] of [
      ['base64', encoded.toString('base64')],
      ['quoted-printable', quoted.replaceAll(/(.{72})/g, '$1=\r\n')],
      ['8bit', encoded],
    ] as const) {
      const head = [
        'From: "Olga" <o@example.org>',
        `Subject: ${subject}`,
        `Content-Type: text/plain; charset=${charset}`,
        `Content-Transfer-Encoding: ${way}`,
      ];
      const { text, metadata } = await readParts('a.eml', message(head, body));
      expect(metadata).toMatchObject({ kind: 'mail', title: 'Отгрузка', author: 'Olga' });
      expect(text).toContain(RUSSIAN);
      expect(text).toContain('Subject: Отгрузка');
    }
  });

  it.each(['windows-1251', 'koi8-r', 'utf-8'])(
    'whose letters are in %s is read although it says so nowhere',
    async (charset) => {
      const bytes = iconv.encode(
        `From: Ольга <o@example.org>\nSubject: Отгрузка насосов со склада\nDate: Tue, 12 Mar 2024 10:00:00 +0300\n\n${RUSSIAN}\n`,
        charset,
      );
      const { text, metadata } = await readParts('a.eml', bytes);
      expect(metadata).toMatchObject({
        title: 'Отгрузка насосов со склада',
        author: 'Ольга',
        date: '2024-03-12',
      });
      expect(text).toContain(RUSSIAN);
    },
  );

  it.each(['gb18030', 'shift_jis'])('in %s is read', async (charset) => {
    const said = { gb18030: '请在星期五之前确认发货。', shift_jis: '金曜日までに出荷を確認してください。' }[
      charset
    ]!;
    const head = [`Subject: ${word(charset, said)}`, `Content-Type: text/plain; charset=${charset}`];
    const { text } = await readParts('a.eml', message(head, iconv.encode(said, charset)));
    expect(text.split(said)).toHaveLength(3);
  });

  it('shows its HTML without what stands in no sentence, and names what is attached', async () => {
    const boundary = 'b1';
    const part = (head: string, body: string) => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`;
    const html =
      '<style>p{}</style><h2>Offer</h2><p>The price is 40 €.</p><script>alert(1)</script><img src="cid:logo">';
    const body = [
      part('Content-Type: text/html; charset=utf-8', html),
      part(
        'Content-Type: image/png; name="logo.png"\r\nContent-ID: <logo>\r\nContent-Disposition: inline',
        'x',
      ),
      part(
        `Content-Type: text/plain\r\nContent-Disposition: attachment; filename*=utf-8''${encodeURIComponent('смета.txt')}`,
        'inside',
      ),
      part(
        'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="../../etc/pass\twd"',
        'two',
      ),
      part('Content-Type: text/plain\r\nContent-Disposition: attachment; filename="смета.txt"', 'three'),
      part('Content-Type: message/rfc822', 'Subject: forwarded\r\n\r\nold words'),
      `--${boundary}--`,
    ].join('');
    const head = [
      'Subject: Offer 7',
      'MIME-Version: 1.0',
      `Content-Type: multipart/mixed; boundary=${boundary}`,
    ];
    const { parts, text, blocks } = await readParts('a.eml', message(head, body));
    expect(text).toContain('The price is 40 €.');
    expect(text).not.toContain('alert');
    expect(blocks.find((block) => block.text === 'Offer\n')?.kind).toBe('heading');
    expect(await membersOf(parts)).toEqual([
      ['смета.txt', 'inside\n'],
      ['.. .. etc pass wd', 'two\n'],
      ['смета (2).txt', 'three\n'],
      ['forwarded.eml', 'Subject: forwarded\n\nold words\n'],
    ]);
    expect(text).toContain('смета.txt (1 kB)');
  });

  it.each([
    {
      fault: 'a boundary that never ends',
      bytes: message(['Content-Type: multipart/mixed; boundary=x'], '--x\r\n\r\nsome words'),
    },
    {
      fault: 'a thousand containers',
      bytes: message(['Subject: deep', 'Content-Type: multipart/mixed; boundary=b0'], nested(1_000)),
    },
    { fault: 'a head of megabytes', bytes: message([`Subject: ${'x'.repeat(3e6)}`], 'words') },
    { fault: 'no head', bytes: Buffer.from('\n\nonly words\n') },
  ])('with $fault ends as text or with a reason', async ({ bytes }) => {
    const outcome = await readParts('a.eml', bytes).then(
      ({ text }) => text,
      (error: unknown) => error,
    );
    if (typeof outcome === 'string') expect(outcome).toMatch(/words|deep/);
    else expect(outcome).toBeInstanceOf(ParseFailure);
  });

  it('that Outlook saved is read in its code page', async () => {
    const found = testData('fixtures/poi/ASCII_CP1251_LCID1049.msg');
    if (!found) return console.warn('not tested: the test data is absent');
    const { text, metadata } = await readParts('a.msg', readFileSync(found));
    expect(metadata).toMatchObject({ kind: 'mail', title: 'Subject автоматически Subject' });
    expect(text).toContain('Body автоматически Body');
  });
});

function nested(depth: number): string {
  let body = 'words';
  for (let at = depth; at > 0; at -= 1) {
    body = `--b${at - 1}\r\nContent-Type: multipart/mixed; boundary=b${at}\r\n\r\n${body}\r\n--b${at - 1}--\r\n`;
  }
  return body;
}

describe('a mailbox', () => {
  it('gives each message once, wherever pieces of the file end', async () => {
    const line = 'From time to time words begin a line.\n>From a quoted one.\n';
    const messages = Array.from(
      { length: 9_000 },
      (_, at) => `Subject: number ${at}\n\n${line.repeat(1 + (at % 4))}end ${at}\n`,
    );
    const mark = 'From someone@example.org Tue Mar 12 10:00:00 2024\n';
    const bytes = Buffer.from(messages.map((one) => `${mark}${one}\n`).join(''));
    expect(bytes.length).toBeGreaterThan(1.5 * 1024 ** 2);
    const found = await withFile('old mails', bytes, async (file) => {
      const parts: [string, string][] = [];
      for await (const part of parseMailbox(file, AbortSignal.timeout(60_000))) {
        if (part.type === 'member') parts.push(...(await membersOf([part])));
      }
      return parts;
    });
    expect(found.length).toBe(messages.length);
    for (const [at, [name, content]] of found.entries()) {
      expect(name).toBe(`${String(at + 1).padStart(5, '0')} number ${at}.eml`);
      expect(content.trimEnd()).toBe(messages[at]!.replaceAll('>From', 'From').trimEnd());
    }
  });

  it('is known by its content', async () => {
    const box = 'From a@example.org Tue Mar 12 10:00:00 2024\nSubject: one\n\nwords\n';
    expect((await readParts('Inbox', box)).metadata.kind).toBe('mailbox');
    expect((await readParts('notes.txt', 'From here on it rains.\nAnd snows.\n')).metadata.kind).toBe('text');
  });
});
