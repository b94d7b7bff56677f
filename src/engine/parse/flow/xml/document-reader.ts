/** Which blocks does a document in an XML vocabulary hold? What the vocabulary doesn't name is read by how it nests. */
import { xml as limits } from '../../../config.ts';
import type { DocumentMetadata } from '../../../document.ts';
import { type Attributes, localName, type XmlListener } from '../../zip/read-xml.ts';
import type { FlowItem, FlowParagraph } from '../flow-items.ts';
import { type Role, roleOf, type Vocabulary } from './vocabularies.ts';
import { XmlTable } from './xml-table.ts';

interface Open {
  name: string;
  role: Role | undefined;
  attributes: Attributes;
  /** Offset of its text in what is being gathered. */
  start: number;
  /** It begins and ends a block, or holds several. */
  isBlock: boolean;
}

const blockRoles: ReadonlySet<Role | undefined> = new Set<Role>([
  'heading',
  'title',
  'paragraph',
  'item',
  'code',
  'footnote',
  'cell',
  'header-cell',
]);
const HEADING_STYLE = /^(?:heading|заголовок)?\s*([1-9])$/i;

export class XmlDocumentReader implements XmlListener {
  readonly metadata: DocumentMetadata = {};
  readonly #vocabulary: Vocabulary;
  readonly #open: Open[] = [];
  readonly #names: string[] = [];
  #items: FlowItem[] = [];
  #text = '';
  #skipDepth = 0;
  #sections = 0;
  #table: XmlTable | undefined;
  #cell: string[] = [];
  /** Outline level that a paragraph's own style gives it. */
  #styleLevel: number | undefined;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Finished items; they leave the reader. */
  take(): FlowItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth += 1;
      return;
    }
    const local = localName(name).toLowerCase();
    const role = roleOf(this.#vocabulary, local, this.#names);
    if (role === 'skip') {
      this.#readStyle(local);
      this.#skipDepth = 1;
      return;
    }
    if (this.#vocabulary === 'word' && local === 'pstyle') this.#readStyle(attributes['w:val'] ?? '');
    if (role === 'break') this.#text += local === 'tab' ? '\t' : '\n';
    const isBlock = this.#isBlock(role);
    if (isBlock) this.#flush();
    this.#open.push({ name: local, role, attributes, start: this.#text.length, isBlock });
    this.#names.push(local);
    if (role === 'section') this.#openSection(attributes);
    else this.#openTable(role);
  }

  close(): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1;
      return;
    }
    const element = this.#open.at(-1);
    if (!element) return;
    const { role } = element;
    if (role?.startsWith('property-')) this.#keepProperty(role, element.start);
    else if (element.isBlock) this.#flush();
    this.#closeTable(element);
    this.#open.pop();
    this.#names.pop();
    if (role === 'section') this.#sections -= 1;
    const isApart = this.#open.some((open) => open.role === 'spaced');
    if (isApart && this.#text !== '' && !/\s$/.test(this.#text)) this.#text += ' ';
  }

  text(text: string): void {
    if (this.#skipDepth > 0 || this.#text.length > limits.maxBlockLength) return;
    // Only what stands in a text run is text in Word; the rest is indentation of the file.
    if (
      this.#vocabulary === 'word' &&
      !this.#names.includes('t') &&
      !this.#names.includes('documentproperties')
    )
      return;
    this.#text += text;
  }

  /** An element that no vocabulary names begins a paragraph, unless it stands inside of one. */
  #isBlock(role: Role | undefined): boolean {
    if (role === 'inline' || role === 'break' || role === 'spaced')
      return role === 'spaced' && !this.#isInBlock();
    return role !== undefined || !this.#isInBlock();
  }

  /** Words around the present element make one block with it. */
  #isInBlock(): boolean {
    if (this.#vocabulary === 'other')
      return this.#text.trim() !== '' || this.#open.some(({ isBlock }) => !isBlock);
    return this.#open.some(
      ({ role }) => blockRoles.has(role) || role?.startsWith('property-') || role === 'spaced',
    );
  }

  #openSection(attributes: Attributes): void {
    this.#sections += 1;
    const name = attributes['ss:Name'];
    if (name) this.#items.push({ type: 'paragraph', kind: 'heading', level: 1, text: name });
  }

  #readStyle(value: string): void {
    const level = HEADING_STYLE.exec(value)?.[1];
    if (level !== undefined && /heading|заголовок|^\d$/i.test(value)) this.#styleLevel = Number(level);
  }

  #flush(): void {
    const raw = this.#text;
    this.#text = '';
    const element = this.#open.findLast(({ role }) => blockRoles.has(role));
    const text =
      element?.role === 'code' ? raw.replace(/^\n/, '').trimEnd() : raw.replaceAll(/[ \t\r\n]+/g, ' ').trim();
    if (text.trim() === '') return;
    if (this.#table) {
      this.#cell.push(text);
      return;
    }
    this.#items.push(this.#toItem(element?.role, text));
  }

  #toItem(role: Role | undefined, text: string): FlowParagraph {
    const styleLevel = this.#styleLevel;
    if (role === 'paragraph') this.#styleLevel = undefined;
    if (role === 'heading' && this.#sections <= 1 && !this.#hasTitle) {
      this.#hasTitle = true;
      this.metadata.title ??= text.slice(0, limits.maxPropertyLength);
      return { type: 'paragraph', kind: 'title', text };
    }
    if (role === 'title') {
      // References have titles too: only the first is the document's.
      const isOwn = this.#hasTitle === false;
      this.#hasTitle = true;
      if (isOwn) this.metadata.title ??= text.slice(0, limits.maxPropertyLength);
      return { type: 'paragraph', kind: isOwn ? 'title' : 'paragraph', text };
    }
    if (role === 'heading' || styleLevel !== undefined) {
      return { type: 'paragraph', kind: 'heading', level: styleLevel ?? Math.max(1, this.#sections), text };
    }
    const inItem = this.#open.some((open) => open.role === 'item');
    const inNote = this.#open.some((open) => open.role === 'footnote');
    if (role === 'code') return { type: 'paragraph', kind: 'code', text };
    return { type: 'paragraph', kind: inNote ? 'footnote' : inItem ? 'list-item' : 'paragraph', text };
  }

  #hasTitle = false;

  #keepProperty(role: Role, start: number): void {
    const text = this.#text.slice(start).replaceAll(/\s+/gu, ' ').trim().slice(0, limits.maxPropertyLength);
    this.#text = this.#text.slice(0, start);
    if (text === '') return;
    if (role === 'property-title') this.metadata.title ??= text;
    else if (role === 'property-author') this.metadata.author ??= text;
    else if (role === 'property-date') {
      const day = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
      if (day && !Number.isNaN(Date.parse(day))) this.metadata.date ??= day;
    }
  }

  #openTable(role: Role | undefined): void {
    if (role === 'table') {
      if (this.#table) this.#table.depth += 1;
      else this.#table = new XmlTable();
    }
    const table = this.#table;
    if (!table || table.depth > 1 + this.#innerGroups()) return;
    if (role === 'header-rows') table.isHeader = true;
    else if (role === 'row') table.openRow();
    else if (role === 'cell' || role === 'header-cell') this.#cell = [];
  }

  #closeTable({ role, attributes }: Open): void {
    const table = this.#table;
    if (!table) return;
    if (role === 'table') {
      table.depth -= 1;
      if (table.depth === 0) {
        this.#table = undefined;
        if (table.rows.length > 0) this.#items.push({ type: 'table', rows: table.rows });
        else
          this.#items.push(
            ...this.#cell.map((text): FlowParagraph => ({ type: 'paragraph', kind: 'paragraph', text })),
          );
        this.#cell = [];
      }
      return;
    }
    if (table.depth > 1 + this.#innerGroups()) return;
    if (role === 'header-rows') table.isHeader = false;
    else if (role === 'row') table.closeRow();
    else if (role === 'cell' || role === 'header-cell') {
      table.closeCell(this.#cell.join('\n'), attributes, role === 'header-cell');
      this.#cell = [];
    }
  }

  /** A group inside a table of CALS is no table of its own. */
  #innerGroups(): number {
    return this.#names.includes('tgroup') &&
      (this.#names.includes('table') || this.#names.includes('informaltable'))
      ? 1
      : 0;
  }
}
