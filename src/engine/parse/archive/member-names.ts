/** What is an entry called, whatever its archive says? */
import { members as limits } from '../../config.ts';

/** Names of the members of one container: relative, without dot parts or control characters, each once. */
export class MemberNames {
  readonly #taken = new Set<string>();

  /** The name as a member may have it; a repeated one gets a number before its ending. */
  take(raw: string): string {
    const name = cleanName(raw);
    let free = name;
    for (let number = 2; this.#taken.has(free); number += 1) free = numbered(name, number);
    this.#taken.add(free);
    return free;
  }
}

/** Parts joined by "/", none of them leading elsewhere. */
function cleanName(raw: string): string {
  const parts = raw
    .toWellFormed()
    .replaceAll('\\', '/')
    .replace(/^[a-z]:(?=\/)/iu, '')
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
    .split('/')
    .filter((part) => part.trim() !== '' && part !== '.' && part !== '..');
  const name = parts.join('/');
  if (name === '') return 'unnamed';
  // The end of a long name says what it is.
  return name.length <= limits.maxNameLength
    ? name
    : name.slice(-limits.maxNameLength).toWellFormed().replace(/^\/+/u, '');
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  return dot > name.lastIndexOf('/') + 1
    ? `${name.slice(0, dot)} (${number})${name.slice(dot)}`
    : `${name} (${number})`;
}
