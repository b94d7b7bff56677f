/** What do paragraphs, tables and notes of a Word document consist of? */
import { type Attributes, attribute, isOn } from '../zip/read-xml.ts';
import type { CellMerge, Entered, Frame, WalkState } from './walk-state.ts';

export function enterBlock(state: WalkState, local: string, name: string, attributes: Attributes): Entered {
  switch (local) {
    case 'body':
      return state.pass('block', name, attributes);
    case 'footnote':
    case 'endnote':
      state.note = `${local} ${attribute(attributes, 'id') ?? ''}`;
      return state.pass('block', name, attributes, () => {
        state.note = undefined;
      });
    case 'p':
      if (!state.openParagraph()) return 'skip';
      return { mode: 'paragraph', end: '', leave: () => state.closeParagraph() };
    case 'tbl':
      state.tableDepth += 1;
      state.push({ type: 'table-start' });
      return state.pass('block', name, attributes, () => {
        state.tableDepth -= 1;
        state.push({ type: 'table-end' });
      });
    case 'tr':
      return enterRow(state, name, attributes);
    case 'tc':
      return enterCell(state, name, attributes);
    case 'tblPr':
    case 'tblGrid':
    case 'trPr':
    case 'tcPr':
    case 'sectPr':
    case 'background':
      return state.pass('raw', name, attributes);
    case 'altChunk':
      state.context.hasForeignPart = true;
      return 'skip';
    default:
      return state.unwrapOrSkip(name, 'block');
  }
}

function enterRow(state: WalkState, name: string, attributes: Attributes): Frame {
  const outer = state.row;
  const row = { isHeader: false };
  state.row = row;
  state.push({ type: 'row-start' });
  return state.pass('block', name, attributes, () => {
    state.row = outer;
    state.push({ type: 'row-end', isHeader: row.isHeader });
  });
}

function enterCell(state: WalkState, name: string, attributes: Attributes): Frame {
  const outer = state.cell;
  const cell: { span: number; merge: CellMerge } = { span: 1, merge: 'none' };
  state.cell = cell;
  state.push({ type: 'cell-start' });
  return state.pass('block', name, attributes, () => {
    state.cell = outer;
    state.push({ type: 'cell-end', ...cell });
  });
}

/** Properties are written as they are; of tables, three are needed here. */
export function enterRaw(state: WalkState, local: string, name: string, attributes: Attributes): Entered {
  if (local === 'tblHeader') state.row.isHeader = isOn(attributes);
  else if (local === 'gridSpan') state.cell.span = Math.max(1, Number(attribute(attributes, 'val')) || 1);
  else if (local === 'vMerge') state.cell.merge = attribute(attributes, 'val') === 'restart' ? 'start' : 'on';
  return state.pass('raw', name, attributes);
}
