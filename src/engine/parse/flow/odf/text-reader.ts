/** Which paragraphs and tables does an OpenDocument text hold, as its reader sees them? */
import { odf as limits } from '../../../config.ts';
import type { Attributes, XmlListener } from '../../zip/read-xml.ts';
import type { FlowItem, FlowParagraph } from '../flow-items.ts';
import { ListLabels } from '../list-label.ts';
import { OdfTable } from './odf-table.ts';
import { type OdfStyles, outlineList } from './styles.ts';

/** Elements with nothing to read in them. Deleted text stands among the tracked changes; inserted text in the body. */
const skipped: ReadonlySet<string> = new Set(
  'text:tracked-changes office:change-info office:forms text:sequence-decls text:variable-decls text:user-field-decls text:dde-connection-decls text:alphabetical-index-auto-mark-file text:note-citation text:bibliography-configuration office:binary-data office:scripts office:settings office:font-face-decls office:event-listeners svg:title svg:desc text:hidden-text text:hidden-paragraph text:index-title-template text:table-of-content-source text:ruby-text math:math draw:object meta:generator'.split(
    ' ',
  ),
);
/** Elements of a comment that aren't its words. */
const commentHead: ReadonlySet<string> = new Set([
  'dc:creator',
  'dc:date',
  'meta:date-string',
  'meta:creator-initials',
  'loext:sender-initials',
]);

interface OpenParagraph {
  text: string;
  style: string | undefined;
  /** Undefined for what is no heading. */
  level: number | undefined;
  isNumbered: boolean;
}

interface OpenList {
  /** Its list style. */
  style: string;
  /** Counts under this name. */
  id: string;
  /** The item has had its first paragraph, which carries the label. */
  isLabelled: boolean;
}

