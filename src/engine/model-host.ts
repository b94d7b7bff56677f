/** Which model serves each purpose, and is it fit for use? */
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import type { ModelInfo } from '../api/types.ts';
import { models as limits, retrieve } from './config.ts';
import type { Embedder, Generator, Reranker } from './document.ts';
import type { EncoderSpec } from './embed/encoder-spec.ts';
import { checkModel, checkReferences, checkSizes, confinedFile, hashFile } from './models/check-model.ts';
import { embedderFingerprint, rerankerFingerprint } from './models/fingerprint.ts';
import { readGgufHeader } from './models/gguf-header.ts';
import { type InstalledModel, listModels } from './models/list-models.ts';
import type { EmbedderManifest, GeneratorManifest, Manifest, RerankerManifest } from './models/manifest.ts';
import { type ProcessOptions, RemoteModels } from './remote-models.ts';

/** An embedder with its weights in fusion: those of its manifest, else the defaults. */
export interface InstalledEmbedder {
  embedder: Embedder;
  /** Weights of keyword coverage and of cosine; they add up to 1. */
  keywordWeight: number;
  vectorWeight: number;
}

/** The models of an engine. */
export interface Models {
  /** What is installed; sizes compared, hashes not. */
  list(): Promise<ModelInfo[]>;
  /** What is installed, every file compared with its manifest. */
  check(signal?: AbortSignal): Promise<ModelInfo[]>;
  /** The first embedder in order that loads; undefined when there is none. */
  embedder(): Promise<InstalledEmbedder | undefined>;
  /** The first reranker in order that loads; undefined when there is none. */
  reranker(): Promise<Reranker | undefined>;
  /**
   * The first language model in order that is fit; undefined when there is none. It loads in the background: its calls wait for
   * it and fail with MODEL_INVALID or MODEL_FAILED when it can't be loaded; an invalid one is not offered again.
   */
  generator(): Promise<Generator | undefined>;
  close(): Promise<void>;
}

export interface ModelsOptions extends ProcessOptions {
  /** Folders that hold models, in order of preference; absent ones hold none. */
  folders: string[];
  /** Threads of each model; default: the machine's, at most `models.maxThreads`. */
  threads?: number;
}

export function createModels(options: ModelsOptions): ModelHost {
  return new ModelHost(options);
}

type Ready<M extends Manifest> = InstalledModel & { manifest: M };

/** Looks models up, checks them before their first use, and keeps one of each kind loaded. */
export class ModelHost implements Models {
  /** Where they run. */
  readonly remote: RemoteModels;
  private readonly folders: string[];
  private readonly threads: number;
  private listed: { signature: string; models: Promise<InstalledModel[]> } | undefined;
  /** Why a model was found unfit when it was checked or loaded, by path and state of its files. */
  private readonly unfit = new Map<string, string>();
  private readonly loading = new Map<string, Promise<unknown>>();

  constructor(options: ModelsOptions) {
    this.remote = new RemoteModels(options);
    this.folders = options.folders;
    this.threads = options.threads ?? Math.min(limits.maxThreads, availableParallelism());
  }

  async list(): Promise<ModelInfo[]> {
    return (await this.installed()).map((model) => this.describe(model));
  }

  async check(signal?: AbortSignal): Promise<ModelInfo[]> {
    const installed = await this.installed();
    for (const model of installed) {
      const { manifest, folder } = model;
      if (!manifest) continue;
      const check = model.hasPromise
        ? checkModel(folder, manifest, signal)
        : checkReferences(folder, manifest);
      await this.remember(model, check);
      signal?.throwIfAborted();
    }
    return installed.map((model) => this.describe(model));
  }

  async embedder(): Promise<InstalledEmbedder | undefined> {
    for (const model of await this.ready<EmbedderManifest>('embedder')) {
      const embedder = await this.once(model, async () => {
        const manifest = await withHashes(model);
        const { pooling, queryPrefix, passagePrefix, dimensions, normalise, weights } = manifest;
        const spec = {
          ...this.encoderSpec(model, embedderFingerprint(manifest)),
          ...{ pooling, queryPrefix, passagePrefix, dimensions, normalise },
        };
        return {
          embedder: await this.remote.embedder(manifest.id, spec),
          keywordWeight: weights?.keyword ?? retrieve.keywordWeight,
          vectorWeight: weights?.vector ?? retrieve.vectorWeight,
        };
      });
      if (!(embedder instanceof AppError)) return embedder;
    }
    return undefined;
  }

  async reranker(): Promise<Reranker | undefined> {
    for (const model of await this.ready<RerankerManifest>('reranker')) {
      const reranker = await this.once(model, async () => {
        const manifest = await withHashes(model);
        return this.remote.reranker(manifest.id, this.encoderSpec(model, rerankerFingerprint(manifest)));
      });
      if (!(reranker instanceof AppError)) return reranker;
    }
    return undefined;
  }

