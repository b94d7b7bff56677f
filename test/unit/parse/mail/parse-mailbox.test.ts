import { describe, expect, it } from 'vitest';
import { parseMailbox } from '../../../../src/engine/parse/mail/parse-mailbox.ts';
import { readParts, withFile } from '../read-parts.ts';
import { membersOf } from './mail-samples.ts';

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
        if (part.type === 'member')
          parts.push(
            ...(await membersOf([part])).map(([name, content]): [string, string] => [
              name,
              content.toString(),
            ]),
          );
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

  it('lists its messages outside of passages, and leaves out what Thunderbird deleted', async () => {
    const message = (head: string) => `From - Tue Mar 12 10:00:00 2024\n${head}\n\nwords\n\n`;
    const { parts, blocks } = await readParts(
      'Inbox',
      [
        message(
          'X-Mozilla-Status: 0001\nFrom: =?koi8-r?B?8MXU0g==?= <p@example.org>\nSubject: one\nDate: Tue, 12 Mar 2024 10:00:00 +0000',
        ),
        message('X-Mozilla-Status: 0009\nFrom: a@example.org\nSubject: two'),
        message('From: b@example.org\nSubject: a » b/c'),
      ].join(''),
    );
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['margin', 'one · Петр\n'],
      ['margin', 'a » b/c · b@example.org\n'],
    ]);
    const members = parts.flatMap((one) => (one.type === 'member' ? [one.member] : []));
    expect(members.map(({ name, modifiedAtMs }) => [name, modifiedAtMs])).toEqual([
      ['00001 one.eml', Date.UTC(2024, 2, 12, 10)],
      ['00003 a » b c.eml', undefined],
    ]);
  });
});