export class OdfTextReader implements XmlListener {
  readonly #styles: OdfStyles;
  readonly #labels = new ListLabels();
  #items: FlowItem[] = [];
  /** Margins come after all else. */
  readonly margins: FlowItem[] = [];
  readonly #marginTexts = new Set<string>();
  /** Notes and boxes inside a paragraph wait for its end. */
  #waiting: FlowItem[] = [];
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #lists: OpenList[] = [];
  #listCount = 0;
  #table: OdfTable | undefined;
  /** Open notes, comments and margins; the innermost last. */
  readonly #asides: ('footnote' | 'margin')[] = [];
  #skipDepth = 0;

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  /** Finished items; they leave the reader. */
  take(): FlowItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipDepth > 0 || this.#isSkipped(name, attributes)) {
      this.#skipDepth += 1;
      return;
    }
    this.#styles.open(name, attributes);
    if (name === 'text:p' || name === 'text:h') this.#openParagraph(name, attributes);
    else if (name === 'text:s')
      this.#add(' '.repeat(Math.min(limits.maxSpaces, Number(attributes['text:c'] ?? 1) || 1)));
    else if (name === 'text:tab') this.#add('\t');
    else if (name === 'text:line-break') this.#add('\n');
    else if (name === 'text:list') this.#openList(attributes);
    else if (name === 'text:list-item') this.#openItem(attributes);
    else if (name === 'text:note-body' || name === 'office:annotation') this.#asides.push('footnote');
    else if (isMargin(name)) this.#asides.push('margin');
    else if (name.startsWith('table:')) this.#openTable(name, attributes);
  }

  close(name: string): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1;
      return;
    }
    this.#styles.close(name);
    if (name === 'text:p' || name === 'text:h') this.#closeParagraph();
    else if (name === 'text:list') this.#lists.pop();
    else if (name === 'text:note-body' || name === 'office:annotation' || isMargin(name)) this.#asides.pop();
    else if (name.startsWith('table:')) this.#closeTable(name);
  }

  text(text: string): void {
    if (this.#skipDepth > 0) return;
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph) return;
    const plain = text.replaceAll(/[ \t\r\n]+/g, ' ');
    const isDouble = plain.startsWith(' ') && (paragraph.text === '' || /\s$/.test(paragraph.text));
    this.#add(isDouble ? plain.slice(1) : plain);
  }

  #isSkipped(name: string, attributes: Attributes): boolean {
    if (skipped.has(name)) return true;
    if (this.#asides.length > 0 && commentHead.has(name)) return true;
    return name === 'text:span' && this.#styles.isHidden(attributes['text:style-name']);
  }

  #add(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph && paragraph.text.length < limits.maxParagraphLength) paragraph.text += text;
  }

  #openParagraph(name: string, attributes: Attributes): void {
    const isHeading = name === 'text:h';
    this.#paragraphs.push({
      text: '',
      style: attributes['text:style-name'],
      level: isHeading ? Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1) : undefined,
      isNumbered: isHeading && attributes['text:is-list-header'] !== 'true',
    });
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const item = this.#toItem(paragraph);
    const isOuter = this.#paragraphs.length === 0;
    if (item.text.trim() !== '') this.#place(item, isOuter);
    if (!isOuter || this.#table || this.#waiting.length === 0) return;
    this.#items.push(...this.#waiting);
    this.#waiting = [];
  }

  #place(item: FlowParagraph, isOuter: boolean): void {
    if (item.kind === 'margin') {
      if (!this.#marginTexts.has(item.text)) this.margins.push(item);
      this.#marginTexts.add(item.text);
    } else if (item.kind === 'footnote') this.#waiting.push(item);
    else if (this.#table) this.#table.add(item.text);
    else if (isOuter) this.#items.push(item);
    else this.#waiting.push(item);
  }

  #toItem({ text, style, level, isNumbered }: OpenParagraph): FlowParagraph {
    const aside = this.#asides.at(-1);
    if (aside) return { type: 'paragraph', kind: aside, text };
    if (text.trim() === '') return { type: 'paragraph', kind: 'paragraph', text: '' };
    if (level !== undefined) {
      const label = isNumbered
        ? this.#labels.next(outlineList, this.#styles.levelsOf(outlineList), level - 1)
        : '';
      return { type: 'paragraph', kind: 'heading', level, text: label === '' ? text : `${label} ${text}` };
    }
    if (this.#styles.isKindOf(style, 'Title')) return { type: 'paragraph', kind: 'title', text };
    const list = this.#lists.at(-1);
    if (!list) return { type: 'paragraph', kind: 'paragraph', text };
    const label = list.isLabelled ? '' : this.#listLabel(list, style);
    list.isLabelled = true;
    return { type: 'paragraph', kind: 'list-item', text: label === '' ? text : `${label} ${text}` };
  }

  #listLabel({ id, style }: OpenList, paragraphStyle: string | undefined): string {
    const name = style === '' ? (this.#styles.listOf(paragraphStyle) ?? '') : style;
    return this.#labels.next(id, this.#styles.levelsOf(name), this.#lists.length - 1);
  }

  /** A list inside a list counts on under its parent's name; another one begins anew unless it says that it goes on. */
  #openList(attributes: Attributes): void {
    const parent = this.#lists.at(-1);
    const style = attributes['text:style-name'] ?? parent?.style ?? '';
    const goesOn =
      attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined;
    if (!parent && !goesOn) this.#listCount += 1;
    const id = parent?.id ?? (goesOn ? `${style}:on` : `${style}:${this.#listCount}`);
    this.#lists.push({ style, id, isLabelled: true });
  }

  #openItem(attributes: Attributes): void {
    const list = this.#lists.at(-1);
    if (!list) return;
    list.isLabelled = false;
    if (attributes['text:start-value'] !== undefined) this.#labels.restart(list.id);
  }

  #openTable(name: string, attributes: Attributes): void {
    if (name === 'table:table') {
      if (this.#asides.length > 0) return;
      if (this.#table) this.#table.depth += 1;
      else this.#table = new OdfTable(attributes['table:name'] ?? '');
    } else this.#table?.open(name, attributes);
  }

  #closeTable(name: string): void {
    if (name !== 'table:table') {
      this.#table?.close(name);
      return;
    }
    if (!this.#table || this.#asides.length > 0) return;
    this.#table.depth -= 1;
    if (this.#table.depth > 0) return;
    const item: FlowItem = { type: 'table', rows: this.#table.rows };
    this.#table = undefined;
    const place = this.#paragraphs.length === 0 ? this.#items : this.#waiting;
    place.push(item);
    if (this.#paragraphs.length > 0) return;
    this.#items.push(...this.#waiting);
    this.#waiting = [];
  }
}

const isMargin = (name: string): boolean => /^style:(?:header|footer)(?:-left|-first)?$/.test(name);
