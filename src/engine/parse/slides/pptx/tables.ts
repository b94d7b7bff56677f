/** Which rows and cells has a table of a slide? After ECMA-376, part 21.1.3. */
import { slides as limits } from '../../../config.ts';
import type { SlideCell, SlideRow, SlideTable } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import type { ShapeContext } from './shapes.ts';
import { EMU, readParagraphs, type TextStyles } from './text.ts';
import { colorOf, themeColor } from './theme.ts';

/** Styles that draw nothing but lines, by their identifiers, which are the same in every file. */
const plainStyles = new Set([
  '{2D5ABB26-0587-4C30-8999-92F81FD0307C}',
  '{5940675A-B579-460E-94D1-54222C63F5DA}',
]);

export function readTable(
  grid: XmlNode,
  styles: TextStyles,
  { palette, tableStyles }: ShapeContext,
  name: string,
): SlideTable {
  const properties = grid.child('tblPr');
  const look = properties?.child('tableStyleId')?.text.trim() ?? '';
  const isPlain = look === '' || plainStyles.has(look.toUpperCase());
  const style = tableStyles.get(look.toUpperCase());
  const accent = `#${themeColor('accent1', palette)}`;
  const fillOf = (part: string): string | undefined =>
    colorOf(style?.child(part, 'tcStyle', 'fill', 'solidFill'), palette);
  const headerFill = isPlain ? undefined : (fillOf('firstRow') ?? (style ? undefined : accent));
  const bodyFill = fillOf('wholeTbl');
  const bandFill = isPlain ? undefined : (fillOf('band1H') ?? (style ? undefined : `${accent}26`));
  const hasHeader = properties?.isOn('firstRow') ?? false;
  const isBanded = properties?.isOn('bandRow') ?? false;
  const columns = (grid.child('tblGrid')?.all('gridCol') ?? []).slice(0, limits.maxColumns);
  const rows: SlideRow[] = [];
  let cells = 0;
  for (const [at, node] of grid.all('tr').entries()) {
    const isHeader = hasHeader && at === 0;
    const isBand = isBanded && (at - Number(hasHeader)) % 2 === 0;
    const fill = isHeader ? headerFill : isBand ? (bandFill ?? bodyFill) : bodyFill;
    const onDark = isHeader && headerFill !== undefined;
    const letters = onDark ? { ...styles, color: headerColor(style, styles) } : styles;
    const row = readRow(node, letters, isHeader, fill);
    if (onDark) for (const cell of row.cells) embolden(cell);
    rows.push(row);
    cells += row.cells.length;
    if (cells > limits.maxCells) break;
  }
  return { columns: columns.map((column) => (column.number('w') ?? 0) * EMU), rows, name, isChart: false };
}

function headerColor(style: XmlNode | undefined, { palette }: TextStyles): string {
  return colorOf(style?.child('firstRow', 'tcTxStyle'), palette) ?? `#${themeColor('bg1', palette)}`;
}

function embolden(cell: SlideCell): void {
  for (const { runs } of cell.paragraphs) for (const run of runs) run.isBold = true;
}

function readRow(node: XmlNode, styles: TextStyles, isHeader: boolean, fill: string | undefined): SlideRow {
  const cells: SlideCell[] = [];
  for (const cell of node.all('tc').slice(0, limits.maxColumns)) {
    if (cell.isOn('hMerge')) continue;
    const rowSpan = Math.max(1, cell.number('rowSpan') ?? 1);
    const properties = cell.child('tcPr');
    const own = colorOf(properties?.child('solidFill'), styles.palette);
    const anchor = properties?.get('anchor');
    const body = cell.child('txBody');
    cells.push({
      paragraphs: body ? readParagraphs(body, styles) : [],
      span: Math.min(limits.maxColumns, Math.max(1, cell.number('gridSpan') ?? 1)),
      rowSpan,
      merge: cell.isOn('vMerge') ? 'on' : rowSpan > 1 ? 'start' : 'none',
      fill: properties?.child('noFill') ? undefined : (own ?? fill),
      vertical: anchor === 'ctr' ? 'middle' : anchor === 'b' ? 'bottom' : 'top',
    });
  }
  return { height: (node.number('h') ?? 0) * EMU, isHeader, cells };
}
