/** How do tests write mails? */

/** A part of a mail: its head, an empty line, its body. */
export function part(head: string[], body: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body as string)]);
}

/** A mail of several parts; letters in its head stand as UTF-8. */
export function mailOf(head: string[], parts: Buffer[], type = 'multipart/mixed'): Buffer {
  const boundary = `----=_Part_${parts.length}_${head.length}`;
  const whole = [...head, 'MIME-Version: 1.0', `Content-Type: ${type}; boundary="${boundary}"`];
  const pieces = parts.flatMap((one) => [Buffer.from(`--${boundary}\r\n`), one, Buffer.from('\r\n')]);
  return part(whole, Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]));
}
