/** Where does the walk through a part of a Word document stand? */
import { docx as limits } from '../../config.ts';
import { type Attributes, localName } from '../zip/read-xml.ts';
import type { ListCounter } from './numbering.ts';
import {
  ParagraphBuilder,
  plainRun,
  type RunProperties,
  type StoryParagraph,
  toTag,
} from './paragraph-builder.ts';
import type { Styles } from './styles.ts';

export type CellMerge = 'none' | 'start' | 'on';

export type StoryEvent =
  /** `note`: the note that it belongs to, as "footnote 3". */
  | { type: 'paragraph'; paragraph: StoryParagraph; note: string | undefined }
  | { type: 'table-start' }
  | { type: 'table-end' }
  | { type: 'row-start' }
  | { type: 'row-end'; isHeader: boolean }
  | { type: 'cell-start' }
  | { type: 'cell-end'; span: number; merge: CellMerge };

/** What all parts of one document share while they are walked. */
export interface WalkContext {
  styles: Styles;
  lists: ListCounter | undefined;
  /** Number of paragraphs named so far. */
  paragraphs: number;
  /** Notes that the text refers to, as "footnote 3". */
  notes: Set<string>;
  /** Content of another format stands in the document and is not read. */
  hasForeignPart: boolean;
  /** Paragraphs over the limit were left out. */
  isCut: boolean;
}

/** What an open element means for what stands in it. */
export type Mode =
  | 'block'
  | 'paragraph'
  | 'run'
  | 'text'
  | 'formula'
  | 'drawing'
  | 'alternate'
  | 'raw'
  | 'paragraph-properties'
  | 'run-properties'
  | 'list-properties';

export interface Frame {
  mode: Mode;
  /** Closing tag to write; empty for an element whose content stands without it. */
  end: string;
  leave?: () => void;
}

/** What an element is turned into: a frame for its content, or nothing of it counts. */
export type Entered = Frame | 'skip';

/** Events and XML of a stretch: the part itself, or a text box until its paragraph is written. */
export interface Sink {
  events: StoryEvent[];
  xml: string[];
}

/** A paragraph under construction with what was opened in it. */
export interface OpenParagraph {
  builder: ParagraphBuilder;
  boxes: Sink[];
  run: RunProperties;
  isInLink: boolean;
}

/** One thing that is drawn in two ways. */
export interface Alternate {
  inner: Mode;
  hasChoice: boolean;
  hasFallback: boolean;
  /** The modern way held a text box, which is read from there. */
  hasBox: boolean;
  choiceXml: string;
}

/** Elements without meaning of their own: their content counts as if they were not there. */
const UNWRAPPED = new Set([
  'sdt',
  'sdtContent',
  'customXml',
  'ins',
  'moveTo',
  'smartTag',
  'fldSimple',
  'dir',
  'bdo',
]);

export class WalkState {
  readonly context: WalkContext;
  readonly isView: boolean;
  /** Prefix of the word processing names, such as "w:". */
  prefix = 'w:';
  text = '';
  fields: ('code' | 'result')[] = [];
  /** Inside the modern half of an Alternate, whose words stand in the other half as well. */
  choiceDepth = 0;
  tableDepth = 0;
  row = { isHeader: false };
  cell: { span: number; merge: CellMerge } = { span: 1, merge: 'none' };
  note: string | undefined;
  readonly alternates: Alternate[] = [];
  readonly sinks: Sink[] = [{ events: [], xml: [] }];
  readonly #outputs: string[][];
  readonly #paragraphs: OpenParagraph[] = [];

  constructor(context: WalkContext, isView: boolean) {
    this.context = context;
    this.isView = isView;
    this.#outputs = [this.sinks[0]!.xml];
  }

  /** The innermost paragraph; elements that ask for it only occur inside one. */
  get paragraph(): OpenParagraph {
    return this.#paragraphs.at(-1)!;
  }

  push(event: StoryEvent): void {
    this.sinks.at(-1)!.events.push(event);
  }

  write(xml: string): void {
    if (this.isView && xml !== '') this.#outputs.at(-1)!.push(xml);
  }

  /** What is written from now on is gathered in `into`, until `release`. */
  capture(into: string[] = []): void {
    this.#outputs.push(into);
  }

  release(): string {
    return this.#outputs.pop()!.join('');
  }

  /** Writes an element as it is. */
  pass(mode: Mode, name: string, attributes: Attributes, leave?: () => void): Frame {
    if (!this.isView) return leave ? { mode, end: '', leave } : { mode, end: '' };
    this.write(toTag(name, attributes, false));
    const end = `</${name}>`;
    return leave ? { mode, end, leave } : { mode, end };
  }

  /** For elements that nothing else is known of: their content in the same mode, or nothing. */
  unwrapOrSkip(name: string, mode: Mode): Entered {
    return UNWRAPPED.has(localName(name)) ? { mode, end: '' } : 'skip';
  }

  /** Opens a paragraph; false at the limit. */
  openParagraph(): boolean {
    const { context } = this;
    if (context.paragraphs >= limits.maxParagraphs) {
      context.isCut = true;
      return false;
    }
    const path = `b${++context.paragraphs}`;
    const isStyleBold = (style: string | undefined): boolean => context.styles.get(style).isBold;
    const builder = new ParagraphBuilder(path, this.prefix, this.isView, isStyleBold);
    this.#paragraphs.push({ builder, boxes: [], run: plainRun, isInLink: false });
    this.capture();
    return true;
  }

  closeParagraph(): void {
    this.release();
    const { builder, boxes } = this.#paragraphs.pop()!;
    // A field whose end is missing must not swallow the rest of the document.
    this.fields = this.fields.map(() => 'result');
    this.push({ type: 'paragraph', paragraph: builder.toParagraph(), note: this.note });
    for (const box of boxes) this.sinks.at(-1)!.events.push(...box.events);
    if (!this.isView) return;
    const isTop = this.tableDepth === 0 && this.sinks.length === 1;
    this.write(builder.toXml(isTop));
    for (const box of boxes) this.write(this.#frameXml(box));
  }

  /** A text box stands below its paragraph in a frame, where it can neither be clipped nor cover the text. */
  #frameXml(box: Sink): string {
    const w = this.prefix;
    const side = (name: string): string =>
      `<${w}${name} ${w}val="single" ${w}sz="4" ${w}space="0" ${w}color="A0A0A0"/>`;
    const borders = ['top', 'left', 'bottom', 'right'].map(side).join('');
    const properties = `<${w}tblPr><${w}tblBorders>${borders}</${w}tblBorders></${w}tblPr>`;
    return `<${w}tbl>${properties}<${w}tr><${w}tc>${box.xml.join('')}</${w}tc></${w}tr></${w}tbl>`;
  }
}
