/** Which blocks does rich text hold, and where do they stand? */
import { readFile } from 'node:fs/promises';
import { rtf as limits } from '../../config.ts';
import { ParseFailure, type Parser } from '../../document.ts';
import { itemParts } from './flow-items.ts';
import { FlowParts } from './flow-parts.ts';
import { RtfReader } from './rtf/reader.ts';
import { readTokens } from './rtf/tokens.ts';

/** Reads the body with its tables; notes, comments and text boxes stand behind the paragraph that holds them. */
export const parseRtf: Parser = async function* (file, signal) {
  if (file.sizeBytes > limits.maxBytes) {
    throw new ParseFailure(
      'too-large',
      `The document was not read: ${file.name}: it is larger than the limit for rich text: save it as DOCX.`,
    );
  }
  const bytes = file.bytes ? Buffer.from(file.bytes) : await readFile(file.path);
  const reader = new RtfReader();
  const flow = new FlowParts();
  let hasText = false;
  for (let at = 0; at < bytes.length; ) {
    signal.throwIfAborted();
    at = readTokens(bytes, at, Math.min(bytes.length, at + limits.pieceBytes), reader);
    if (at >= bytes.length) reader.end();
    if (!hasText) yield { type: 'metadata', metadata: { kind: 'rtf', ...reader.properties } };
    for (const part of itemParts(flow, reader.take())) {
      hasText = true;
      yield part;
    }
  }
  if (!hasText) throw new ParseFailure('empty', `Nothing to read: ${file.name}: there is no text in it.`);
};
