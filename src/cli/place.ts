/** Where do the product's own files and the user's library stand on this machine? */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the installed product. */
export const productPath = fileURLToPath(new URL('../..', import.meta.url));

export function productVersion(): string {
  const text = readFileSync(path.join(productPath, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The user's data folder by the habits of the system; LECTERN_HOME overrides it. */
export function dataPath(): string {
  const home = os.homedir();
  if (process.env.LECTERN_HOME) return path.resolve(process.env.LECTERN_HOME);
  if (process.platform === 'win32') return path.join(process.env.APPDATA ?? home, 'Lectern');
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Lectern');
  return path.join(process.env.XDG_DATA_HOME ?? path.join(home, '.local', 'share'), 'lectern');
}

export function libraryPath(option: string | undefined): string {
  return option ? path.resolve(option) : path.join(dataPath(), 'library');
}

/** Models the user added come before those that ship. */
export function modelFolders(): [own: string, shipped: string] {
  return [path.join(dataPath(), 'models'), path.join(productPath, 'models')];
}

export const cataloguePath = path.join(productPath, 'resources', 'models.json');
export const languagesPath = path.join(productPath, 'resources', 'recognition');
export const samplePath = path.join(productPath, 'resources', 'sample-library');
export const pagePath = path.join(productPath, 'out', 'renderer');
