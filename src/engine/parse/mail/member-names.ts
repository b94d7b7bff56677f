/** Under which names do the parts of a mail or mailbox become documents? */
import { mail as limits } from '../../config.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const UNFIT = /[\u0000-\u001f\u007f/\\<>:"|?*\u202a-\u202e\u2066-\u2069]+/g;

/** Gives each name once: no folders, no signs that a file system refuses, "(2)" behind one that came before. */
export class MemberNames {
  readonly #given = new Set<string>();

  /** @param wanted as the mail writes it @param fallback where that leaves nothing */
  give(wanted: string, fallback: string): string {
    const cleaned = wanted.normalize('NFC').replaceAll(UNFIT, ' ').replaceAll(/\s+/gu, ' ').trim();
    const fit = /^\.*$/.test(cleaned) ? fallback : cleaned;
    const dot = fit.lastIndexOf('.');
    const ending = dot > 0 && fit.length - dot <= limits.maxEndingLength ? fit.slice(dot) : '';
    const stem = [...fit.slice(0, fit.length - ending.length)].slice(0, limits.maxNameLength).join('').trim();
    let name = `${stem}${ending}`;
    for (let number = 2; this.#given.has(name); number += 1) name = `${stem} (${number})${ending}`;
    this.#given.add(name);
    return name;
  }
}
