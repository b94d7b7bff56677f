/** Does an ignore file say that this path is not to be read? */
import { open } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { files as limits } from '../config.ts';

/** Names of ignore files; later ones win inside one folder. */
const ignoreFileNames = ['.gitignore', '.lecternignore'] as const;

/** Rules of one folder and of those around it. Immutable; a folder without rules shares its parent's. */
export interface IgnoreRules {
  /** Folder the rules were written in, relative to the root, without a closing slash; '' is the root. */
  base: string;
  rules: Ignore;
  outer: IgnoreRules | undefined;
}

/** Adds the rules of a folder's own ignore files to those around it. An ignore file that can't be read counts as empty. */
export async function withFolderRules(
  outer: IgnoreRules | undefined,
  folderPath: string,
  base: string,
  names: readonly string[],
): Promise<IgnoreRules | undefined> {
  // Git compares case as the file system does.
  const rules = ignore({ ignorecase: process.platform !== 'linux', allowRelativePaths: true });
  let isEmpty = true;
  for (const name of ignoreFileNames) {
    if (!names.includes(name)) continue;
    const text = await readStart(path.join(folderPath, name));
    isEmpty &&= text.trim() === '';
    rules.add(text);
  }
  if (isEmpty) return outer;
  return { base, rules, outer };
}

/** True when the innermost rule that speaks of the path excludes it. Folders above it are taken as not ignored. */
export function isIgnored(rules: IgnoreRules | undefined, relativePath: string, isFolder: boolean): boolean {
  for (let level = rules; level; level = level.outer) {
    const inside = level.base === '' ? relativePath : relativePath.slice(level.base.length + 1);
    const result = level.rules.test(isFolder ? `${inside}/` : inside);
    if (result.ignored) return true;
    if (result.unignored) return false;
  }
  return false;
}

async function readStart(filePath: string): Promise<string> {
  const file = await open(filePath, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const buffer = Buffer.alloc(limits.maxIgnoreFileBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0).catch(() => ({ bytesRead: 0 }));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
