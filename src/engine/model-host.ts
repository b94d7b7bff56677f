/** Which model serves each purpose, and is it fit for use? */
import { availableParallelism } from 'node:os';
import { AppError } from '../api/errors.ts';
import type { ModelInfo } from '../api/types.ts';
import { models as limits, retrieve } from './config.ts';
import type { Embedder, Generator, Reranker } from './document.ts';
import { InstalledModels, type ModelChoices, type Ready, temporaryChoices } from './installed-models.ts';
import { ModelMemory } from './model-memory.ts';
import type { ProcessOptions } from './model-room.ts';
import { embedderSpec, rerankerSpec, starterSpec } from './model-specs.ts';
import { checkModel, checkReferences, checkSizes, confinedFile } from './models/check-model.ts';
import { embedderFingerprint } from './models/fingerprint.ts';
import type { InstalledModel } from './models/list-models.ts';
import type {
  EmbedderManifest,
  FeaturesManifest,
  GeneratorManifest,
  RerankerManifest,
  TransformerManifest,
} from './models/manifest.ts';
import { RemoteModels } from './remote-models.ts';
import { StarterEmbedder } from './starter-embedder.ts';

/** An embedder with its weights in fusion: those of its manifest, else the defaults. */
export interface InstalledEmbedder {
  /** Identifier of the model. */
  id: string;
  embedder: Embedder;
  isBuiltIn: boolean;
  /** Weights of keyword coverage and of cosine; they add up to 1. */
  keywordWeight: number;
  vectorWeight: number;
  /** Of its manifest, where it was measured. */
  calibration?: EmbedderManifest['calibration'];
}

/** The built-in embedder, which also takes texts as features. */
export interface InstalledStarter extends InstalledEmbedder {
  embedder: StarterEmbedder;
}

/** The models of an engine. */
export interface Models {
  /** What is installed; sizes compared, hashes not. */
  list(): Promise<ModelInfo[]>;
  /** What is installed, every file compared with its manifest. */
  check(signal?: AbortSignal): Promise<ModelInfo[]>;
  /** What passages are embedded and searched with: the better embedder that is in use, if it loads, then the built-in one. */
  embedders(): Promise<InstalledEmbedder[]>;
  /** The first of `embedders`; undefined when there is none. */
  embedder(): Promise<InstalledEmbedder | undefined>;
  /** The built-in embedder; undefined when it is not installed. */
  starter(): Promise<InstalledStarter | undefined>;
  /** The first reranker in order that loads; undefined when there is none. */
  reranker(): Promise<Reranker | undefined>;
  /**
   * The first language model in order that is fit and fits; undefined when there is none. It loads in the background: its calls wait for
   * it and fail with MODEL_INVALID or MODEL_FAILED when it can't be loaded; an invalid one is not offered again.
   */
  generator(): Promise<Generator | undefined>;
  close(): Promise<void>;
}

export interface ModelsOptions extends Omit<ProcessOptions, 'guard'> {
  /** Folders that hold models, in order of preference; absent ones hold none. The first is the user's own. */
  folders: string[];
  /** Threads of each model; default: the machine's, at most `models.maxThreads`. */
  threads?: number;
  /** Absolute path of the built-in embedder's thread, see starter-thread.ts; without it there is none. */
  starterEntry?: string;
  /** Default: kept as long as the program runs. */
  choices?: ModelChoices;
  /** Memory that models may take, bytes; default: what the machine has free, less a reserve. */
  memoryBytes?: number;
}

export function createModels(options: ModelsOptions): ModelHost {
  return new ModelHost(options);
}

/** Looks models up, checks them before their first use, and keeps one of each kind loaded. */
export class ModelHost implements Models {
  /** Where they run. */
  readonly remote: RemoteModels;
  readonly installed: InstalledModels;
  readonly memory: ModelMemory;
  readonly threads: number;
  private readonly starterEntry: string | undefined;
  private readonly loading = new Map<string, Promise<unknown>>();
  private readonly starters = new Map<string, StarterEmbedder>();
  /** Of embedders whose manifest has no hashes, by path: known once they were loaded. */
  private readonly fingerprints = new Map<string, string>();

  constructor(options: ModelsOptions) {
    this.installed = new InstalledModels(options.folders, options.choices ?? temporaryChoices());
    this.memory = new ModelMemory(this.installed, () => this.remote, options.memoryBytes);
    this.remote = new RemoteModels({
      ...options,
      guard: {
        before: async (id) => this.memory.reserve(await this.usable(id)),
        after: (id) => this.memory.settle(id),
      },
    });
    this.threads = options.threads ?? Math.min(limits.maxThreads, availableParallelism());
    this.starterEntry = options.starterEntry;
  }

  async list(): Promise<ModelInfo[]> {
    const inUse = await this.inUse();
    const total = await this.memory.totalBytes();
    return Promise.all((await this.installed.all()).map((model) => this.describe(model, inUse, total)));
  }

