import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { ParseFailure } from '../../../../src/engine/document.ts';
import { readParts } from '../read-parts.ts';
import { mailOf, membersOf, part } from './mail-samples.ts';

const RUSSIAN = 'Прошу подтвердить отгрузку двадцати насосов до пятницы, склад закрывается.';

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
    const html =
      '<style>p{}</style><h2>Offer</h2><p>The price is 40 €.</p><script>alert(1)</script><img src="cid:logo"><img src="cid:scan">';
    const attached = (name: string) => [
      'Content-Type: text/plain',
      `Content-Disposition: attachment; filename${name}`,
    ];
    const picture = (id: string) => [
      'Content-Type: image/png; name="p.png"',
      `Content-ID: <${id}>`,
      'Content-Disposition: inline',
    ];
    const mail = mailOf(
      ['Subject: Offer 7'],
      [
        part(['Content-Type: text/html; charset=utf-8'], html),
        part(picture('logo'), 'x'),
        part(picture('scan'), 'x'.repeat(9_000)),
        part(attached(`*=utf-8''${encodeURIComponent('смета.txt')}`), 'inside'),
        part(attached('="../../etc/pass\twd"'), 'two'),
        part(attached('="смета.txt"'), 'three'),
        part(['Content-Type: message/rfc822'], 'Subject: forwarded\r\n\r\nold words'),
      ],
    );
    const { parts, text, blocks } = await readParts('a.eml', mail);
    expect(text).toContain('The price is 40 €.');
    expect(text).not.toContain('alert');
    expect(blocks.find((block) => block.text === 'Offer\n')?.kind).toBe('heading');
    expect((await membersOf(parts)).map(([name, bytes]) => [name, bytes.toString().slice(0, 40)])).toEqual([
      ['p.png', 'x'.repeat(40)],
      ['смета.txt', 'inside\n'],
      ['.. .. etc pass wd', 'two\n'],
      ['смета (2).txt', 'three\n'],
      ['forwarded.eml', 'Subject: forwarded\n\nold words\n'],
    ]);
    expect(text).toContain('Attachment: смета.txt (1 kB)');
  });

  it.each([
    { label: 'win-1251', charset: 'win1251' },
    { label: 'cp-866', charset: 'cp866' },
    { label: 'koi8r', charset: 'koi8-r' },
    { label: 'mac-cyrillic', charset: 'maccyrillic' },
    { label: 'us-ascii', charset: 'koi8-r' },
    { label: 'unknown-8bit', charset: 'win1251' },
  ])('that calls its letters $label is read as it was meant', async ({ label, charset }) => {
    const { text } = await readParts(
      'a.eml',
      part([`Content-Type: text/plain; charset=${label}`], iconv.encode(RUSSIAN, charset)),
    );
    expect(text).toContain(RUSSIAN);
  });

  it.each(['8bit', 'base64', 'quoted-printable'])(
    'of which one part (%s) names no letters, nor the name of a file, is read by their look',
    async (coding) => {
      const bytes = iconv.encode(RUSSIAN, 'win1251');
      const body = {
        '8bit': bytes,
        base64: bytes.toString('base64'),
        'quoted-printable': bytes
          .toString('latin1')
          .replaceAll(/[^ -~]/g, (one) => `=${one.charCodeAt(0).toString(16)}`),
      }[coding]!;
      const name = iconv.encode(
        'Content-Type: application/octet-stream; name="Отгрузка насосов.doc"\r\n\r\nx',
        'win1251',
      );
      const mail = mailOf(
        ['Subject: x'],
        [
          part(['Content-Type: text/plain; charset=utf-8'], 'first'),
          part(['Content-Type: text/plain; format=flowed', `Content-Transfer-Encoding: ${coding}`], body),
          name,
        ],
      );
      const { text, parts } = await readParts('a.eml', mail);
      expect(text).toContain('first');
      expect(text).toContain(RUSSIAN);
      expect((await membersOf(parts)).map(([one]) => one)).toEqual(['Отгрузка насосов.doc']);
    },
  );

  it.each([
    { written: 'Tue, 12 Mar 2024 01:30:00 +0300 (MSK)', day: '2024-03-12', said: '2024-03-12 01:30 +03:00' },
    { written: '11 Mar 24 23:30 -0330', day: '2024-03-11', said: '2024-03-11 23:30 -03:30' },
    { written: 'Mon, 11 Mar 2024 22:30:00 GMT', day: '2024-03-11', said: '2024-03-11 22:30 UTC' },
    { written: 'yesterday', day: undefined, said: 'yesterday' },
  ])('written "$written" has the day of its writer', async ({ written, day, said }) => {
    const { metadata, text } = await readParts('a.eml', part([`Date: ${written}`], 'words'));
    expect(metadata.date).toBe(day);
    expect(text).toBe(`Date: ${said}\nwords\n`);
  });

  it.each([
    {
      around: 'the line of a mailbox',
      name: 'a.eml',
      start: 'From a@example.org Tue Mar 12 10:00:00 2024\n',
      end: '',
    },
    {
      around: 'what Apple’s Mail adds',
      name: 'a.emlx',
      start: '20        \n',
      end: '<?xml version="1.0"?><plist/>',
    },
  ])('is one message without $around', async ({ name, start, end }) => {
    const { text, metadata } = await readParts(name, `${start}Subject: one\n\nwords\n${end}`);
    expect(metadata).toMatchObject({ kind: 'mail', title: 'one' });
    expect(text).toBe('Subject: one\nwords\n');
  });

  it.each([
    { form: 'lengths said', content: definiteSigned },
    { form: 'lengths open', content: openSigned },
  ])('that was signed as a whole is read, its $form', async ({ content }) => {
    const head = [
      'Subject: Signed order',
      'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
      'Content-Transfer-Encoding: base64',
    ];
    const { text, parts } = await readParts('a.eml', part(head, content));
    expect(text).toBe('Subject: Signed order\nПодписано: тридцать насосов.\n');
    expect(parts.filter(({ type }) => type === 'member' || type === 'warning')).toEqual([]);
  });

  it('whose words PGP signed has them without its armour; what it encrypted is said', async () => {
    const armour =
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nPay 40.\n- -- \nOlga\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n';
    const signed = await readParts('a.eml', part(['Subject: x'], armour));
    expect(signed.text).toBe('Subject: x\nPay 40.\n--\nOlga\n');
    const secret = await readParts(
      'a.eml',
      part(['Subject: x'], '-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n'),
    );
    expect(secret.text).toBe('Subject: x\n');
    expect(secret.parts.find(({ type }) => type === 'warning')).toMatchObject({
      warning: { code: 'encrypted' },
    });
  });

  it('gives what Outlook put into a winmail.dat', async () => {
    const mail = mailOf(
      ['Subject: x'],
      [
        part(['Content-Type: text/plain'], 'words'),
        part(
          ['Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Transfer-Encoding: base64'],
          tnefOf('план.txt', 'inside').toString('base64'),
        ),
      ],
    );
    const { parts } = await readParts('a.eml', mail);
    expect((await membersOf(parts)).map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['план.txt', 'inside'],
    ]);
  });

  it('that holds a thousand mails inside each other is read, the next of them as its member', async () => {
    const mail = Array.from(
      { length: 1_000 },
      (_, at) => `Subject: mail ${at}\r\nContent-Type: message/rfc822\r\n\r\n`,
    ).join('');
    const { text, parts } = await readParts('a.eml', `${mail}Subject: last\r\n\r\nwords`);
    expect(text).toContain('Subject: mail 0');
    expect((await membersOf(parts)).map(([name]) => name)).toEqual(['mail 1.eml']);
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
});

