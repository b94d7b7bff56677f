/** Which models of the catalogue fit this machine, and which is the best of its kind for it? */
import type { CatalogueModel, ModelKind } from '../../api/types.ts';
import { modelMemory as factors } from '../config.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { catalogueBytes } from './memory.ts';

export interface MachineFacts {
  cores: number;
  /** Memory that models may take now, and could ever take, bytes; that of a graphics card included. */
  freeBytes: number;
  totalBytes: number;
  /** Memory of the graphics card in use; 0 without one. */
  videoBytes: number;
}

/** @param installed identifiers of installed models */
export function judgeCatalogue(
  entries: CatalogueEntry[],
  machine: MachineFacts,
  installed: Set<string>,
): CatalogueModel[] {
  const recommended = recommend(entries, machine);
  return entries.map((entry) => {
    const { id, kind, name, summary, host, repository, revision, licence, licenceUrl, languages } = entry;
    const bytes = catalogueBytes(entry);
    const { verified, parametersMillions } = entry;
    return {
      ...{ id, kind, name, summary, host, repository, licence, licenceUrl, languages, parametersMillions },
      ...(revision === undefined ? {} : { revision }),
      ...(verified ? { sizeBytes: verified.reduce((sum, file) => sum + file.sizeBytes, 0) } : {}),
      memoryBytes: bytes,
      isVerified: revision !== undefined && verified !== undefined,
      fit: bytes <= machine.freeBytes ? 'fits' : bytes <= machine.totalBytes ? 'tight' : 'too-large',
      isRecommended: recommended.has(id),
      ...(installed.has(id) ? { installedId: id } : {}),
    };
  });
}

/** The best of each kind (the smallest `order`) that fits and that is quick enough to wait for. */
function recommend(entries: CatalogueEntry[], machine: MachineFacts): Set<string> {
  const best = new Map<ModelKind, CatalogueEntry>();
  for (const entry of entries) {
    const bytes = catalogueBytes(entry);
    const perCore =
      entry.kind === 'generator' ? factors.writerMillionsPerCore : factors.encoderMillionsPerCore;
    const isQuick = entry.parametersMillions <= machine.cores * perCore || bytes <= machine.videoBytes;
    const known = best.get(entry.kind);
    if (isQuick && bytes <= machine.freeBytes && (!known || entry.order < known.order))
      best.set(entry.kind, entry);
  }
  return new Set([...best.values()].map(({ id }) => id));
}
