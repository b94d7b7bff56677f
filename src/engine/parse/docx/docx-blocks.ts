/** Which block does each paragraph and table row of a Word document become? */
import { docx as limits } from '../../config.ts';
import type { Block, BlockKind, Part } from '../../document.ts';
import type { TextPart } from './document-parts.ts';
import { DocxTable } from './docx-table.ts';
import type { StoryParagraph } from './paragraph-builder.ts';
import { toText } from './paragraph-text.ts';
import type { StoryEvent, WalkContext } from './walk-state.ts';

/** Takes the events of one part in order and gives parts of the document. */
export class DocxBlocks {
  readonly #context: WalkContext;
  #role: TextPart['role'] = 'body';
  #table: DocxTable | undefined;
  #nextTable = 0;
  /** Level of the last heading by style; bold lines rank below it. */
  #level = 0;
  #heading = '';
  #caption = '';
  #title: string | undefined;
  #count = 0;

  constructor(context: WalkContext) {
    this.#context = context;
  }

  /** Text of the first paragraph in the style for titles. */
  get title(): string | undefined {
    return this.#title;
  }

  /** Blocks given so far. */
  get count(): number {
    return this.#count;
  }

  startPart(role: TextPart['role']): void {
    this.#role = role;
    this.#table = undefined;
  }

  take(event: StoryEvent): Part[] {
    const parts = this.#take(event);
    this.#count += parts.length;
    return parts;
  }

  #take(event: StoryEvent): Part[] {
    if (event.type === 'paragraph') {
      // Notes that nothing refers to are left over, or lines that Word draws itself.
      if (this.#role === 'notes' && (event.note === undefined || !this.#context.notes.has(event.note)))
        return [];
      if (this.#table) {
        this.#table.addParagraph(event.paragraph);
        return [];
      }
      return this.#paragraph(event.paragraph);
    }
    if (event.type === 'table-start') {
      if (this.#table) this.#table.depth += 1;
      else this.#table = new DocxTable(this.#caption === '' ? this.#heading : this.#caption, this.#nextTable);
      return [];
    }
    const table = this.#table;
    if (!table) return [];
    if (event.type !== 'table-end') return this.#sort(table.take(event));
    table.depth -= 1;
    if (table.depth > 0) return [];
    this.#table = undefined;
    const parts = this.#sort(table.end());
    this.#nextTable = table.nextTable;
    return parts;
  }

  /** Rows of running headers and single columns are paragraphs after all. */
  #sort(found: (Part | StoryParagraph)[]): Part[] {
    return found.flatMap((item) =>
      'path' in item ? this.#paragraph(item) : this.#role === 'margin' ? [] : [item],
    );
  }

  #paragraph(paragraph: StoryParagraph): Part[] {
    const { kind, level } = this.#kindOf(paragraph);
    const block = toBlock(paragraph, kind, level);
    if (!block) return [];
    const text = block.text.trimEnd();
    const isCaption = this.#context.styles.get(paragraph.style).role === 'caption';
    this.#caption = isCaption ? text : '';
    if (kind === 'heading') this.#heading = text;
    if (kind === 'title') this.#title ??= text;
    return [{ type: 'block', block }];
  }

  #kindOf(paragraph: StoryParagraph): { kind: BlockKind; level?: number } {
    if (this.#role === 'notes') return { kind: 'footnote' };
    if (this.#role === 'margin') return { kind: 'margin' };
    const style = this.#context.styles.get(paragraph.style);
    const outline = paragraph.outlineLevel;
    if (style.role === 'title') return { kind: 'title' };
    // A table of contents repeats the headings: kept out of passages like a running header.
    if (style.role === 'contents') return { kind: 'margin' };
    if (style.role === 'code') return { kind: 'code' };
    if (style.role === 'heading' || (outline !== undefined && outline < 9)) {
      const level = outline !== undefined && outline < 9 ? outline + 1 : (style.level ?? 1);
      this.#level = level;
      return { kind: 'heading', level };
    }
    if (looksLikeHeading(paragraph)) return { kind: 'heading', level: Math.min(this.#level + 1, 9) };
    return { kind: paragraph.isListItem ? 'list-item' : 'paragraph' };
  }
}

/** Many people set headings by hand: a short line, all bold, that ends no sentence. */
function looksLikeHeading(paragraph: StoryParagraph): boolean {
  const text = paragraph.text.trim();
  if (!paragraph.isBold || text.length > limits.maxHeadingLength || text.includes('\n')) return false;
  return /\p{L}{2}/u.test(text) && !/[.;:,!?…]$/.test(text);
}

function toBlock(paragraph: StoryParagraph, kind: BlockKind, level: number | undefined): Block | undefined {
  const { text, spans } = toText(paragraph);
  if (text === '') return undefined;
  return { kind, text: `${text}\n`, spans, ...(level === undefined ? {} : { level }) };
}
