/** Was a word divided at the end of a line, or does its hyphen belong to it? */

const divided = /(\p{L}[\p{L}\p{M}]*)[-\u00ad\u2010]$/u;
const compound = /(\p{L}[\p{L}\p{M}-]*)[-\u2010]$/u;
const continuation = /^\p{Ll}[\p{L}\p{M}]*/u;

/**
 * How the end of `text` and the next line are joined. drop: the hyphen goes and nothing comes between;
 * touch: the hyphen stays and nothing comes between; space: a new word.
 * `knows` tells whether a word, in lower case, stands elsewhere in the document.
 */
export function joinsHyphen(
  text: string,
  next: string,
  knows: (word: string) => boolean,
): 'drop' | 'touch' | 'space' {
  const tail = text.slice(-80);
  const rest = continuation.exec(next)?.[0];
  if (tail.endsWith('\u00ad')) return rest === undefined ? 'space' : 'drop';
  const head = divided.exec(tail)?.[1];
  if (head === undefined) return 'space';
  if (rest === undefined) return /^\p{Lu}|^\d/u.test(next) ? 'touch' : 'space';
  const joined = (head + rest).toLowerCase();
  if (knows(joined)) return 'drop';
  const withHyphen = `${compound.exec(tail)?.[1] ?? head}-${rest}`.toLowerCase();
  // Several hyphens in one word ("state-of-the-") are the writer's own.
  return knows(withHyphen) || /\p{L}-\p{L}+-$/u.test(tail) ? 'touch' : 'drop';
}

/** Words of a document as far as they are needed to judge hyphens: bounded, whole lines at a time. */
export class KnownWords {
  readonly #words = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    if (this.#words.size >= this.#limit) return;
    for (const [word] of line.matchAll(/\p{L}[\p{L}\p{M}]*(?:-[\p{L}\p{M}]+)*(?![\p{L}-])/gu)) {
      this.#words.add(word.toLowerCase());
    }
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }
}
