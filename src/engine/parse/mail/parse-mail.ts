/** Which blocks does a mail (eml, msg) hold, and where do they stand? */
import { ParseFailure, type Parser } from '../../document.ts';

// biome-ignore lint/correctness/useYield: not written yet
export const parseMail: Parser = async function* (file) {
  throw new ParseFailure('unsupported', `The file was not read: ${file.name}: not written yet.`);
};