  async check(signal?: AbortSignal): Promise<ModelInfo[]> {
    for (const model of await this.installed.all()) {
      const { manifest, folder } = model;
      if (!manifest) continue;
      const checking = model.hasPromise
        ? checkModel(folder, manifest, signal)
        : checkReferences(folder, manifest);
      await checking.then(
        () => this.installed.markFit(model),
        (error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          this.installed.markUnfit(model, error);
        },
      );
      signal?.throwIfAborted();
    }
    return this.list();
  }

  async embedders(): Promise<InstalledEmbedder[]> {
    const found = await Promise.all([this.better(), this.starter()]);
    return found.filter((embedder) => embedder !== undefined);
  }

  async embedder(): Promise<InstalledEmbedder | undefined> {
    return (await this.embedders())[0];
  }

  async starter(): Promise<InstalledStarter | undefined> {
    const entry = this.starterEntry;
    if (entry === undefined) return undefined;
    for (const model of (await this.installed.ready<EmbedderManifest>('embedder')).filter(isFeatures)) {
      const starter = await this.once(model, () => this.openStarter(model, entry));
      if (!(starter instanceof AppError)) return starter;
    }
    return undefined;
  }

  /** Transformers that may be used, in order; none while the user has chosen the built-in embedder. */
  private async transformers(): Promise<Ready<TransformerManifest>[]> {
    const ready = await this.installed.ready<EmbedderManifest>('embedder');
    const [first] = ready;
    const isChosen = first && isFeatures(first) && (await this.installed.isChosen(first));
    return isChosen ? [] : ready.filter(isTransformer);
  }

  private async better(): Promise<InstalledEmbedder | undefined> {
    for (const model of await this.transformers()) {
      const embedder = await this.once(model, () => this.loadEmbedder(model));
      if (!(embedder instanceof AppError)) return embedder;
    }
    return undefined;
  }

  async reranker(): Promise<Reranker | undefined> {
    for (const model of await this.installed.ready<RerankerManifest>('reranker')) {
      const reranker = await this.once(model, () => this.loadReranker(model));
      if (!(reranker instanceof AppError)) return reranker;
    }
    return undefined;
  }

  async generator(): Promise<Generator | undefined> {
    for (const model of await this.installed.ready<GeneratorManifest>('generator')) {
      const generator = await this.once(model, () => this.loadGenerator(model));
      if (!(generator instanceof AppError)) return generator;
    }
    return undefined;
  }

  /**
   * A certain model, loaded, whether or not it is the one in use.
   * @throws AppError MODEL_NOT_FOUND, MODEL_INVALID, MODEL_TOO_LARGE or MODEL_FAILED
   */
  async open(
    id: string,
  ): Promise<{ embedder: Embedder } | { reranker: Reranker } | { generator: Generator }> {
    const model = await this.usable(id);
    const { manifest } = model;
    const opened = await this.once(model, async (): Promise<InstalledEmbedder | Reranker | Generator> => {
      if (isFeatures(model)) return this.openStarter(model, this.starterEntry ?? '');
      if (isTransformer(model)) return this.loadEmbedder(model);
      if (manifest.kind === 'reranker') return this.loadReranker({ ...model, manifest });
      return this.loadGenerator({ ...model, manifest: manifest as GeneratorManifest });
    });
    if (opened instanceof AppError) throw opened;
    if (manifest.kind === 'embedder') return { embedder: (opened as InstalledEmbedder).embedder };
    if (manifest.kind === 'reranker') return { reranker: opened as Reranker };
    return { generator: opened as Generator };
  }

  /** @throws AppError MODEL_NOT_FOUND, or MODEL_INVALID with what is wrong with it */
  async usable(id: string): Promise<Ready> {
    const model = await this.installed.named(id);
    const message = this.installed.faultOf(model) ?? model.info.message;
    if (model.manifest && message === undefined) return { ...model, manifest: model.manifest };
    throw new AppError('MODEL_INVALID', message ?? `Model can’t be used: ${id}.`);
  }

  isLoaded({ info }: InstalledModel): boolean {
    return this.remote.isLoaded(info.id) || this.starters.has(info.path);
  }

  /** Vectors of an embedder bear this name; undefined while it is not known. */
  fingerprintOf({ manifest, hasPromise, info }: InstalledModel): string | undefined {
    if (manifest?.kind !== 'embedder') return undefined;
    return hasPromise ? embedderFingerprint(manifest) : this.fingerprints.get(info.path);
  }

  /** Lets a model go, before its files are removed. */
  async forget(model: InstalledModel): Promise<void> {
    this.loading.delete(model.info.path);
    await this.starters.get(model.info.path)?.close();
    this.starters.delete(model.info.path);
    await this.remote.unload(model.info.id);
  }

  async close(): Promise<void> {
    await Promise.all([
      this.remote.close(),
      ...[...this.starters.values()].map((starter) => starter.close()),
    ]);
  }

  private async openStarter(model: Ready<FeaturesManifest>, entry: string): Promise<InstalledStarter> {
    const embedder = await StarterEmbedder.open(entry, await starterSpec(model));
    this.starters.set(model.info.path, embedder);
    return { ...this.withWeights(model, embedder), embedder };
  }

