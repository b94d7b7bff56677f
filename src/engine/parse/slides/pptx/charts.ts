/** What does a chart of a slide say: its title, and its cached values as a table? After ECMA-376, part 21.2. */
import { slides as limits } from '../../../config.ts';
import { readFormat, showNumber } from '../../sheet/number-format.ts';
import { type ChartColumn, chartOf } from '../chart-table.ts';
import type { Shape } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { readParagraphs } from './text.ts';
import { colorOf, type Palette, themeColor } from './theme.ts';

interface Series {
  name: string;
  color: string;
  categories: Map<number, string>;
  values: Map<number, { text: string; number: number }>;
}

/** Levels of categories that are joined. */
const MAX_LEVELS = 8;
/** Number of a custom format, beyond the built-in ones. */
const CUSTOM = 200;

/** Undefined where nothing was cached. */
export function readChart(root: XmlNode, palette: Palette): Partial<Shape> | undefined {
  const chart = root.child('chart');
  if (root.child('chartData')) return readNewChart(root, palette);
  const plot = chart?.child('plotArea');
  const series = [...(plot?.deep('ser') ?? [])]
    .slice(0, limits.maxChartSeries)
    .map((node, at) => readSeries(node, at, palette));
  const titles = [
    titleOf(chart?.child('title'), palette) ?? (series.length === 1 ? (series[0]?.name ?? '') : ''),
    ...(plot?.children ?? [])
      .filter(({ name }) => name.endsWith('Ax'))
      .map((axis) => titleOf(axis.child('title'), palette) ?? ''),
  ].filter((title) => title !== '');
  const points = [
    ...new Set(series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()])),
  ]
    .filter((at) => at >= 0)
    .sort((one, other) => one - other)
    .slice(0, limits.maxChartPoints);
  const categories = points.map(
    (at) => series.map((one) => one.categories.get(at)).find((name) => name !== undefined) ?? String(at + 1),
  );
  const columns = series.map(
    ({ name, color, values }): ChartColumn => ({
      name,
      color,
      values: points.map((at) => values.get(at) ?? { text: '', number: Number.NaN }),
    }),
  );
  return chartOf(titles, categories, columns);
}

function titleOf(node: XmlNode | undefined, palette: Palette): string | undefined {
  if (!node) return undefined;
  const rich = node.child('tx', 'rich');
  const text = rich
    ? readParagraphs(rich, { lists: [], bodies: [], palette })
        .map(({ runs }) => runs.map((run) => run.text).join(''))
        .join(' ')
    : [...(pointsOf(node.child('tx', 'strRef', 'strCache')).values() ?? [])].join(' ');
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function readSeries(node: XmlNode, at: number, palette: Palette): Series {
  const name =
    [...pointsOf(node.child('tx', 'strRef', 'strCache')).values()].join(' ') ||
    (node.child('tx', 'v')?.text ?? '');
  const own =
    colorOf(node.child('spPr', 'solidFill'), palette) ??
    colorOf(node.child('spPr', 'ln', 'solidFill'), palette);
  const values = node.child('val') ?? node.child('yVal');
  return {
    name: name.trim(),
    color: own ?? `#${themeColor(`accent${(at % 6) + 1}`, palette)}`,
    categories: textsOf(node.child('cat') ?? node.child('xVal')),
    values: numbersOf(values?.child('numRef', 'numCache') ?? values?.child('numLit')),
  };
}

/** Names of categories; those of several levels are joined, the outermost first. */
function textsOf(holder: XmlNode | undefined): Map<number, string> {
  const levels = holder?.child('multiLvlStrRef', 'multiLvlStrCache')?.all('lvl');
  if (levels) return joinLevels(levels.map(pointsOf));
  const texts = holder?.child('strRef', 'strCache') ?? holder?.child('strLit');
  if (texts) return pointsOf(texts);
  const numbers = numbersOf(holder?.child('numRef', 'numCache') ?? holder?.child('numLit'));
  return new Map([...numbers].map(([at, { text }]) => [at, text]));
}

/** The first level is the innermost; an outer name holds until the next one. */
function joinLevels(levels: readonly Map<number, string>[]): Map<number, string> {
  const [inner = new Map<number, string>(), ...outer] = levels;
  const joined = new Map([...inner].sort(([one], [other]) => one - other));
  for (const level of outer.slice(0, MAX_LEVELS)) {
    let above = '';
    for (const [at, text] of joined) {
      above = level.get(at) ?? above;
      if (above !== '') joined.set(at, `${above} / ${text}`);
    }
  }
  return joined;
}

function pointsOf(cache: XmlNode | undefined): Map<number, string> {
  const points = new Map<number, string>();
  for (const point of (cache?.all('pt') ?? []).slice(0, limits.maxChartPoints)) {
    points.set(
      point.number('idx') ?? points.size,
      (point.child('v')?.text ?? '').replaceAll(/\s+/gu, ' ').trim(),
    );
  }
  return points;
}

function numbersOf(cache: XmlNode | undefined): Series['values'] {
  const code = cache?.child('formatCode')?.text ?? 'General';
  const format = readFormat(CUSTOM, new Map([[CUSTOM, code]]), 'en');
  const values: Series['values'] = new Map();
  for (const [at, written] of pointsOf(cache)) {
    const number = Number(written);
    if (written === '') continue;
    const text = Number.isFinite(number) ? showNumber(number, format, 'en', false) : written;
    values.set(at, { text, number });
  }
  return values;
}

/** Charts of kinds that came with PowerPoint 2016, such as waterfalls, after [MS-ODRAWXML] 2.24.3: data stands apart from its series. */
function readNewChart(root: XmlNode, palette: Palette): Partial<Shape> | undefined {
  const titles = [...root.deep('title')]
    .slice(0, limits.maxChartSeries)
    .map((title) =>
      [...title.deep('t'), ...title.deep('v')]
        .map(({ text }) => text)
        .join(' ')
        .trim(),
    )
    .filter((title) => title !== '');
  const sets = root.child('chartData')?.all('data').slice(0, limits.maxChartSeries) ?? [];
  const names = [...root.deep('series')].map(
    (series) => series.child('tx', 'txData', 'v')?.text.trim() ?? '',
  );
  const columns = sets.map((set, at) => {
    const values = cacheOf(set.child('numDim', 'lvl'));
    return {
      name: names[at] ?? '',
      color: `#${themeColor(`accent${(at % 6) + 1}`, palette)}`,
      texts: cacheOf(set.child('strDim', 'lvl')),
      values,
    };
  });
  const longest = Math.max(0, ...columns.map(({ texts, values }) => Math.max(texts.length, values.length)));
  const categories = Array.from(
    { length: longest },
    (_, at) => columns.map(({ texts }) => texts[at]).find((text) => text) ?? String(at + 1),
  );
  return chartOf(
    titles,
    categories,
    columns.map(({ name, color, values }) => ({
      name,
      color,
      values: categories.map((_, at) => ({
        text: values[at] ?? '',
        number: Number(values[at] ?? Number.NaN),
      })),
    })),
  );
}

function cacheOf(level: XmlNode | undefined): string[] {
  const points = level?.all('pt').slice(0, limits.maxChartPoints) ?? [];
  return points.map(({ text }) => text.replaceAll(/\s+/gu, ' ').trim());
}
