/** What does an embedded chart of an OpenDocument slide say: its title, and its values as a table? */
import { slides as limits } from '../../../config.ts';
import { type ChartColumn, chartOf } from '../chart-table.ts';
import type { Shape } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { rowsOf } from './tables.ts';

const colors = ['#004586', '#ff420e', '#ffd320', '#579d1c', '#7e0021', '#83caff'];

/** Undefined where the object is no chart. */
export function readChart(root: XmlNode): Partial<Shape> | undefined {
  const chart =
    root.child('body', 'chart', 'chart') ?? [...root.deep('chart')].find((node) => node.child('plot-area'));
  if (!chart) return undefined;
  const titles = [
    chart.child('title'),
    chart.child('subtitle'),
    ...[...chart.deep('axis')].map((axis) => axis.child('title')),
  ]
    .map((title) => wordsOf(title))
    .filter((title) => title !== '');
  const grid = chart.child('table');
  const rows = grid ? rowsOf(grid).slice(0, limits.maxChartPoints) : [];
  const [names = [], ...data] = rows.map(({ node }) =>
    node.all('table-cell').slice(0, limits.maxChartSeries),
  );
  const columns = names.slice(1).map((cell, at): ChartColumn => {
    const values = data.map((row) => row[at + 1]);
    return {
      name: wordsOf(cell),
      color: colors[at % colors.length]!,
      values: values.map((value) => ({ text: wordsOf(value), number: value?.number('value') ?? Number.NaN })),
    };
  });
  return chartOf(
    titles,
    data.map((row) => wordsOf(row[0])),
    columns,
  );
}

function wordsOf(node: XmlNode | undefined): string {
  const paragraphs = [...(node?.deep('p') ?? [])].map((paragraph) => paragraph.text);
  return paragraphs.join(' ').replaceAll(/\s+/gu, ' ').trim();
}
