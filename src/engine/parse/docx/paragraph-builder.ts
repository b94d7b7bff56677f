/** What text does a paragraph show, and how is it written so that the view shows exactly this text? */
import type { Attributes } from '../zip/read-xml.ts';
import type { Label } from './numbering.ts';

/** A stretch of a paragraph's text and the stretch of the rendered paragraph that shows it. */
export interface Piece {
  text: string;
  /** Offset in the rendered paragraph; a formula counts as one unit there. */
  viewStart: number;
  viewLength: number;
}

/** A paragraph as the view shows it. */
export interface StoryParagraph {
  /** Name of the element in the view, such as "b12"; unique in the document. */
  path: string;
  /** Texts of the pieces together, the number in front included. */
  text: string;
  pieces: Piece[];
  style: string | undefined;
  outlineLevel: number | undefined;
  isListItem: boolean;
  /** Every letter is bold by direct formatting. */
  isBold: boolean;
  /** Length of the number that Word puts in front, with the space after it. */
  labelLength: number;
}

/** What stands in the properties of a paragraph. */
export interface ParagraphProperties {
  style?: string;
  outlineLevel?: number;
  numberingId?: string;
  numberingLevel?: number;
  hasIndent: boolean;
  /** The other properties as XML. */
  xml: string;
}

/** Formatting of a run that matters here. */
export interface RunProperties {
  isBold: boolean | undefined;
  isHidden: boolean;
  xml: string;
}

export const plainRun: RunProperties = { isBold: undefined, isHidden: false, xml: '' };

/** One paragraph while it is read. Every method adds to its text and, when a view is made, to its XML. */
export class ParagraphBuilder {
  readonly path: string;
  readonly properties: ParagraphProperties = { hasIndent: false, xml: '' };
  readonly #prefix: string;
  readonly #isView: boolean;
  readonly #isStyleBold: (style: string | undefined) => boolean;
  #label: Label | undefined;
  #labelLength = 0;
  #pieces: Piece[] = [];
  #viewLength = 0;
  #xml = '';
  #hasText = false;
  #hasLight = false;
  #breaksBefore = 0;
  #breaksAfter = 0;

  constructor(
    path: string,
    prefix: string,
    isView: boolean,
    isStyleBold: (style: string | undefined) => boolean,
  ) {
    this.path = path;
    this.#prefix = prefix;
    this.#isView = isView;
    this.#isStyleBold = isStyleBold;
  }

  /** The number before the paragraph, which becomes text of it; bullets stay with the view. */
  setLabel(label: Label | undefined): void {
    this.#label = label;
  }

