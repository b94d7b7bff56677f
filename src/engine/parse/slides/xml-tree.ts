/** Which tree of elements does a small XML part of a presentation hold? */
import { slides as limits } from '../../config.ts';
import { type Attributes, localName, readXml, type XmlListener, type XmlOutcome } from '../zip/read-xml.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';

/** An element by its name without prefix, its texts joined. */
export class XmlNode {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: XmlNode[] = [];
  /** Of itself, without its children's. */
  text = '';

  constructor(name: string, attributes: Attributes) {
    this.name = name;
    this.attributes = attributes;
  }

  /** The first child of a name; further names lead deeper. */
  child(...path: string[]): XmlNode | undefined {
    let node: XmlNode | undefined = this;
    for (const name of path) node = node?.children.find((child) => child.name === name);
    return node;
  }

  all(name: string): XmlNode[] {
    return this.children.filter((child) => child.name === name);
  }

  /** Every element of a name beneath, in order. */
  *deep(name: string): Generator<XmlNode> {
    for (const child of this.children) {
      if (child.name === name) yield child;
      yield* child.deep(name);
    }
  }

  /** Attribute by its name without prefix. */
  get(name: string): string | undefined {
    const plain = this.attributes[name];
    if (plain !== undefined) return plain;
    for (const key in this.attributes) if (key.endsWith(`:${name}`)) return this.attributes[key];
    return undefined;
  }

  /** A number of an attribute; undefined where there is none. */
  number(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined || value.trim() === '') return undefined;
    const number = value.endsWith('%') ? Number(value.slice(0, -1)) * 1_000 : Number(value);
    return Number.isFinite(number) ? number : undefined;
  }

  isOn(name: string, otherwise = false): boolean {
    const value = this.get(name);
    return value === undefined ? otherwise : value === '1' || value === 'true' || value === 'on';
  }
}

export interface XmlTree {
  root: XmlNode;
  outcome: XmlOutcome;
}

/** Name of a child that stands for a stretch of text between elements. */
export const TEXT = '#text';

/**
 * Reads a part whole; of a broken one what came before. With `isMixed` stretches of text stand among the children, where their order
 * matters. Throws ParseFailure too-large and encrypted.
 */
export async function readTree(
  archive: ZipArchive,
  name: string,
  signal: AbortSignal,
  isMixed = false,
): Promise<XmlTree> {
  const builder = new TreeBuilder(isMixed);
  const outcome = await readXml(archive, name, builder, signal);
  return { root: builder.root, outcome: builder.isCut && outcome === 'whole' ? 'damaged' : outcome };
}

/** Keeps elements up to a number and a depth; what lies beyond is left out. */
class TreeBuilder implements XmlListener {
  isCut = false;
  readonly #isMixed: boolean;
  readonly #top = new XmlNode('', {});
  readonly #open: XmlNode[] = [this.#top];
  #count = 0;
  #left = 0;
  #length = 0;

  constructor(isMixed: boolean) {
    this.#isMixed = isMixed;
  }

  get root(): XmlNode {
    return this.#top.children.find(({ name }) => name !== TEXT) ?? this.#top;
  }

  open(name: string, attributes: Attributes): void {
    this.#count += 1;
    if (this.#left > 0 || this.#open.length > limits.maxDepth || this.#count > limits.maxElements) {
      this.#left += 1;
      this.isCut = true;
      return;
    }
    const node = new XmlNode(localName(name), attributes);
    this.#open.at(-1)!.children.push(node);
    this.#open.push(node);
  }

  close(): void {
    if (this.#left > 0) this.#left -= 1;
    else if (this.#open.length > 1) this.#open.pop();
  }

  text(text: string): void {
    this.#length += text.length;
    if (this.#left > 0) return;
    if (this.#length > limits.maxPartLength) {
      this.isCut = true;
      return;
    }
    const open = this.#open.at(-1)!;
    open.text += text;
    if (!this.#isMixed) return;
    const stretch = new XmlNode(TEXT, {});
    stretch.text = text;
    open.children.push(stretch);
  }
}
