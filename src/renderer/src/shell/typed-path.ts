/** What does a path mean that somebody pasted? */

const isWindows = (): boolean => /win/i.test(navigator.platform) && !/darwin/i.test(navigator.platform);

/** Quotes that a file manager puts around a copied path, and the scheme of a copied address, are taken off. */
export function cleanPath(pasted: string): string {
  const bare = pasted.trim().replace(/^(["'])(.*)\1$/, '$2');
  return bare.startsWith('file://') ? decodeURI(bare.slice('file://'.length)) : bare;
}

/** Said from the top: "/…", "~/…", "C:\…" or "\\server\…". */
export const isFullPath = (path: string): boolean => /^(\/|~|[a-z]:[\\/]|\\\\)/i.test(path);

/** A path in the manner of this system, of a thing in somebody's folder. */
export const examplePath = (name: string): string =>
  isWindows() ? `C:\\Users\\me\\${name}` : `/home/me/${name}`;
