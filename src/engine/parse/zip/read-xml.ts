/** Which elements and texts does an XML part of an office file hold, read piece by piece? */
import { SaxesParser } from 'saxes';
import { ParseFailure } from '../../document.ts';
import type { ZipArchive } from './zip-archive.ts';

export type Attributes = Record<string, string>;

/** Hears a part in document order. Names are as written, with their prefix. */
export interface XmlListener {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text(text: string): void;
}

/** whole: read to the end. damaged: broken on the way, what came before was heard. absent: no such part. */
export type XmlOutcome = 'whole' | 'damaged' | 'absent';

/**
 * Reads a part and lets the caller act after each piece (some 64 KiB), so that blocks leave while the rest is still packed.
 * Entities of a document type are never expanded: the parser knows the five of XML only. Throws ParseFailure
 * too-large and encrypted; broken bytes end the reading with 'damaged'.
 */
export async function* xmlPieces(
  archive: ZipArchive,
  name: string,
  listener: XmlListener,
  signal: AbortSignal,
): AsyncGenerator<void, XmlOutcome> {
  if (!archive.has(name)) return 'absent';
  const feed = new XmlFeed(listener);
  const pieces = archive.read(name, signal);
  while (feed.outcome === 'whole') {
    const next = await pieces.next().then(
      (result) => result,
      (error: unknown) => {
        if (error instanceof ParseFailure && error.reason === 'damaged') return undefined;
        throw error;
      },
    );
    if (!next) return 'damaged';
    if (next.done) break;
    feed.write(next.value);
    yield;
  }
  await pieces.return(undefined);
  feed.end();
  yield;
  return feed.outcome;
}

/** Reads a part to its end. */
export async function readXml(
  archive: ZipArchive,
  name: string,
  listener: XmlListener,
  signal: AbortSignal,
): Promise<XmlOutcome> {
  const pieces = xmlPieces(archive, name, listener, signal);
  while (true) {
    const next = await pieces.next();
    if (next.done) return next.value;
  }
}

/** Part of a qualified name after its prefix. */
export function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Value of an attribute by its local name, whatever prefix the writer chose. */
export function attribute(attributes: Attributes, local: string): string | undefined {
  const plain = attributes[local] ?? attributes[`w:${local}`];
  if (plain !== undefined) return plain;
  for (const name in attributes) if (name.endsWith(`:${local}`)) return attributes[name];
  return undefined;
}

/** An on/off attribute: present without value, "1", "true" and "on" are on. */
export function isOn(attributes: Attributes): boolean {
  const value = attribute(attributes, 'val');
  return value === undefined || value === '1' || value === 'true' || value === 'on';
}

/** The parser with its text decoder; stops listening at the first error. */
class XmlFeed {
  outcome: 'whole' | 'damaged' = 'whole';
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  #decoder: InstanceType<typeof TextDecoder> | undefined;

  constructor(listener: XmlListener) {
    this.#parser.on('error', () => {
      this.outcome = 'damaged';
    });
    this.#parser.on('opentag', (tag) => {
      if (this.outcome === 'whole') listener.open(tag.name, tag.attributes);
    });
    this.#parser.on('closetag', (tag) => {
      if (this.outcome === 'whole') listener.close(tag.name);
    });
    const onText = (text: string): void => {
      if (this.outcome === 'whole') listener.text(text);
    };
    this.#parser.on('text', onText);
    this.#parser.on('cdata', onText);
  }

  write(piece: Buffer): void {
    this.#decoder ??= new TextDecoder(encodingOf(piece));
    this.#parser.write(this.#decoder.decode(piece, { stream: true }));
  }

  end(): void {
    if (this.outcome === 'whole') this.#parser.close();
  }
}

/** Office writes UTF-8 or UTF-16; other programs name theirs in the declaration. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head.toString('latin1', 0, 200))?.[1];
  const isKnown =
    declared !== undefined && /^(utf-8|utf-16|us-ascii|iso-8859-\d+|windows-125\d|koi8-r)$/i.test(declared);
  if (!isKnown || /^utf-16$/i.test(declared)) return 'utf-8';
  return declared;
}
