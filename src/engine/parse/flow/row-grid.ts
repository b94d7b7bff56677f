/** Which columns do the cells of a table take, when its rows only say where their cells begin and end? */
import type { FlowTableRow } from './flow-table.ts';

/** How a row lies: the left edges of its cells and the right edge of the last, in twips (1/20 point). */
export interface RowGrid {
  edges: number[];
  /** By cell. */
  merges: ('none' | 'start' | 'on')[];
}

export interface GridRow {
  cells: string[];
  /** Undefined where the row says nothing: then each cell is a column. */
  grid: RowGrid | undefined;
  isHeader: boolean;
}

/** Edges closer than this are one column's, in twips: hand-drawn tables are never quite straight. */
const TOLERANCE = 60;

/** The rows with the columns that each cell spans. */
export function alignRows(rows: readonly GridRow[]): FlowTableRow[] {
  const edges = rows.flatMap(({ grid }) => grid?.edges ?? []).sort((one, other) => one - other);
  const columns = edges.filter((edge, at) => at === 0 || edge - edges[at - 1]! > TOLERANCE);
  return rows.map(({ cells, grid, isHeader }) => ({
    isHeader,
    cells: cells.map((text, at) => {
      const [left, right] = [grid?.edges[at], grid?.edges[at + 1]];
      const isKnown = left !== undefined && right !== undefined;
      const span = isKnown ? columnAt(columns, right) - columnAt(columns, left) : 1;
      return { text, span: Math.max(1, span), merge: grid?.merges[at] ?? 'none' };
    }),
  }));
}

/** The column whose edge is nearest. */
function columnAt(columns: readonly number[], edge: number): number {
  let best = 0;
  for (const [at, column] of columns.entries()) {
    if (Math.abs(column - edge) < Math.abs(columns[best]! - edge)) best = at;
  }
  return best;
}
