/** What does a paragraph style of a Word document make of its paragraphs? */
import { type Attributes, attribute, isOn, localName, readXml, type XmlListener } from '../zip/read-xml.ts';
import type { ZipArchive } from '../zip/zip-archive.ts';

export interface Numbering {
  id: string;
  /** 0 to 8. */
  level: number;
}

/** A style with what it inherits. */
export interface ParagraphStyle {
  role: 'title' | 'heading' | 'contents' | 'caption' | 'code' | 'text';
  /** 1 to 9, of headings. */
  level?: number;
  numbering?: Numbering;
  isBold: boolean;
  hasIndent: boolean;
}

/** A style as it stands in the file. */
interface RawStyle {
  name: string;
  basedOn?: string;
  outlineLevel?: number;
  numberingId?: string;
  numberingLevel?: number;
  isBold?: boolean;
  hasIndent: boolean;
}

const PLAIN: ParagraphStyle = { role: 'text', isBold: false, hasIndent: false };
/** Longest chain of styles based on each other; also ends a circle. */
const MAX_CHAIN = 20;

const HEADING = /^(?:heading|заголовок|überschrift|nagłówek|título|titre|titolo|kop|rubrik)\s*([1-9])$/i;
const TITLE = /^(?:title|название|титул|titel|tytuł|título|titre)$/i;
const CONTENTS = /^(?:toc|contents|оглавление|verzeichnis|spis treści|tdc|índice)\s*\d?$/i;
const CAPTION = /^(?:caption|название объекта|beschriftung|legenda|epígrafe)$/i;
const CODE = /^(?:html preformatted|code|source code|preformatted text|macro text|plain code)$/i;

/** Styles by identifier, resolved along their chains when first asked for. */
export class Styles {
  readonly #raw: Map<string, RawStyle>;
  readonly #defaultId: string | undefined;
  readonly #resolved = new Map<string, ParagraphStyle>();

  constructor(raw: Map<string, RawStyle>, defaultId: string | undefined) {
    this.#raw = raw;
    this.#defaultId = defaultId;
  }

  /** The style of a paragraph that names this one, or none. */
  get(id: string | undefined): ParagraphStyle {
    const key = id ?? this.#defaultId;
    if (key === undefined) return PLAIN;
    let style = this.#resolved.get(key);
    if (!style) {
      style = this.#resolve(key);
      this.#resolved.set(key, style);
    }
    return style;
  }

  /** Numbering that a numbering style stands for. */
  numberingOf(id: string): string | undefined {
    return this.#raw.get(id)?.numberingId;
  }

  #resolve(id: string): ParagraphStyle {
    const chain: RawStyle[] = [];
    for (let at: string | undefined = id; at !== undefined && chain.length < MAX_CHAIN; ) {
      const raw: RawStyle | undefined = this.#raw.get(at);
      if (!raw) break;
      chain.push(raw);
      at = raw.basedOn;
    }
    const first = <Key extends keyof RawStyle>(key: Key): RawStyle[Key] | undefined =>
      chain.find((style) => style[key] !== undefined)?.[key];
    const numberingId = first('numberingId');
    return {
      ...roleOf(chain, first('outlineLevel')),
      ...(numberingId === undefined || numberingId === '0'
        ? {}
        : { numbering: { id: numberingId, level: first('numberingLevel') ?? 0 } }),
      isBold: first('isBold') ?? false,
      hasIndent: chain.some((style) => style.hasIndent),
    };
  }
}

function roleOf(chain: RawStyle[], outlineLevel: number | undefined): Pick<ParagraphStyle, 'role' | 'level'> {
  for (const { name } of chain) {
    const level = HEADING.exec(name)?.[1];
    if (level) return { role: 'heading', level: Number(level) };
    if (TITLE.test(name)) return { role: 'title' };
    if (CONTENTS.test(name)) return { role: 'contents' };
    if (CAPTION.test(name)) return { role: 'caption' };
    if (CODE.test(name)) return { role: 'code' };
  }
  if (outlineLevel !== undefined && outlineLevel < 9) return { role: 'heading', level: outlineLevel + 1 };
  return { role: 'text' };
}

export async function readStyles(archive: ZipArchive, part: string, signal: AbortSignal): Promise<Styles> {
  const listener = new StylesListener();
  await readXml(archive, part, listener, signal);
  return new Styles(listener.styles, listener.defaultId);
}

class StylesListener implements XmlListener {
  readonly styles = new Map<string, RawStyle>();
  defaultId: string | undefined;
  #style: RawStyle | undefined;
  /** Inside the properties for parts of a table, which are no properties of the style itself. */
  #tablePartDepth = 0;

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    if (local === 'style') {
      this.#style = { name: '', hasIndent: false };
      const id = attribute(attributes, 'styleId') ?? '';
      this.styles.set(id, this.#style);
      const isDefault = attribute(attributes, 'default');
      const isParagraph = attribute(attributes, 'type') === 'paragraph';
      if (isParagraph && (isDefault === '1' || isDefault === 'true')) this.defaultId = id;
      return;
    }
    if (local === 'tblStylePr') this.#tablePartDepth += 1;
    if (this.#style && this.#tablePartDepth === 0) this.#property(this.#style, local, attributes);
  }

  close(name: string): void {
    const local = localName(name);
    if (local === 'tblStylePr') this.#tablePartDepth -= 1;
    else if (local === 'style') this.#style = undefined;
  }

  text(): void {}

  #property(style: RawStyle, local: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    if (local === 'name') style.name = (value ?? '').trim();
    else if (local === 'basedOn' && value !== undefined) style.basedOn = value;
    else if (local === 'outlineLvl') style.outlineLevel = Number(value);
    else if (local === 'numId' && value !== undefined) style.numberingId = value;
    else if (local === 'ilvl') style.numberingLevel = Number(value);
    else if (local === 'b') style.isBold = isOn(attributes);
    else if (local === 'ind') style.hasIndent = true;
  }
}
