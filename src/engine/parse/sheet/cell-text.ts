/** How is what a cell says kept? */
import { sheet as limits } from '../../config.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g;

/** Composed, with one kind of line end, tabs (they divide cells) and control characters as spaces; cut at the limit. */
export function toCellText(text: string): string {
  const cut = text.length > limits.maxCellLength ? text.slice(0, limits.maxCellLength) : text;
  return cut.replace(/\r\n?/g, '\n').replace(CONTROLS, ' ').normalize('NFC');
}
