/** Which rectangle of cells does an A1 range name, and which rectangles hold a set of cells? */

/** 1-based, inclusive. */
export interface CellRectangle {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Reads "B2" or "B2:F9", with or without "$"; undefined for anything else. */
export function fromA1(range: string): CellRectangle | undefined {
  const match = /^\$?([A-Z]{1,4})\$?(\d{1,8})(?::\$?([A-Z]{1,4})\$?(\d{1,8}))?$/i.exec(range.trim());
  if (!match) return undefined;
  const left = columnNumber(match[1]!);
  const top = Number(match[2]);
  const right = match[3] ? columnNumber(match[3]) : left;
  const bottom = match[4] ? Number(match[4]) : top;
  return {
    top: Math.min(top, bottom),
    left: Math.min(left, right),
    bottom: Math.max(top, bottom),
    right: Math.max(left, right),
  };
}

/** Writes "B2" for one cell, "B2:F9" for more. */
export function toA1(cells: CellRectangle): string {
  const first = `${columnName(cells.left)}${cells.top}`;
  const last = `${columnName(cells.right)}${cells.bottom}`;
  return first === last ? first : `${first}:${last}`;
}

export function overlap(a: CellRectangle, b: CellRectangle): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** The same cells in fewer rectangles, top to bottom: first along rows, then equal runs of rows that follow each other. */
export function mergeRectangles(cells: CellRectangle[]): CellRectangle[] {
  const byRow = [...cells].sort((a, b) => a.top - b.top || a.bottom - b.bottom || a.left - b.left);
  const runs = fold(byRow, (last, next) =>
    last.top === next.top && last.bottom === next.bottom && next.left <= last.right + 1
      ? { ...last, right: Math.max(last.right, next.right) }
      : undefined,
  );
  const byColumn = runs.sort((a, b) => a.left - b.left || a.right - b.right || a.top - b.top);
  const rectangles = fold(byColumn, (last, next) =>
    last.left === next.left && last.right === next.right && next.top <= last.bottom + 1
      ? { ...last, bottom: Math.max(last.bottom, next.bottom) }
      : undefined,
  );
  return rectangles.sort((a, b) => a.top - b.top || a.left - b.left);
}

function fold(
  cells: CellRectangle[],
  join: (last: CellRectangle, next: CellRectangle) => CellRectangle | undefined,
): CellRectangle[] {
  const out: CellRectangle[] = [];
  for (const next of cells) {
    const last = out.at(-1);
    const joined = last && join(last, next);
    if (joined) out[out.length - 1] = joined;
    else out.push(next);
  }
  return out;
}

function columnNumber(name: string): number {
  let number = 0;
  for (const letter of name.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
