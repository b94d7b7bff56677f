/** Which elements and texts does a file of XML hold, also where it is not quite well-formed? */
import { readFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { parseFragment } from 'parse5';
import { SaxesParser } from 'saxes';
import { xml as limits } from '../../../config.ts';
import { ParseFailure, type SourceFile } from '../../../document.ts';
import { toIconvName } from '../../text/code-pages.ts';
import { detectEncoding } from '../../text/detect-encoding.ts';
import type { XmlListener } from '../../zip/read-xml.ts';

/** The text of the file. Throws ParseFailure: too-large, damaged. */
export async function readXmlText(file: SourceFile): Promise<{ text: string; encoding: string }> {
  if (file.sizeBytes > limits.maxBytes) {
    throw new ParseFailure(
      'too-large',
      `The document was not read: ${file.name}: it is larger than the limit for XML: split it.`,
    );
  }
  const bytes = file.bytes ? Buffer.from(file.bytes) : await readFile(file.path);
  const detected = detectEncoding(bytes.subarray(0, limits.sampleBytes));
  if (!detected)
    throw new ParseFailure(
      'damaged',
      `The document could not be read: ${file.name}: its content is binary; get an intact copy.`,
    );
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/
    .exec(bytes.toString('latin1', 0, 300))?.[1]
    ?.toLowerCase();
  const isCertain = detected.markBytes > 0 || detected.encoding.startsWith('utf-') || declared === undefined;
  const named = isCertain || !iconv.encodingExists(toIconvName(declared)) ? detected.encoding : declared;
  return { text: iconv.decode(bytes.subarray(detected.markBytes), toIconvName(named)), encoding: named };
}

/**
 * Feeds the file to the listener, which may be asked for what it has after each piece. What a document type declares is never expanded and nothing is fetched;
 * names of characters that HTML knows are, as they are no more than characters. True where it was read to its end.
 */
export function* feedXml(text: string, listener: XmlListener): Generator<void, boolean> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let errors = 0;
  let isOpen = true;
  let depth = 0;
  parser.ENTITIES = new Proxy<Record<string, string>>(
    {},
    { get: (_, name) => characterOf(String(name)) as string },
  );
  parser.on('error', () => {
    errors += 1;
    isOpen = errors <= limits.maxErrors;
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > limits.maxDepth) isOpen = false;
    if (isOpen) listener.open(tag.name, tag.attributes);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    if (isOpen) listener.close(tag.name);
  });
  const onText = (piece: string): void => {
    if (isOpen) listener.text(piece);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  for (let at = 0; at < text.length && isOpen; at += limits.pieceLength) {
    parser.write(text.slice(at, at + limits.pieceLength));
    yield;
  }
  if (isOpen) parser.close();
  yield;
  return isOpen && errors === 0;
}

const known = new Map<string, string | undefined>([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The character that HTML calls so. */
function characterOf(name: string): string | undefined {
  if (known.has(name)) return known.get(name);
  if (!/^\w{2,32}$/.test(name)) return undefined;
  const [node] = parseFragment(`&${name};`).childNodes;
  const text = node && 'value' in node ? node.value : '';
  const character = text === `&${name};` || text === '' ? undefined : text;
  if (known.size < limits.maxCharacterNames) known.set(name, character);
  return character;
}
