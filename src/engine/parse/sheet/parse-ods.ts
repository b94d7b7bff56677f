/** Which blocks does an OpenDocument sheet hold, and where do they stand? */
import { ParseFailure, type Parser } from '../../document.ts';

// biome-ignore lint/correctness/useYield: not written yet
export const parseOds: Parser = async function* (file) {
  throw new ParseFailure('unsupported', `The file was not read: ${file.name}: not written yet.`);
};
