/** How is a chart both read and drawn? As captions and a table whose values stand on bars. */
import { plainParagraph, type Shape, type SlideCell, type SlideRow } from './deck.ts';

export interface ChartColumn {
  name: string;
  color: string;
  /** One for each category; `number` is no number where there is none. */
  values: { text: string; number: number }[];
}

/** Points. */
const FONT_SIZE = 14;
const TITLE_SIZE = 18;

/** To be placed where the chart stands; undefined where the chart says nothing. */
export function chartOf(
  titles: readonly string[],
  categories: readonly string[],
  columns: readonly ChartColumn[],
): Partial<Shape> | undefined {
  const rows = rowsOf(categories, columns);
  if (rows.length === 0 && titles.length === 0) return undefined;
  return {
    ...(rows.length > 0 ? { table: { columns: [], rows, name: titles[0] ?? '', isChart: true } } : {}),
    text: {
      paragraphs: titles.map((text, at) => caption(text, at === 0)),
      vertical: 'top',
      insets: { left: 8, top: 4, right: 8, bottom: 4 },
      isUnwrapped: false,
      turn: 0,
      columns: 1,
      scale: 1,
    },
  };
}

function caption(text: string, isTitle: boolean) {
  const paragraph = plainParagraph(text);
  paragraph.align = 'center';
  for (const run of paragraph.runs) {
    run.size = isTitle ? TITLE_SIZE : FONT_SIZE;
    run.isBold = isTitle;
  }
  return paragraph;
}

/** A row for each category, a column for each series. */
function rowsOf(categories: readonly string[], columns: readonly ChartColumn[]): SlideRow[] {
  if (columns.length === 0 || categories.length === 0) return [];
  const most = Math.max(0, ...columns.map(({ values }) => largest(values)));
  const rows = categories.map((category, at): SlideRow => {
    const cells = columns.map(({ values, color }): SlideCell => {
      const value = values[at];
      const share = value && most > 0 ? Math.abs(value.number) / most : 0;
      return { ...toCell(value?.text ?? ''), ...(share > 0 ? { bar: { share, color } } : {}) };
    });
    return { height: 0, isHeader: false, cells: [toCell(category), ...cells] };
  });
  if (columns.every(({ name }) => name === '')) return rows;
  const header = [toCell(''), ...columns.map(({ name }) => toCell(name, true))];
  return [{ height: 0, isHeader: true, cells: header }, ...rows];
}

function largest(values: ChartColumn['values']): number {
  let most = 0;
  for (const { number } of values) if (Math.abs(number) > most) most = Math.abs(number);
  return most;
}

function toCell(text: string, isBold = false): SlideCell {
  const paragraph = plainParagraph(text);
  for (const run of paragraph.runs) {
    run.size = FONT_SIZE;
    run.isBold = isBold;
  }
  return { paragraphs: [paragraph], span: 1, rowSpan: 1, merge: 'none', vertical: 'middle' };
}
