/** How do tests write mails, and what do they ask of what was read? */
import type { Part } from '../../../../src/engine/document.ts';

/** A part of a mail: its head, an empty line, its body. Letters in the head stand as UTF-8. */
export function part(head: string[], body: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body as string)]);
}

/** A mail of several parts. */
export function mailOf(head: string[], parts: Buffer[], type = 'multipart/mixed'): Buffer {
  const boundary = `----=_Part_${parts.length}_${head.length}`;
  const whole = [...head, 'MIME-Version: 1.0', `Content-Type: ${type}; boundary="${boundary}"`];
  const pieces = parts.flatMap((one) => [Buffer.from(`--${boundary}\r\n`), one, Buffer.from('\r\n')]);
  return part(whole, Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]));
}

/** Names and bytes of the documents inside. */
export async function membersOf(parts: Part[]): Promise<[name: string, content: Buffer][]> {
  const found: [string, Buffer][] = [];
  for (const one of parts) {
    if (one.type !== 'member') continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of one.member.content()) pieces.push(piece);
    found.push([one.member.name, Buffer.concat(pieces)]);
  }
  return found;
}
