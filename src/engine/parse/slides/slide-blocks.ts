/** Which blocks does a slide make, and which of its drawn elements does each name? */
import type { Part, Span } from '../../document.ts';
import { FlowParts } from '../flow/flow-parts.ts';
import { type FlowTableRow, flowTable } from '../flow/flow-table.ts';
import { cleanParagraph, isBlank } from './clean-text.ts';
import type { Paragraph, Shape, Slide, SlideCell, SlideTable } from './deck.ts';
import { textOf } from './deck.ts';
import { inReadingOrder } from './reading-order.ts';

const LOWEST_HEADING = 3;
/** Longest text that reads as the title of a slide that has no place for one, in UTF-16 units. */
const MAX_TITLE_LENGTH = 120;
/** By so much its letters are larger than all others. */
const TITLE_SHARE = 1.2;

/**
 * Makes the blocks of a presentation and writes their identifiers on what was read, so that the page drawn from it carries them. Slides
 * must come in their order. One per presentation.
 */
export class SlideBlocks {
  readonly #flow = new FlowParts();
  readonly #backdrops = new Set<string>();

  /** Title first, then by place; then what runs along the edge, the notes and the comments. */
  *parts(slide: Slide): Generator<Part> {
    for (const part of this.#slideParts(slide)) yield onSlide(part, slide.number);
  }

  *#slideParts(slide: Slide): Generator<Part> {
    const { body, margins } = inReadingOrder(slide.shapes);
    const title = titleOf(body);
    for (const shape of body) {
      yield* this.#text(shape, shape === title);
      if (shape.table) yield* this.#table(shape.table);
    }
    for (const shape of margins) yield* this.#margin(shape);
    for (const paragraph of [...slide.notes, ...slide.comments])
      yield* this.#paragraph(paragraph, 'footnote');
  }

  *#text(shape: Shape, isTitle: boolean): Generator<Part> {
    const paragraphs = shape.text?.paragraphs ?? [];
    for (const [at, paragraph] of paragraphs.entries()) {
      // A second line of a title stands under the first in the path of headings.
      if (isTitle) yield* this.#paragraph(paragraph, 'heading', Math.min(at + 1, LOWEST_HEADING));
      else yield* this.#paragraph(paragraph, paragraph.isItem ? 'list-item' : 'paragraph');
    }
  }

  /** What a layout says on many slides is said once. */
  *#margin(shape: Shape): Generator<Part> {
    const paragraphs =
      shape.text?.paragraphs ??
      shape.table?.rows.flatMap((row) => row.cells.flatMap((cell) => cell.paragraphs));
    if (shape.isBackdrop) {
      const text = textOf(paragraphs ?? []);
      if (this.#backdrops.has(text)) return;
      this.#backdrops.add(text);
    }
    for (const paragraph of paragraphs ?? []) yield* this.#paragraph(paragraph, 'margin');
  }

  *#paragraph(
    paragraph: Paragraph,
    kind: 'heading' | 'paragraph' | 'list-item' | 'margin' | 'footnote',
    level?: number,
  ): Generator<Part> {
    cleanParagraph(paragraph);
    if (isBlank(paragraph)) return;
    const part = this.#flow.block(kind, textOf([paragraph]), level);
    if (part?.type !== 'block') return;
    paragraph.block = pathOf(part.block.spans[0]);
    yield part;
  }

  *#table(table: SlideTable): Generator<Part> {
    for (const row of table.rows) for (const cell of row.cells) cell.paragraphs.forEach(cleanParagraph);
    const parts = [...flowTable(this.#flow, table.rows.map(toFlowRow), table.name)];
    nameCells(table, parts);
    yield* parts;
  }
}

/** What stands in the place of the title; without one a line above all else, in letters larger than all others. */
function titleOf(body: readonly Shape[]): Shape | undefined {
  const [first, ...others] = body;
  if (!first || first.role === 'title') return first;
  const lines = (first.text?.paragraphs ?? []).filter((paragraph) => !isBlank(paragraph));
  const isLine = lines.length === 1 && !lines[0]!.isItem && textOf(lines).trim().length <= MAX_TITLE_LENGTH;
  if (!isLine || others.length === 0 || others.some(({ role }) => role === 'title')) return undefined;
  const rest = Math.max(0, ...others.map(largest));
  return rest > 0 && largest(first) >= rest * TITLE_SHARE ? first : undefined;
}

/** Size of the largest letters, in points; 0 where none is known. */
function largest({ text, table }: Shape): number {
  const cells = table?.rows.flatMap((row) => row.cells.flatMap(({ paragraphs }) => paragraphs)) ?? [];
  const runs = [...(text?.paragraphs ?? []), ...cells].flatMap((paragraph) => paragraph.runs);
  return runs.reduce((most, run) => (run.text.trim() === '' ? most : Math.max(most, run.size ?? 0)), 0);
}

function toFlowRow({ cells, isHeader }: SlideTable['rows'][number]): FlowTableRow {
  return {
    isHeader,
    cells: cells.map((cell) => ({
      text: cellText(cell),
      span: cell.span,
      merge: cell.merge,
      isBold: cell.paragraphs.every((paragraph) => paragraph.runs.every(({ isBold }) => isBold)),
    })),
  };
}

/** As a row of blocks says it, with line feeds for the blanks between its paragraphs. */
export function cellText({ paragraphs }: SlideCell): string {
  return paragraphs
    .filter((paragraph) => !isBlank(paragraph))
    .map((paragraph) => textOf([paragraph]).replaceAll(/\s+/gu, ' ').trim())
    .join('\n');
}

/** Gives the cells of a table the identifiers of its blocks. What was no table came as paragraphs, cell after cell. */
function nameCells(table: SlideTable, parts: readonly Part[]): void {
  const blocks = parts.flatMap((part) => (part.type === 'block' ? [part.block] : []));
  const rows = new Map(blocks.flatMap((block) => (block.row ? [[block.row.row, block] as const] : [])));
  const loose = blocks.filter(({ row }) => !row);
  let next = 0;
  for (const [at, row] of table.rows.entries()) {
    const block = rows.get(at + 1);
    let column = 0;
    for (const cell of row.cells) {
      const lines = cellText(cell)
        .split('\n')
        .filter((line) => line !== '').length;
      const start = block?.row?.cells[column]?.start;
      const span = block?.spans.find((one) => one.start === start && one.end > one.start);
      if (block) cell.blocks = span && lines > 0 ? [pathOf(span)!] : [];
      else {
        cell.blocks = loose.slice(next, next + lines).map(({ spans }) => pathOf(spans[0])!);
        next += lines;
      }
      column += Math.max(1, cell.span);
    }
  }
}

function pathOf(span: Span | undefined): string | undefined {
  return span?.anchor.kind === 'element' ? span.anchor.path : undefined;
}

/** The element's place as a place on a slide. */
function onSlide(part: Part, slide: number): Part {
  if (part.type !== 'block') return part;
  const spans = part.block.spans.map((span): Span => {
    if (span.anchor.kind !== 'element') return span;
    const { path, start, end } = span.anchor;
    return { ...span, anchor: { kind: 'slide', slide, shape: path, start, end } };
  });
  return { ...part, block: { ...part.block, spans } };
}
