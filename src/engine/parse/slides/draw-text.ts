/** How are the paragraphs and tables of a slide written as HTML, letter for letter what their blocks say? */
import { escapeHtml } from '../flow/flow-page.ts';
import type { Paragraph, Run, SlideCell, SlideTable, TextFrame } from './deck.ts';
import { cellText } from './slide-blocks.ts';

/** Pixels in a point. */
const PX = 4 / 3;
const DEFAULT_SIZE = 18;
/** A single line of most faces, of the letters' size. */
const LINE = 1.2;
/** Raised and lowered letters, of the others' size. */
const SMALL = 0.66;
/** Faces that stand in for those that come with an office program, with letters of the same widths. */
const substitutes: Record<string, string> = {
  calibri: 'Carlito',
  cambria: 'Caladea',
  arial: 'Liberation Sans',
  'times new roman': 'Liberation Serif',
  'courier new': 'Liberation Mono',
};

/** Alignment of a frame's text from top to bottom, as the slides' style knows it. */
export const verticals = { top: 'flex-start', middle: 'center', bottom: 'flex-end' } as const;

export function drawText(text: TextFrame): string {
  return text.paragraphs.map((paragraph) => drawParagraph(paragraph, text.scale)).join('');
}

/** Sizes are multiplied by `--s`, by which the page makes text smaller that doesn't fit. */
function drawParagraph(paragraph: Paragraph, scale: number): string {
  const { runs, label, bullet, indent, firstIndent, block } = paragraph;
  const size = runs.find((run) => run.size !== undefined)?.size ?? DEFAULT_SIZE;
  const style = [
    `font-size:calc(${round(size * PX * scale)}px*var(--s,1))`,
    paragraph.lineHeight === 1 ? '' : `line-height:${round(paragraph.lineHeight * LINE)}`,
    paragraph.align === 'left' ? '' : `text-align:${paragraph.align}`,
    indent === 0 ? '' : `margin-inline-start:${round(indent)}px`,
    firstIndent === 0 ? '' : `text-indent:${round(firstIndent)}px`,
    paragraph.spaceBefore === 0
      ? ''
      : `margin-top:calc(${round(paragraph.spaceBefore * PX * scale)}px*var(--s,1))`,
    paragraph.spaceAfter === 0
      ? ''
      : `margin-bottom:calc(${round(paragraph.spaceAfter * PX * scale)}px*var(--s,1))`,
    bullet === '' && label === '' ? '' : `--hang:${round(Math.max(0, -firstIndent))}px`,
    bullet === '' || paragraph.bulletColor === undefined ? '' : `--bullet:${paragraph.bulletColor}`,
  ].join(';');
  const sign = bullet === '' ? '' : ` data-bullet="${escapeHtml(bullet)}"`;
  const direction = paragraph.isRightToLeft ? ' dir="rtl"' : '';
  const first = runs[0];
  const number =
    label === '' || !first
      ? ''
      : `<span class="number" style="${runStyle(first, size, scale)}">${escapeHtml(`${label} `)}</span>`;
  const letters = runs.map((run) => drawRun(run, size, scale)).join('');
  return `<p${named(block)}${sign}${direction} style="${tidy(style)}">${number}${letters === '' ? '<br>' : letters}</p>`;
}

function drawRun(run: Run, size: number, scale: number): string {
  if (run.text === '') return '';
  return `<span style="${runStyle(run, size, scale)}">${escapeHtml(run.text)}</span>`;
}

