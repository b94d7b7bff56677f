import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testData } from '../../../test-data.ts';
import { readParts } from '../read-parts.ts';
import { membersOf } from './mail-samples.ts';
import { type MsgParts, makeMsg, uncompressedRtf } from './make-msg.ts';

const id = {
  messageClass: 0x001a,
  subject: 0x0037,
  headers: 0x007d,
  senderName: 0x0c1a,
  senderEmail: 0x0c1f,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  name: 0x3001,
  email: 0x3003,
  smtp: 0x39fe,
  recipientType: 0x0c15,
  codePage: 0x3ffd,
  bodyCodePage: 0x3fde,
  locale: 0x3ff1,
  data: 0x3701,
  longName: 0x3707,
  contentId: 0x3712,
};
const russian = 'Прошу подтвердить отгрузку двадцати насосов до пятницы.';
const page = (text: string): string =>
  [...text].map((letter) => (letter > '\x7f' ? `\\u${letter.codePointAt(0)}?` : letter)).join('');

async function read(parts: MsgParts) {
  return readParts(
    'a.msg',
    makeMsg({ ...parts, properties: [[id.messageClass, 'IPM.Note'], ...parts.properties] }),
  );
}

describe('a message that Outlook saved', () => {
  it('has its people, its day on the writer’s clock, its words', async () => {
    const { text, metadata } = await read({
      properties: [
        [id.subject, 'Отгрузка'],
        [id.senderName, 'Ольга Лебедева'],
        [id.senderEmail, '/O=ORG/OU=GROUP/CN=OLGA'],
        [id.headers, 'Received: from x\r\nDate: Tue, 12 Mar 2024 01:30:00 +0300\r\nSubject: x\r\n'],
        [id.body, russian],
      ],
      recipients: [
        [
          [id.name, 'Иван Петров'],
          [id.smtp, 'ivan@example.org'],
          [id.recipientType, 1],
        ],
        [
          [id.name, 'archive@example.org'],
          [id.email, 'archive@example.org'],
          [id.recipientType, 2],
        ],
        [
          [id.name, 'Boss'],
          [id.recipientType, 3],
        ],
      ],
    });
    expect(metadata).toMatchObject({
      kind: 'mail',
      title: 'Отгрузка',
      author: 'Ольга Лебедева',
      date: '2024-03-12',
    });
    expect(text.split('\n')).toEqual([
      'From: Ольга Лебедева',
      'To: Иван Петров <ivan@example.org>',
      'Cc: archive@example.org',
      'Bcc: Boss',
      'Date: 2024-03-12 01:30 +03:00',
      'Subject: Отгрузка',
      russian,
      '',
    ]);
  });

  it.each([
    { said: 'its own code page', properties: [[id.codePage, 1251]], codePage: 'cp1251' },
    { said: 'its language', properties: [[id.locale, 0x419]], codePage: 'cp1251' },
    { said: 'the code page of its page', properties: [[id.bodyCodePage, 20866]], codePage: 'koi8-r' },
    {
      said: 'a language that its letters are not of',
      properties: [
        [id.locale, 0x409],
        [id.bodyCodePage, 1251],
      ],
      codePage: 'cp1251',
    },
  ] as const)('without Unicode is read by $said', async ({ properties, codePage }) => {
    const { text } = await read({
      properties: [...properties, [id.subject, 'Отгрузка'], [id.body, russian]],
      codePage,
    });
    expect(text).toContain('Subject: Отгрузка');
    expect(text).toContain(russian);
  });

  it('whose page is wrapped into rich text keeps its tables', async () => {
    const html = `{\\*\\htmltag64 <p>}${page(russian)}{\\*\\htmltag72 </p><table><tr><td>}a{\\*\\htmltag </td><td>}b{\\*\\htmltag </td></tr><tr><td>}c{\\*\\htmltag </td><td>}d{\\*\\htmltag </td></tr></table>}`;
    const rtf = uncompressedRtf(
      `{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\htmltag2 <html><body>}${html}{\\*\\htmltag </body></html>}}`,
    );
    const { text, blocks } = await read({
      properties: [
        [id.subject, 'x'],
        [id.body, 'flat a b c d'],
        [id.rtf, rtf],
      ],
    });
    expect(text).toContain(russian);
    expect(blocks.filter(({ kind }) => kind === 'row').map((block) => block.text)).toEqual([
      'a\tb\n',
      'c\td\n',
    ]);
  });

  it('gives what is attached, a message among it', async () => {
    const inner = {
      properties: [
        [id.messageClass, 'IPM.Note'],
        [id.subject, 'inner'],
        [id.body, 'inner words'],
      ],
    } as MsgParts;
    const { parts, text } = await read({
      properties: [
        [id.subject, 'outer'],
        [id.html, Buffer.from('<p>See <img src="cid:dot">below</p>')],
        [id.bodyCodePage, 65001],
      ],
      attachments: [
        {
          properties: [
            [id.longName, 'план.txt'],
            [id.data, Buffer.from('inside')],
          ],
        },
        {
          properties: [
            [id.longName, 'dot.png'],
            [id.contentId, 'dot'],
            [id.data, Buffer.from('tiny')],
          ],
        },
        { properties: [[id.name, 'earlier']], embedded: inner },
      ],
    });
    const members = await membersOf(parts);
    expect(members.map(([name]) => name)).toEqual(['план.txt', 'earlier.msg']);
    expect(members[0]![1].toString()).toBe('inside');
    expect((await readParts('earlier.msg', members[1]![1])).text).toContain('inner words');
    expect(text).toContain('Attachment: earlier.msg');
  });

  it('that was signed as a whole is read', async () => {
    const signed =
      'Content-Type: multipart/signed; boundary=s\r\n\r\n--s\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nthe signed words\r\n--s\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nx\r\n--s--\r\n';
    const { text, parts } = await readParts(
      'a.msg',
      makeMsg({
        properties: [
          [id.messageClass, 'IPM.Note.SMIME.MultipartSigned'],
          [id.subject, 'order'],
        ],
        attachments: [
          {
            properties: [
              [id.longName, 'smime.p7m'],
              [id.data, Buffer.from(signed)],
            ],
          },
        ],
      }),
    );
    expect(text).toContain('the signed words');
    expect(await membersOf(parts)).toEqual([]);
  });

  it('that is under a key keeps its head and says so', async () => {
    const { text, parts } = await readParts(
      'a.msg',
      makeMsg({
        properties: [
          [id.messageClass, 'IPM.Note.SMIME'],
          [id.subject, 'order'],
        ],
        attachments: [
          {
            properties: [
              [id.longName, 'smime.p7m'],
              [id.data, Buffer.from('3080', 'hex')],
            ],
          },
        ],
      }),
    );
    expect(text).toBe('Subject: order\n');
    expect(parts.find((one) => one.type === 'warning')).toMatchObject({ warning: { code: 'encrypted' } });
  });

  it.each([
    { file: 'ASCII_CP1251_LCID1049.msg', words: 'Body автоматически Body' },
    { file: 'HTMLBodyBinary_CP1251.msg', words: 'HTML автоматически' },
    { file: 'example_sent_regular.msg', words: '\tT:       M:\t+44' },
  ])('of $file holds its words', async ({ file, words }) => {
    const found = testData(`fixtures/poi/${file}`);
    if (!found) return console.warn('not tested: the test data is absent');
    expect((await readParts('a.msg', readFileSync(found))).text).toContain(words);
  });
});
