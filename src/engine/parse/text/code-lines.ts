/** What does one line of source code begin, continue or end? */
import type { CodeShape } from '../kinds.ts';

/** Words before a declaration's own keyword. */
const MODIFIERS =
  '(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|open|static|partial|data|async|pub(?:\\([^)]*\\))?|unsafe|virtual|override|inline|extern|readonly|case|implicit|template\\s*<[^>]*>)\\s+)*';

const CONTAINER = new RegExp(
  `^${MODIFIERS}(?:class|interface|struct|enum|trait|impl|namespace|module|object|protocol|extension|record|union|mod|@interface|@implementation|contract|library|service)\\b(?!\\s*[=(;.,:])`,
);

const ROUTINE = new RegExp(
  `^${MODIFIERS}(?:function\\b|func\\b|fun\\b|fn\\b|def\\b|sub\\b|procedure\\b|constructor\\b|macro\\b|message\\b|rpc\\b|resource\\b|proc\\b|defn?\\b|defmodule\\b|defp\\b)`,
  'i',
);

/** Comments, attributes and decorators that belong to what follows. */
const PREFIX = /^(?:\/\/|\/\*|\*|#(?:\s|#|!|$|\[)|--\s|;;|@[\p{L}]|"""|'''|\[[A-Z][\w.]*(?:\(.*\))?\]$|%)/u;

/** A line that goes on with, or ends, what stands before it. */
const CONTINUATION =
  /^(?:[})\]]|\{\s*$|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|while\s*\(.*\)\s*;)/i;

const LITERALS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/.*|\/\*.*?\*\//g;

export const isContainer = (text: string): boolean => CONTAINER.test(text);
export const isRoutine = (text: string): boolean => ROUTINE.test(text);
export const isPrefix = (text: string): boolean => PREFIX.test(text);
export const isContinuation = (text: string): boolean => CONTINUATION.test(text);

/** Columns of white space before the first sign; a tab counts as four. */
export function indentOf(text: string): number {
  let columns = 0;
  for (const sign of text) {
    if (sign === ' ') columns++;
    else if (sign === '\t') columns += 4;
    else break;
  }
  return columns;
}

/** How many braces a line opens beyond those that it closes, outside strings and comments on one line. */
export function braceBalance(text: string, shape: CodeShape): number {
  if (shape !== 'braces' || !/[{}]/.test(text)) return 0;
  let balance = 0;
  for (const sign of text.replace(LITERALS, '')) {
    if (sign === '{') balance++;
    if (sign === '}') balance--;
  }
  return balance;
}