function runStyle(run: Run, paragraphSize: number, scale: number): string {
  const size = run.size ?? DEFAULT_SIZE;
  const shown = run.shift === 'none' ? size : size * SMALL;
  const lines = [run.isUnderlined ? 'underline' : '', run.isStruck ? 'line-through' : ''].filter(
    (line) => line !== '',
  );
  return tidy(
    [
      shown === paragraphSize ? '' : `font-size:calc(${round(shown * PX * scale)}px*var(--s,1))`,
      run.color === undefined ? '' : `color:${run.color}`,
      run.font === undefined ? '' : `font-family:${faces(run.font)}`,
      run.isBold ? 'font-weight:bold' : '',
      run.isItalic ? 'font-style:italic' : '',
      lines.length === 0 ? '' : `text-decoration:${lines.join(' ')}`,
      run.shift === 'none' ? '' : `vertical-align:${run.shift === 'up' ? 'super' : 'sub'}`,
    ].join(';'),
  );
}

/** Names of faces come from the file: letters, figures and blanks only. */
function faces(font: string): string {
  const name = font.replaceAll(/[^\p{L}\p{N} -]/gu, '').slice(0, 60);
  const substitute = substitutes[name.toLowerCase()];
  const generic = /courier|mono|consol/i.test(name)
    ? 'monospace'
    : /times|serif|georgia|cambria|garamond|palatino|book/i.test(name) && !/sans/i.test(name)
      ? 'serif'
      : 'sans-serif';
  return [name === '' ? '' : `'${name}'`, substitute ? `'${substitute}'` : '', generic]
    .filter((one) => one !== '')
    .join(',');
}

/** A table as wide as its frame; a chart's values stand on bars. `rowHeight`: pixels that each row has at least. */
export function drawTable(table: SlideTable, rowHeight = 0): string {
  const whole = table.columns.reduce((sum, width) => sum + width, 0);
  const columns = table.columns
    .map((width) => `<col style="width:${round((width / Math.max(1, whole)) * 100)}%">`)
    .join('');
  const rows = table.rows.map(({ cells, height, isHeader }) => {
    const tag = isHeader ? 'th' : 'td';
    const drawn = cells.filter(({ merge }) => merge !== 'on').map((cell) => drawCell(cell, tag));
    return `<tr style="height:${round(Math.max(height, rowHeight))}px">${drawn.join('')}</tr>`;
  });
  return `<table class="${table.isChart ? 'chart' : 'grid'}">${whole > 0 ? `<colgroup>${columns}</colgroup>` : ''}<tbody>${rows.join('')}</tbody></table>`;
}

function drawCell(cell: SlideCell, tag: string): string {
  const { paragraphs, span, rowSpan, fill, bar, blocks = [] } = cell;
  const paragraph = paragraphs.find(({ runs }) => runs.some(({ text }) => text !== ''));
  const run = paragraph?.runs.find(({ text }) => text.trim() !== '');
  const size = run?.size ?? DEFAULT_SIZE;
  const style = tidy(
    [
      `font-size:calc(${round(size * PX)}px*var(--s,1))`,
      run ? runStyle(run, size, 1) : '',
      paragraph && paragraph.align !== 'left' ? `text-align:${paragraph.align}` : '',
      cell.vertical === 'top' ? '' : `vertical-align:${cell.vertical}`,
      fill === undefined ? '' : `background-color:${fill}`,
      bar
        ? `background:linear-gradient(${bar.color}66,${bar.color}66) no-repeat left center/${round(bar.share * 100)}% 64%`
        : '',
    ].join(';'),
  );
  const spans = (span > 1 ? ` colspan="${span}"` : '') + (rowSpan > 1 ? ` rowspan="${rowSpan}"` : '');
  const text = cellText(cell);
  if (blocks.length < 2)
    return `<${tag}${named(blocks[0])}${spans} style="${style}">${escapeHtml(text)}</${tag}>`;
  const lines = text.split('\n').map((line, at) => `<p${named(blocks[at])}>${escapeHtml(line)}</p>`);
  return `<${tag}${spans} style="${style}">${lines.join('')}</${tag}>`;
}

const named = (block: string | undefined): string => (block === undefined ? '' : ` data-block="${block}"`);
const tidy = (style: string): string => style.replaceAll(/;{2,}/g, ';').replace(/^;|;$/g, '');
export const round = (value: number): number => Math.round(value * 100) / 100;