  async generator(): Promise<Generator | undefined> {
    for (const model of await this.ready<GeneratorManifest>('generator')) {
      const generator = await this.once(model, () => this.startGenerator(model));
      if (!(generator instanceof AppError)) return generator;
    }
    return undefined;
  }

  private async startGenerator(model: Ready<GeneratorManifest>): Promise<Generator> {
    const { folder, manifest } = model;
    checkSizes(folder, manifest);
    const modelPath = confinedFile(folder, manifest.model, manifest.name);
    // A lying header must not reach llama.cpp.
    const header = await readGgufHeader(modelPath);
    const { generator, loading } = this.remote.generator(manifest.id, {
      name: manifest.name,
      modelPath,
      contextTokens: Math.min(manifest.contextTokens, header.contextTokens ?? manifest.contextTokens),
      threads: this.threadsOf(manifest),
    });
    loading.catch((error: unknown) => this.markUnfit(model, error));
    return generator;
  }

  async close(): Promise<void> {
    await this.remote.close();
  }

  private threadsOf(manifest: Manifest): number {
    return Math.min(manifest.threads ?? this.threads, this.threads);
  }

  private encoderSpec(model: Ready<EmbedderManifest | RerankerManifest>, fingerprint: string): EncoderSpec {
    const { folder, manifest } = model;
    const file = (relative: string) => confinedFile(folder, relative, manifest.name);
    return {
      name: manifest.name,
      modelPath: file(manifest.model),
      tokenizerPath: file(manifest.tokenizer),
      tokenizerConfigPath:
        manifest.tokenizerConfig === undefined ? undefined : file(manifest.tokenizerConfig),
      maxTokens: manifest.maxTokens,
      inputs: manifest.inputs,
      output: manifest.output,
      threads: this.threadsOf(manifest),
      fingerprint,
    };
  }

  /** Models by folder content; looking again costs a `stat` per entry. */
  private installed(): Promise<InstalledModel[]> {
    const signature = this.folders.map(signatureOf).join('\n');
    if (this.listed?.signature !== signature) {
      this.listed = { signature, models: listModels(this.folders) };
      this.unfit.clear();
    }
    return this.listed.models;
  }

  private async ready<M extends Manifest>(kind: M['kind']): Promise<Ready<M>[]> {
    return (await this.installed()).filter(
      (model): model is Ready<M> => model.manifest?.kind === kind && !this.unfit.has(model.info.path),
    );
  }

  /** Loads a model at the first call; a failure is given as a value, and an invalid model is not tried again. */
  private async once<T>(model: InstalledModel, load: () => Promise<T>): Promise<T | AppError> {
    const key = model.info.path;
    const known = this.loading.get(key) as Promise<T> | undefined;
    const loading = known ?? load();
    this.loading.set(key, loading);
    return loading.catch((error: unknown) => {
      this.loading.delete(key);
      if (!(error instanceof AppError)) throw error;
      this.markUnfit(model, error);
      return error;
    });
  }

  /** A model that can't be used is not offered again; one that failed for want of memory or by a death is. */
  private markUnfit(model: InstalledModel, error: unknown): void {
    if (!(error instanceof AppError) || error.code !== 'MODEL_INVALID') return;
    this.unfit.set(model.info.path, error.message);
    this.loading.delete(model.info.path);
  }

  private async remember(model: InstalledModel, check: Promise<void>): Promise<void> {
    await check.then(
      () => this.unfit.delete(model.info.path),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        this.unfit.set(model.info.path, error.message);
      },
    );
  }

  private describe(model: InstalledModel): ModelInfo {
    const message = this.unfit.get(model.info.path);
    if (message !== undefined) return { ...model.info, state: 'invalid', message };
    const device = this.remote.loaded(model.info.id)?.device;
    return device === undefined ? model.info : { ...model.info, device };
  }
}

/** Checks an encoder whole before its first use; where nobody promised hashes, they are taken now. */
async function withHashes<M extends EmbedderManifest | RerankerManifest>(model: Ready<M>): Promise<M> {
  const { folder, manifest } = model;
  if (model.hasPromise) {
    await checkModel(folder, manifest);
    return manifest;
  }
  await checkReferences(folder, manifest);
  const files = [];
  for (const file of manifest.files) {
    files.push({ ...file, sha256: await hashFile(confinedFile(folder, file.path, manifest.name)) });
  }
  return { ...manifest, files };
}

/** Changes when a model is added, removed or replaced. */
function signatureOf(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return '';
  return readdirSync(folder)
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
