/** How is a document named that stands inside another? `outer.zip » folder/inner.mbox » 12` */

const MARK = ' » ';
/** What stands for the mark in a member's own name, which looks the same. */
const LIKE_MARK = '\u00a0» ';

/** Path of a member, as the library knows it. */
export function memberPath(container: string, name: string): string {
  return container + MARK + shown(name);
}

/** The name that a member has in a path. */
function shown(name: string): string {
  return name.replaceAll(MARK, LIKE_MARK);
}

/** True when the member of this name is the one that a path speaks of. */
export function isNamed(name: string, inPath: string): boolean {
  return shown(name) === inPath;
}

/** Names of the members that lead from the file on disk to a document, outermost first; none for a file itself. */
export function memberChain(path: string, container: string | undefined): string[] {
  return container === undefined ? [] : path.slice(container.length + MARK.length).split(MARK);
}

/** True for what stands inside the document at a path, however deep. */
export function isInDocument(path: string, container: string): boolean {
  return path.startsWith(container + MARK);
}

/** The last name in a path, whether of a file or of a member. */
export function lastName(path: string): string {
  return path.split(/\/| » /u).at(-1) ?? path;
}

/** A path as if what holds members were folders. */
export function asFolders(path: string): string {
  return path.replaceAll(MARK, '/');
}
