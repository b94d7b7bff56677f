/** What can a person do with models: see, get, bring, take along, choose, measure and remove them? */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type {
  CatalogueModel,
  Machine,
  ModelDownload,
  ModelInfo,
  ModelKind,
  ModelSpeed,
} from '../api/types.ts';
import { download as limits, models as modelLimits } from './config.ts';
import { DownloadService, type NetworkOptions } from './download-service.ts';
import type { Ready } from './installed-models.ts';
import { describeDevices, hasGraphics } from './machine-devices.ts';
import type { ModelHost } from './model-host.ts';
import { bytesInWords } from './models/bytes-in-words.ts';
import { type CatalogueEntry, readCatalogue } from './models/catalogue.ts';
import { exportModels } from './models/export-models.ts';
import { importModels } from './models/import-models.ts';
import { judgeCatalogue, type MachineFacts } from './models/judge-catalogue.ts';
import type { InstalledModel } from './models/list-models.ts';
import { catalogueBytes, ggufMemory, writerBytes } from './models/memory.ts';
import { measureEmbedder, measureGenerator, measureReranker } from './speed-test.ts';
import type { StoreApi } from './store/types.ts';

export interface ModelManagerOptions {
  host: ModelHost;
  /** Tells how many passages have a model's vectors; without it nobody knows. */
  store?: Pick<StoreApi, 'vectorCoverage'>;
  /** The user's own folder of models: made when it is needed. */
  folder: string;
  /** Absolute path of the catalogue; without it there is none. */
  cataloguePath?: string;
  version: string;
  network?: NetworkOptions;
  /** After models came, went or were chosen. */
  onChanged(): void;
}

/** Composes the models folder, the host of loaded models, downloads and the catalogue. */
export class ModelManager {
  readonly #host: ModelHost;
  readonly #options: ModelManagerOptions;
  readonly #downloads: DownloadService;
  #entries: CatalogueEntry[] | undefined;

