/** Which rows has a table of an OpenDocument slide? */
import { slides as limits } from '../../../config.ts';
import type { SlideCell, SlideRow, SlideTable } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { cssColor, type DeckStyles, lengthOf } from './styles.ts';
import { readParagraphs } from './text.ts';

export function readTable(
  grid: XmlNode,
  styles: DeckStyles,
  fields: ReadonlyMap<string, string>,
): SlideTable {
  const hasHeader = grid.isOn('use-first-row-styles');
  const rows: SlideRow[] = [];
  let cells = 0;
  for (const { node, isMarked } of rowsOf(grid)) {
    const row = readRow(node, styles, fields);
    rows.push({ ...row, isHeader: isMarked || (hasHeader && rows.length === 0) });
    cells += row.cells.length;
    if (cells > limits.maxCells) break;
  }
  const columns = [...grid.deep('table-column')].flatMap((column) => {
    const width = lengthOf(
      styles.value(
        styles.chain('table-column', column.get('style-name')),
        'table-column-properties',
        'column-width',
      ),
    );
    return Array.from({ length: countOf(column, 'number-columns-repeated') }, () => width ?? 0);
  });
  const isKnown = columns.every((width) => width > 0);
  return { columns: isKnown ? columns.slice(0, limits.maxColumns) : [], rows, name: '', isChart: false };
}

/** Rows outside and inside of those that name the columns. */
export function rowsOf(grid: XmlNode): { node: XmlNode; isMarked: boolean }[] {
  return grid.children.flatMap((child) => {
    if (child.name === 'table-row') return [{ node: child, isMarked: false }];
    if (child.name === 'table-header-rows')
      return child.all('table-row').map((node) => ({ node, isMarked: true }));
    return child.name === 'table-rows' ? rowsOf(child) : [];
  });
}

function readRow(node: XmlNode, styles: DeckStyles, fields: ReadonlyMap<string, string>): SlideRow {
  const cells: SlideCell[] = [];
  let covered = 0;
  for (const cell of node.children) {
    const isCovered = cell.name === 'covered-table-cell';
    if (!isCovered && cell.name !== 'table-cell') continue;
    for (
      let left = countOf(cell, 'number-columns-repeated');
      left > 0 && cells.length < limits.maxColumns;
      left--
    ) {
      if (isCovered && covered > 0) covered -= 1;
      else {
        const made = readCell(cell, isCovered, styles, fields);
        covered = made.span - 1;
        cells.push(made);
      }
    }
  }
  return { height: 0, isHeader: false, cells };
}

function readCell(
  cell: XmlNode,
  isCovered: boolean,
  styles: DeckStyles,
  fields: ReadonlyMap<string, string>,
): SlideCell {
  const chain = styles.chain('table-cell', cell.get('style-name'));
  const rowSpan = countOf(cell, 'number-rows-spanned');
  const fill =
    styles.value(chain, 'graphic-properties', 'fill') === 'none'
      ? undefined
      : (cssColor(styles.value(chain, 'graphic-properties', 'fill-color')) ??
        cssColor(styles.value(chain, 'table-cell-properties', 'background-color')));
  const vertical = styles.value(chain, 'graphic-properties', 'textarea-vertical-align');
  return {
    paragraphs: isCovered ? [] : readParagraphs(cell, { styles, shape: chain, outline: undefined, fields }),
    span: isCovered ? 1 : countOf(cell, 'number-columns-spanned'),
    rowSpan,
    merge: isCovered ? 'on' : rowSpan > 1 ? 'start' : 'none',
    fill,
    vertical: vertical === 'middle' ? 'middle' : vertical === 'bottom' ? 'bottom' : 'top',
  };
}

function countOf(node: XmlNode, name: string): number {
  const count = node.number(name) ?? 1;
  return Number.isInteger(count) && count > 0 ? Math.min(count, limits.maxColumns) : 1;
}