  addText(text: string, run: RunProperties): void {
    const shown = text.replaceAll('\u00ad', '').normalize('NFC');
    if (shown === '' || run.isHidden) return;
    this.#addLabel(run);
    if (/\S/.test(shown)) {
      this.#hasText = true;
      if (/\p{L}/u.test(shown) && !(run.isBold ?? this.#isStyleBold(this.properties.style)))
        this.#hasLight = true;
    }
    this.#push(shown, shown.length);
    if (this.#isView) this.#xml += this.#textRun(shown, run);
  }

  /** A tab; the view shows one wide space, which is as long. */
  addTab(run: RunProperties): void {
    if (run.isHidden) return;
    this.#addLabel(run);
    this.#push('\t', 1);
    this.#xml += this.#run(`<${this.#prefix}tab/>`, run);
  }

  /** A formula: its signs as text, one unit in the view. */
  addFormula(text: string, xml: string): void {
    this.#addLabel(plainRun);
    const shown = text.normalize('NFC').trim();
    if (shown !== '') {
      this.#hasText = true;
      this.#hasLight = true;
    }
    this.#push(shown, 1);
    this.#xml += xml;
  }

  /** The mark of a note, which the view draws without counting it as text. */
  addNoteMark(mark: string, name: string, run: RunProperties): void {
    if (!this.#isView || run.isHidden) return;
    this.#addLabel(run);
    this.#xml += this.#bookmark(name) + this.#run(mark, run);
  }

  /** Something to draw inside a run: a picture. */
  addDrawing(xml: string, run: RunProperties): void {
    if (this.#isView && !run.isHidden) this.#xml += this.#run(xml, run);
  }

  /** XML between runs: a link's tags, an earlier bookmark. */
  addRaw(xml: string): void {
    if (this.#isView) this.#xml += xml;
  }

  /** A page break: it leaves the paragraph, which the view would otherwise cut in two; words on both sides stay apart. */
  addPageBreak(run: RunProperties): void {
    if (!this.#hasText) {
      this.#breaksBefore += 1;
      return;
    }
    this.#breaksAfter += 1;
    this.addText('\n', run);
  }

  toParagraph(): StoryParagraph {
    const text = this.#pieces.map((piece) => piece.text).join('');
    return {
      path: this.path,
      text: this.#hasText ? text : '',
      pieces: this.#hasText ? this.#pieces : [],
      style: this.properties.style,
      outlineLevel: this.properties.outlineLevel,
      isListItem: this.#label !== undefined,
      isBold: this.#hasText && !this.#hasLight,
      labelLength: this.#labelLength,
    };
  }

  /** The paragraph for the view, with a bookmark that names it. `isTop`: page breaks hold only there. */
  toXml(isTop: boolean): string {
    const w = this.#prefix;
    const pageBreak = `<${w}p><${w}r><${w}br ${w}type="page"/></${w}r></${w}p>`;
    const properties = `<${w}pPr>${this.properties.xml}${this.#numberingXml()}</${w}pPr>`;
    const bookmark = this.#hasText ? this.#bookmark(`lectern-${this.path}`) : '';
    const paragraph = `<${w}p>${properties}${bookmark}${this.#xml}</${w}p>`;
    if (!isTop) return paragraph;
    return (
      pageBreak.repeat(Math.min(this.#breaksBefore, 1)) +
      paragraph +
      pageBreak.repeat(Math.min(this.#breaksAfter, 1))
    );
  }

  #numberingXml(): string {
    const { numberingId, numberingLevel, hasIndent } = this.properties;
    const w = this.#prefix;
    const reference = (id: string, level: number): string =>
      `<${w}numPr><${w}ilvl ${w}val="${level}"/><${w}numId ${w}val="${id}"/></${w}numPr>`;
    if (!this.#label) return numberingId === '0' ? reference('0', 0) : '';
    if (this.#label.isBullet)
      return numberingId === undefined ? '' : reference(escapeXml(numberingId), numberingLevel ?? 0);
    // List 0 is none: the view must not count a second time what is written out.
    const indent = this.#label.indent && !hasIndent ? toTag(`${w}ind`, this.#label.indent, true) : '';
    return reference('0', 0) + indent;
  }

  #addLabel(run: RunProperties): void {
    if (!this.#label || this.#label.text === '' || this.#labelLength > 0) return;
    const label = `${this.#label.text} `.normalize('NFC');
    this.#labelLength = label.length;
    this.#push(label, label.length);
    if (this.#isView) this.#xml += this.#textRun(label, run);
  }

  #push(text: string, viewLength: number): void {
    this.#pieces.push({ text, viewStart: this.#viewLength, viewLength });
    this.#viewLength += viewLength;
  }

  #textRun(text: string, run: RunProperties): string {
    const w = this.#prefix;
    return this.#run(`<${w}t xml:space="preserve">${escapeXml(text)}</${w}t>`, run);
  }

  #run(content: string, run: RunProperties): string {
    if (!this.#isView) return '';
    const w = this.#prefix;
    return `<${w}r>${run.xml === '' ? '' : `<${w}rPr>${run.xml}</${w}rPr>`}${content}</${w}r>`;
  }

  #bookmark(name: string): string {
    const w = this.#prefix;
    return `<${w}bookmarkStart ${w}id="0" ${w}name="${name}"/><${w}bookmarkEnd ${w}id="0"/>`;
  }
}

export function toTag(name: string, attributes: Attributes, isEmpty: boolean): string {
  let tag = `<${name}`;
  for (const key in attributes) tag += ` ${key}="${escapeXml(attributes[key]!)}"`;
  return tag + (isEmpty ? '/>' : '>');
}

/** Line ends are written as references, which no reader folds. */
export function escapeXml(text: string): string {
  if (!/[&<>"\n\r\t]/.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}