  private async loadEmbedder(model: Ready<TransformerManifest>): Promise<InstalledEmbedder> {
    const spec = await embedderSpec(model, this.threads);
    return this.withWeights(model, await this.remote.embedder(model.info.id, spec));
  }

  private async loadReranker(model: Ready<RerankerManifest>): Promise<Reranker> {
    return this.remote.reranker(model.info.id, await rerankerSpec(model, this.threads));
  }

  private async loadGenerator(model: Ready<GeneratorManifest>): Promise<Generator> {
    const { folder, manifest } = model;
    checkSizes(folder, manifest);
    const memory = await this.installed.memoryOf(model);
    if (memory.kind !== 'writer') throw new TypeError(`${manifest.id} is no writer`);
    await this.memory.makeRoom(model);
    const { generator, loading } = this.remote.generator(manifest.id, {
      name: manifest.name,
      modelPath: confinedFile(folder, manifest.model, manifest.name),
      contextTokens: memory.wantedTokens,
      threads: Math.min(manifest.threads ?? this.threads, this.threads),
      memory: memory.memory,
      ...(this.memory.givenBytes === undefined ? {} : { memoryBytes: this.memory.givenBytes }),
    });
    loading.catch((error: unknown) => this.fail(model, error));
    return generator;
  }

  private withWeights({ manifest, info }: Ready<EmbedderManifest>, embedder: Embedder): InstalledEmbedder {
    const { weights, calibration } = manifest;
    this.fingerprints.set(info.path, embedder.fingerprint);
    return {
      ...{ id: info.id, isBuiltIn: info.isBuiltIn, embedder },
      keywordWeight: weights?.keyword ?? retrieve.keywordWeight,
      vectorWeight: weights?.vector ?? retrieve.vectorWeight,
      ...(calibration === undefined ? {} : { calibration }),
    };
  }

  /** Loads a model at the first call; a failure is given as a value, and an invalid model is not tried again. */
  private async once<T>(model: InstalledModel, load: () => Promise<T>): Promise<T | AppError> {
    const key = model.info.path;
    const known = this.loading.get(key) as Promise<T> | undefined;
    const loading = known ?? load();
    this.loading.set(key, loading);
    return loading.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      this.fail(model, error);
      return error;
    });
  }

  private fail(model: InstalledModel, error: unknown): void {
    this.loading.delete(model.info.path);
    this.installed.markUnfit(model, error);
  }

  /** Identifiers of the models that are used now, as far as can be said without loading them. */
  private async inUse(): Promise<Set<string>> {
    const [embedders, rerankers, transformers] = await Promise.all([
      this.installed.ready<EmbedderManifest>('embedder'),
      this.installed.ready<RerankerManifest>('reranker'),
      this.transformers(),
    ]);
    const used = [transformers[0], embedders.find(isFeatures), rerankers[0], await this.writerInUse()];
    return new Set(used.filter((model) => model !== undefined).map((model) => model.info.id));
  }

  private async writerInUse(): Promise<Ready | undefined> {
    const total = await this.memory.totalBytes();
    for (const model of await this.installed.ready<GeneratorManifest>('generator')) {
      const isFitting = await this.memory.fit(model, total).then(
        () => true,
        () => false,
      );
      if (isFitting || this.remote.isLoaded(model.info.id)) return model;
    }
    return undefined;
  }

  private async describe(model: InstalledModel, inUse: Set<string>, total: number): Promise<ModelInfo> {
    const { info, manifest } = model;
    const fault = this.installed.faultOf(model);
    if (fault !== undefined) return { ...info, state: 'invalid', message: fault };
    if (!manifest) return info;
    const loaded = this.remote.loaded(info.id);
    const isStarter = this.starters.has(info.path);
    const device = loaded?.device ?? (isStarter ? 'CPU' : undefined);
    return {
      ...info,
      isInUse: inUse.has(info.id),
      ...(device === undefined ? {} : { device }),
      ...(await this.memoryInWords({ ...model, manifest }, total, loaded?.contextTokens)),
    };
  }

  /** A model that is too large for the machine says so; one that the memory is only now too short for does not. */
  private async memoryInWords(model: Ready, total: number, contextTokens: number | undefined) {
    const fit = await this.memory.fit(model, total).catch((error: unknown) => error);
    if (fit instanceof AppError) return { message: fit.message };
    const { bytes, contextTokens: fitted } = fit as { bytes: number; contextTokens: number };
    const tokens = contextTokens || fitted;
    return { memoryBytes: Math.round(bytes), ...(tokens > 0 ? { contextTokens: tokens } : {}) };
  }
}

const isFeatures = (model: Ready): model is Ready<FeaturesManifest> =>
  model.manifest.kind === 'embedder' && model.manifest.encoder === 'features';
const isTransformer = (model: Ready): model is Ready<TransformerManifest> =>
  model.manifest.kind === 'embedder' && model.manifest.encoder === 'transformer';
