/** Where does a download stand until it is whole, and may it begin? */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Folder of an unfinished download; names with a dot are no models. */
export const unfinishedFolder = (folder: string, id: string): string => path.join(folder, `.download-${id}`);

/** Throws unless a model of this name may be put there. */
export function refuseInstalled(folder: string, entry: CatalogueEntry): void {
  if (!existsSync(path.join(folder, entry.id, 'manifest.json'))) return;
  throw new AppError(
    'BAD_REQUEST',
    `Download was not started: ${entry.name}: it is installed already: remove it first to load it anew.`,
  );
}
