/** Which models are installed, in which order would they be used, and which of them turned out unfit? */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { ModelKind } from '../api/types.ts';
import { models as limits } from './config.ts';
import { type InstalledMemory, installedMemory } from './models/installed-memory.ts';
import { type InstalledModel, listModels } from './models/list-models.ts';
import type { Manifest } from './models/manifest.ts';

/** An installed model that may be used. */
export type Ready<M extends Manifest = Manifest> = InstalledModel & { manifest: M };

/** What the user chose, by kind; kept from one start to the next. */
export interface ModelChoices {
  get(kind: ModelKind): Promise<string | undefined>;
  set(kind: ModelKind, id: string): Promise<void>;
}

/** Choices that last as long as the program runs. */
export function temporaryChoices(): ModelChoices {
  const chosen = new Map<ModelKind, string>();
  return {
    get: async (kind) => chosen.get(kind),
    set: async (kind, id) => {
      chosen.set(kind, id);
    },
  };
}

/** Looks at the models folders and remembers what was found; looking again costs a `stat` per entry. */
export class InstalledModels {
  private readonly folders: string[];
  private readonly choices: ModelChoices;
  private listed: { signature: string; models: Promise<InstalledModel[]> } | undefined;
  /** Why a model was found unfit when it was checked or loaded, by its path. */
  private readonly unfit = new Map<string, string>();
  private readonly memories = new Map<string, Promise<InstalledMemory>>();

  /** @param folders in order of preference; the first is the user's own, the others came with the program */
  constructor(folders: string[], choices: ModelChoices) {
    this.folders = folders;
    this.choices = choices;
  }

  async all(): Promise<InstalledModel[]> {
    const signature = this.folders.map(signatureOf).join('\n');
    if (this.listed?.signature !== signature) {
      this.listed = { signature, models: listModels(this.folders) };
      this.unfit.clear();
      this.memories.clear();
    }
    return this.listed.models;
  }

  /** @throws AppError MODEL_NOT_FOUND */
  async named(id: string): Promise<InstalledModel> {
    const found = (await this.all()).filter(({ info }) => info.id === id);
    const model = found.find(({ manifest }) => manifest !== undefined) ?? found[0];
    if (model) return model;
    throw new AppError('MODEL_NOT_FOUND', `No such model is installed: ${id}: look at the list of models.`);
  }

  /** Models of a kind that may be used: the chosen one, then the others in order. */
  async ready<M extends Manifest>(kind: M['kind']): Promise<Ready<M>[]> {
    const [installed, chosen] = await Promise.all([this.all(), this.choices.get(kind)]);
    const usable = installed.filter(
      (model): model is Ready<M> => model.manifest?.kind === kind && !this.unfit.has(model.info.path),
    );
    return usable.toSorted((a, b) => Number(b.info.id === chosen) - Number(a.info.id === chosen));
  }

  async choose(kind: ModelKind, id: string): Promise<void> {
    await this.choices.set(kind, id);
  }

  async isChosen({ info }: InstalledModel): Promise<boolean> {
    return (await this.choices.get(info.kind)) === info.id;
  }

  /** Memory that it would take; worked out once. */
  memoryOf(model: Ready): Promise<InstalledMemory> {
    const key = model.info.path;
    const known = this.memories.get(key) ?? installedMemory(model.folder, model.manifest);
    this.memories.set(key, known);
    return known;
  }

  /** Why it can't be used, as far as is known. */
  faultOf(model: InstalledModel): string | undefined {
    return this.unfit.get(model.info.path);
  }

  /** A model that can't be used is not offered again; one that failed for want of memory or by a death is. */
  markUnfit(model: InstalledModel, error: unknown): void {
    if (error instanceof AppError && error.code === 'MODEL_INVALID')
      this.unfit.set(model.info.path, error.message);
  }

  markFit(model: InstalledModel): void {
    this.unfit.delete(model.info.path);
  }
}

/** Changes when a model is added, removed or replaced. */
function signatureOf(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return '';
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .slice(0, limits.maxModels)
    .map((name) => {
      const full = path.join(folder, name);
      const entry = statSync(full, { throwIfNoEntry: false });
      const manifest = statSync(path.join(full, 'manifest.json'), { throwIfNoEntry: false });
      return `${full} ${entry?.mtimeMs} ${entry?.size} ${manifest?.mtimeMs}`;
    })
    .join('\n');
}