  constructor(options: ModelManagerOptions) {
    const { host, folder, version, network, onChanged } = options;
    this.#host = host;
    this.#options = options;
    this.#downloads = new DownloadService({
      ...{ folder, version },
      ...(network === undefined ? {} : { network }),
      onInstalled: onChanged,
    });
  }

  async list(): Promise<ModelInfo[]> {
    return this.#withCoverage(await this.#host.list());
  }

  async check(signal?: AbortSignal): Promise<ModelInfo[]> {
    return this.#withCoverage(await this.#host.check(signal));
  }

  /** Makes no connection. */
  async catalogue(): Promise<CatalogueModel[]> {
    const [facts, installed] = await Promise.all([this.#facts(), this.#host.installed.all()]);
    const ids = installed.filter(({ manifest }) => manifest !== undefined).map(({ info }) => info.id);
    const host = this.#downloads.mirrorHost;
    return judgeCatalogue(this.#catalogue(), facts, new Set(ids)).map((model) => ({
      ...model,
      ...(host === undefined ? {} : { host }),
    }));
  }

  /** Loads no model; where there are signs of a graphics card, its drivers are asked once. */
  async machine(): Promise<Machine> {
    const { remote, threads } = this.#host;
    const probed = hasGraphics() ? await remote.probe(threads).catch(() => undefined) : undefined;
    const { writers } = await remote.use();
    const loads = remote.loads();
    const devices = describeDevices(
      [...(probed ? [{ ...probed, device: 'none' }] : []), ...loads],
      writers?.video,
    );
    return {
      cores: os.availableParallelism(),
      memoryBytes: os.totalmem(),
      freeMemoryBytes: process.availableMemory(),
      devices,
    };
  }

  /** Forgets which devices failed; each model is tried on all of them at its next call. */
  async resetDevices(): Promise<Machine> {
    await this.#host.remote.forgetDevices();
    return this.machine();
  }

  /** Starts a download and returns. @throws AppError MODEL_NOT_FOUND, BAD_REQUEST when it is installed, MODEL_TOO_LARGE */
  async download(id: string): Promise<void> {
    const entry = this.#entry(id);
    const total = await this.#host.memory.totalBytes();
    const bytes = catalogueBytes(entry);
    if (bytes > total) throw await this.#tooLarge(entry.kind, entry.name, bytes, total);
    this.#downloads.start(entry);
  }

  async cancelDownload(id: string): Promise<void> {
    await this.#downloads.cancel(id);
  }

  downloads(signal?: AbortSignal): AsyncGenerator<ModelDownload[]> {
    return this.#downloads.states(signal);
  }

  /** Resolves when a download ended. */
  downloadEnded(id: string): Promise<ModelDownload | undefined> {
    return this.#downloads.ended(id);
  }

  async importFrom(source: string, signal: AbortSignal = new AbortController().signal): Promise<ModelInfo[]> {
    checkAbsolute('Import', source);
    const installed = await this.#host.installed.all();
    const { imported, known } = await importModels({
      source,
      folder: this.#options.folder,
      installed: new Set(installed.map(({ info }) => info.id)),
      checkFit: async ({ manifest, header }) => {
        if (manifest.kind !== 'generator') return;
        // Inside an archive the header can't be reached yet; the weights alone must fit.
        const weights = sizeOf(manifest.files);
        const bytes = header
          ? writerBytes(
              ggufMemory(header, weights),
              Math.min(modelLimits.minContextTokens, manifest.contextTokens),
            )
          : weights;
        const total = await this.#host.memory.totalBytes();
        if (bytes > total) throw await this.#tooLarge('generator', manifest.name, bytes, total);
      },
      signal,
    });
    for (const id of imported) await this.#tryEncoder(id);
    this.#options.onChanged();
    const infos = await this.list();
    const note = 'It was installed before and left as it is.';
    return infos
      .filter(({ id }) => imported.includes(id) || known.includes(id))
      .map((info) => (known.includes(info.id) ? { ...info, message: note } : info));
  }

  /** A trial tells what no header does: whether tokenizer, graph and manifest belong together. What fails it doesn't stay. */
  async #tryEncoder(id: string): Promise<void> {
    const model = await this.#host.usable(id);
    if (model.manifest.kind === 'generator') return;
    try {
      await this.#host.open(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'MODEL_INVALID') throw error;
      await this.#host.forget(model);
      await this.#removeFiles(model);
      throw error;
    }
  }

  async exportTo(
    ids: string[],
    target: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ sizeBytes: number }> {
    checkAbsolute('Export', target);
    const models = [];
    for (const id of new Set(ids)) models.push(await this.#host.usable(id));
    return exportModels(models, target, signal);
  }

  /**
   * Removes an installed model, or what a stopped download left.
   * @throws AppError MODEL_NOT_FOUND; BAD_REQUEST for one that came with the program or is being loaded
   */
  async remove(id: string): Promise<void> {
    const refused = (why: string) => new AppError('BAD_REQUEST', `Removing a model failed: ${id}: ${why}.`);
    if (this.#downloads.isRunning(id)) throw refused('it is being loaded; stop the download first');
    const wasStopped = await this.#downloads.discard(id);
    const model = await this.#host.installed.named(id).catch((error: unknown) => {
      if (!wasStopped) throw error;
    });
    if (!model) return;
    if (model.info.isBuiltIn) throw refused('it came with the program and stays');
    await this.#host.forget(model);
    await this.#removeFiles(model);
    this.#options.onChanged();
  }

  /** @throws AppError MODEL_NOT_FOUND, MODEL_INVALID, MODEL_TOO_LARGE with the numbers and the nearest that fits */
  async choose(id: string): Promise<void> {
    const model = await this.#host.usable(id);
    await this.#explained(model, () => this.#host.memory.totalBytes());
    if (model.manifest.kind !== 'generator') await this.#host.open(id);
    await this.#host.installed.choose(model.manifest.kind, id);
    this.#options.onChanged();
  }

  async speedTest(id: string, signal?: AbortSignal): Promise<ModelSpeed> {
    const model = await this.#host.usable(id);
    const wasLoaded = this.#host.isLoaded(model);
    const start = performance.now();
    const opened = await this.#host.open(id).catch(async (error: unknown) => {
      throw await this.#withNearest(error, model.manifest.kind);
    });
    if ('generator' in opened) await opened.generator.countTokens('');
    const loadMs = wasLoaded ? 0 : Math.round(performance.now() - start);
    const speed =
      'generator' in opened
        ? await measureGenerator(opened.generator, signal)
        : {
            passagesPerSecond: await ('embedder' in opened
              ? measureEmbedder(opened.embedder, signal)
              : measureReranker(opened.reranker, signal)),
          };
    return { id, device: this.#host.remote.loaded(id)?.device ?? 'CPU', loadMs, ...speed };
  }

  async close(): Promise<void> {
    await this.#downloads.close();
  }

  #catalogue(): CatalogueEntry[] {
    const { cataloguePath } = this.#options;
    this.#entries ??= cataloguePath === undefined ? [] : readCatalogue(cataloguePath);
    return this.#entries;
  }

  #entry(id: string): CatalogueEntry {
    const entry = this.#catalogue().find((candidate) => candidate.id === id);
    if (entry) return entry;
    throw new AppError('MODEL_NOT_FOUND', `No such model can be had: ${id}: look at the list of models.`);
  }

  async #facts(): Promise<MachineFacts> {
    const { memory, remote } = this.#host;
    const [freeBytes, totalBytes] = await Promise.all([memory.freeBytes(), memory.totalBytes()]);
    const { writers } = await remote.use();
    const videoBytes = writers?.video?.totalBytes ?? 0;
    return { cores: os.availableParallelism(), freeBytes, totalBytes, videoBytes };
  }

  /** How far vectors are, and with that whether the built-in embedder is still needed. */
  async #withCoverage(infos: ModelInfo[]): Promise<ModelInfo[]> {
    const { store } = this.#options;
    const installed = new Map((await this.#host.installed.all()).map((model) => [model.info.path, model]));
    const covered = await Promise.all(
      infos.map(async (info) => {
        const model = installed.get(info.path);
        const fingerprint = info.isInUse && model ? this.#host.fingerprintOf(model) : undefined;
        if (fingerprint === undefined || store === undefined) return info;
        return { ...info, coverage: await store.vectorCoverage(fingerprint) };
      }),
    );
    const isWhole = covered.some(
      ({ isInUse, isBuiltIn, coverage }) =>
        isInUse && !isBuiltIn && coverage && coverage.done === coverage.total,
    );
    return covered.map((info) =>
      isWhole && info.kind === 'embedder' && info.isBuiltIn ? { ...info, isInUse: false } : info,
    );
  }

  async #explained(model: Ready, free: () => Promise<number>): Promise<void> {
    await this.#host.memory.fit(model, await free()).catch(async (error: unknown) => {
      throw await this.#withNearest(error, model.manifest.kind);
    });
  }

  /** Names the nearest model that fits, where one was too large. */
  async #withNearest(error: unknown, kind: ModelKind): Promise<unknown> {
    if (!(error instanceof AppError) || error.code !== 'MODEL_TOO_LARGE') return error;
    return new AppError('MODEL_TOO_LARGE', `${error.message} ${await this.#nearest(kind)}`.trim());
  }

  async #tooLarge(kind: ModelKind, name: string, bytes: number, total: number): Promise<AppError> {
    const numbers = `it needs ${bytesInWords(bytes)}, models can have ${bytesInWords(total)} on this machine`;
    const message = `Model does not fit this machine: ${name}: ${numbers}: choose a smaller one.`;
    return new AppError('MODEL_TOO_LARGE', `${message} ${await this.#nearest(kind)}`.trim());
  }

  async #nearest(kind: ModelKind): Promise<string> {
    const total = await this.#host.memory.totalBytes();
    const [installed, catalogue] = await Promise.all([this.#host.list(), this.catalogue()]);
    const largest = [...installed, ...catalogue]
      .filter((model) => model.kind === kind && (model.memoryBytes ?? Number.POSITIVE_INFINITY) <= total)
      .sort((a, b) => (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0))[0];
    return largest
      ? `The largest that fits is ${largest.name} with ${bytesInWords(largest.memoryBytes ?? 0)}.`
      : '';
  }

  /** A folder leaves the list in one step, before its files go. */
  async #removeFiles({ info, folder, manifest }: InstalledModel): Promise<void> {
    const refused = (cause: Error): never => {
      const why = `${cause.message}; close other programs that use its files, and try again`;
      throw new AppError('BAD_REQUEST', `Removing a model failed: ${info.path}: ${why}.`, { cause });
    };
    if (statSync(info.path).isDirectory()) {
      const leaving = path.join(path.dirname(info.path), `.removed-${randomUUID().slice(0, 8)}`);
      await rename(info.path, leaving).catch(refused);
      // What can't go now is swept later.
      await rm(leaving, { recursive: true, force: true }).catch(() => {});
      return;
    }
    await rm(info.path).catch(refused);
    for (const file of manifest?.files ?? []) await rm(path.join(folder, file.path), { force: true });
  }

  /** Removes what an import or a removal left that was broken off more than a day ago. */
  async sweep(): Promise<void> {
    const { folder } = this.#options;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder).filter((entry) => /^\.(import|removed)-/.test(entry))) {
      const left = path.join(folder, name);
      const age = Date.now() - (statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > limits.leftoverMs) await rm(left, { recursive: true, force: true });
    }
  }
}

/** What a relative path means depends on where the engine was started, which nobody sees. */
function checkAbsolute(what: string, file: string): void {
  if (path.isAbsolute(file)) return;
  throw new AppError(
    'BAD_REQUEST',
    `${what} failed: ${file}: the path is not whole; give it from the root on.`,
  );
}

const sizeOf = (files: { sizeBytes: number }[]): number =>
  files.reduce((sum, file) => sum + file.sizeBytes, 0);