/** "Подписано: тридцать насосов." as OpenSSL signs it (cms -sign -nodetach), in both forms of its encoding, without certificates. */
const definiteSigned = `MIICOQYJKoZIhvcNAQcCoIICKjCCAiYCAQExDzANBglghkgBZQMEAgEFADCBkwYJKoZIhvcNAQcBoIGFBIGCQ29udGVudC1UeXBl
OiB0ZXh0L3BsYWluOyBjaGFyc2V0PXV0Zi04DQpDb250ZW50LVRyYW5zZmVyLUVuY29kaW5nOiA4Yml0DQoNCtCf0L7QtNC/0LjR
gdCw0L3Qvjog0YLRgNC40LTRhtCw0YLRjCDQvdCw0YHQvtGB0L7Qsi4NCjGCAXgwggF0AgEBMCQwDDEKMAgGA1UEAwwBdAIUfiKl
FRoUerGupS9Wvi+0AhM5st8wDQYJYIZIAWUDBAIBBQCggeQwGAYJKoZIhvcNAQkDMQsGCSqGSIb3DQEHATAcBgkqhkiG9w0BCQUx
DxcNMjYxMjAxMDUyOTI2WjAvBgkqhkiG9w0BCQQxIgQgemC02pnMf/uqTvIDjgWi5Y2aZGzuoAII3f/eEUSQL5EweQYJKoZIhvcN
AQkPMWwwajALBglghkgBZQMEASowCwYJYIZIAWUDBAEWMAsGCWCGSAFlAwQBAjAKBggqhkiG9w0DBzAOBggqhkiG9w0DAgICAIAw
DQYIKoZIhvcNAwICAUAwBwYFKw4DAgcwDQYIKoZIhvcNAwICASgwCgYIKoZIzj0EAwIERzBFAiBeQ6dY62pZ/wI5KjJB54LetYJf
60+IV3j4LZReemfEggIhAN0nz1X8UppZh/ciutH56UJiIOQvaWEsEjAOwUpabyI5`;
const openSigned = `MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgASBgkNvbnRlbnQtVHlwZTogdGV4dC9w
bGFpbjsgY2hhcnNldD11dGYtOA0KQ29udGVudC1UcmFuc2Zlci1FbmNvZGluZzogOGJpdA0KDQrQn9C+0LTQv9C40YHQsNC90L46
INGC0YDQuNC00YbQsNGC0Ywg0L3QsNGB0L7RgdC+0LIuDQoAAAAAAAAxggF3MIIBcwIBATAkMAwxCjAIBgNVBAMMAXQCFH4ipRUa
FHqxrqUvVr4vtAITObLfMAsGCWCGSAFlAwQCAaCB5DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0y
NjEyMDEwNTI5MjZaMC8GCSqGSIb3DQEJBDEiBCB6YLTamcx/+6pO8gOOBaLljZpkbO6gAgjd/94RRJAvkTB5BgkqhkiG9w0BCQ8x
bDBqMAsGCWCGSAFlAwQBKjALBglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4GCCqGSIb3DQMCAgIAgDANBggq
hkiG9w0DAgIBQDAHBgUrDgMCBzANBggqhkiG9w0DAgIBKDAKBggqhkjOPQQDAgRIMEYCIQC5eCegHz7Z0OkDLkAYcTB3yEAQMZoH
Gz8B9HDvaa0wrwIhAJduNf/cmGQiThCg7gYYVjnyVTIvvo/beFvJloc5NJF0AAAAAAAA`;

/** Signature, key, then attributes: the level, what it is, its length, its bytes, a sum that nobody checks. */
function tnefOf(name: string, content: string): Buffer {
  const attribute = (level: number, id: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUInt8(level);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(data.length, 5);
    return Buffer.concat([head, data, Buffer.alloc(2)]);
  };
  const codePage = Buffer.alloc(8);
  codePage.writeUInt32LE(1251);
  return Buffer.concat([
    Buffer.from('789f3e220100', 'hex'),
    attribute(1, 0x00069007, codePage),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, iconv.encode(`${name}\0`, 'win1251')),
    attribute(2, 0x0006800f, Buffer.from(content)),
  ]);
}

function nested(depth: number): string {
  let body = 'words';
  for (let at = depth; at > 0; at -= 1) {
    body = `--b${at - 1}\r\nContent-Type: multipart/mixed; boundary=b${at}\r\n\r\n${body}\r\n--b${at - 1}--\r\n`;
  }
  return body;
}
