/** Is there memory for a model, now or ever, and which resting model makes room for it? */
import { totalmem } from 'node:os';
import { models as limits } from './config.ts';
import { checkMemory, fitContext } from './generate/fit-context.ts';
import type { InstalledModels, Ready } from './installed-models.ts';
import { writerBytes } from './models/memory.ts';
import type { RemoteModels } from './remote-models.ts';

/** What a model takes when it is loaded. */
export interface Fit {
  bytes: number;
  /** Tokens of a language model's context; 0 for encoders. */
  contextTokens: number;
}

/** Watches the memory that models take. What is being loaded counts as taken. */
export class ModelMemory {
  /** Memory that models may take, bytes, where that is given; else what the machine has free, less a reserve. */
  readonly givenBytes: number | undefined;
  private readonly installed: InstalledModels;
  private readonly remote: () => RemoteModels;
  /** Bytes of models that are being loaded. */
  private readonly reserved = new Map<string, number>();

  constructor(installed: InstalledModels, remote: () => RemoteModels, givenBytes: number | undefined) {
    this.installed = installed;
    this.remote = remote;
    this.givenBytes = givenBytes;
  }

  /**
   * Memory that models may take now, bytes.
   * @param except a model that is about to be loaded, which takes nothing yet
   */
  async freeBytes(except?: string): Promise<number> {
    const reserved = [...this.reserved.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (this.givenBytes !== undefined)
      return Math.max(0, this.givenBytes - reserved - (await this.heldBytes(except)));
    const { writers } = await this.remote().use();
    const own = process.availableMemory() - limits.memoryReserveBytes - reserved;
    return Math.max(0, own) + (writers?.video?.freeBytes ?? 0);
  }

  /** Memory that models could ever take on this machine, bytes. */
  async totalBytes(): Promise<number> {
    if (this.givenBytes !== undefined) return this.givenBytes;
    const { writers } = await this.remote().use();
    const own = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return Math.max(0, own - limits.memoryReserveBytes) + (writers?.video?.totalBytes ?? 0);
  }

  /** Of models that are loaded, as estimated. */
  private async heldBytes(except: string | undefined): Promise<number> {
    let held = 0;
    for (const { info, folder, manifest, hasPromise } of await this.installed.all()) {
      const isHeld = this.remote().isLoaded(info.id) && !this.reserved.has(info.id) && info.id !== except;
      if (!manifest || !isHeld) continue;
      const memory = await this.installed.memoryOf({ info, folder, manifest, hasPromise });
      const tokens = this.remote().loaded(info.id)?.contextTokens ?? 0;
      held += memory.kind === 'writer' ? writerBytes(memory.memory, tokens) : memory.bytes;
    }
    return held;
  }

  /**
   * What a model takes of so much memory.
   * @throws AppError MODEL_TOO_LARGE with the numbers
   */
  async fit(model: Ready, freeBytes: number): Promise<Fit> {
    const { name } = model.manifest;
    const memory = await this.installed.memoryOf(model);
    if (memory.kind === 'writer') {
      const contextTokens = fitContext(name, memory.memory, memory.wantedTokens, freeBytes);
      return { bytes: writerBytes(memory.memory, contextTokens), contextTokens };
    }
    checkMemory(name, memory.bytes, freeBytes);
    return { bytes: memory.bytes, contextTokens: 0 };
  }

  /**
   * The same for what is free now; models that rest are unloaded first, the longest unused one first.
   * @throws AppError MODEL_TOO_LARGE with the numbers
   */
  async makeRoom(model: Ready): Promise<Fit> {
    while (true) {
      const fit = await this.fit(model, await this.freeBytes(model.info.id)).catch((error: unknown) => ({
        error,
      }));
      if (!('error' in fit)) return fit;
      if (!(await this.remote().unloadResting(model.info.id))) throw fit.error;
    }
  }

  /** Makes room for a model that is about to be loaded and keeps it until that is over. */
  async reserve(model: Ready): Promise<void> {
    const { bytes } = await this.makeRoom(model);
    this.reserved.set(model.info.id, bytes);
  }

  settle(id: string): void {
    this.reserved.delete(id);
  }
}
