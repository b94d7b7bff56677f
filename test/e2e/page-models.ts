/**
 * Which models does the page's test engine hold? Written by hand; a download goes the way that its model's name says: to its end, into a
 * failure, or on for ever until it is stopped.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../src/api/contract.ts';
import type { CatalogueModel, Machine, ModelDownload, ModelInfo } from '../../src/api/types.ts';

const mega = 1_000_000;
const giga = 1000 * mega;

function model(one: Partial<ModelInfo> & Pick<ModelInfo, 'id' | 'kind' | 'name' | 'sizeBytes'>): ModelInfo {
  return {
    path: `/home/anna/.lectern/models/${one.id}`,
    state: 'ready',
    isBuiltIn: false,
    isInUse: false,
    licence: 'Apache-2.0',
    isVerified: true,
    ...one,
  };
}

export const starter = model({
  id: 'starter',
  kind: 'embedder',
  name: 'Starter',
  path: '/opt/lectern/models/starter',
  sizeBytes: 23 * mega,
  licence: 'CC-BY-SA-4.0',
  device: 'CPU',
  isBuiltIn: true,
  isInUse: true,
  coverage: { done: 4812, total: 4812 },
  memoryBytes: 60 * mega,
});

export const models: ModelInfo[] = [
  model({
    id: 'qwen',
    kind: 'generator',
    name: 'Qwen 1.5B',
    sizeBytes: 1120 * mega,
    device: 'CPU',
    isInUse: true,
    source: 'huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF@91cad51170dc346986eccefdc2dd33a9da36ead9',
    memoryBytes: 1900 * mega,
    contextTokens: 8192,
  }),
  model({
    id: 'e5-small',
    kind: 'embedder',
    name: 'Multilingual E5 small',
    sizeBytes: 470 * mega,
    licence: 'MIT',
    isInUse: true,
    isVerified: false,
    coverage: { done: 3120, total: 4812 },
  }),
  starter,
  model({
    id: 'small',
    kind: 'embedder',
    name: 'Small multilingual',
    sizeBytes: 64 * mega,
    licence: 'unknown',
    state: 'invalid',
    isVerified: false,
    message: 'The model can’t be used: small/model.onnx: its checksum differs, copy the file again.',
  }),
  model({ id: 'tiny', kind: 'generator', name: 'Tiny writer', sizeBytes: 400 * mega, isVerified: true }),
];

function entry(
  one: Partial<CatalogueModel> & Pick<CatalogueModel, 'id' | 'kind' | 'name' | 'memoryBytes' | 'fit'>,
): CatalogueModel {
  return {
    summary: {
      en: 'Finds passages by meaning in about a hundred languages.',
      ru: 'Находит места по смыслу примерно на ста языках.',
    },
    host: 'huggingface.co',
    repository: `example/${one.id}`,
    licence: 'MIT',
    licenceUrl: 'https://huggingface.co/example/LICENCE',
    languages: ['multi'],
    parametersMillions: 300,
    isVerified: false,
    isRecommended: false,
    ...one,
  };
}

const writes = {
  en: 'Writes good answers; wants eight processors or a graphics card.',
  ru: 'Пишет хорошие ответы; нужны восемь ядер или видеокарта.',
};

export const catalogue: CatalogueModel[] = [
  entry({
    id: 'whole',
    kind: 'embedder',
    name: 'Whole meaning',
    memoryBytes: 900 * mega,
    fit: 'fits',
    isRecommended: true,
    sizeBytes: 560 * mega,
    isVerified: true,
    revision: '614241f622f53c4eeff9890bdc4f31cfecc418b3',
  }),
  entry({ id: 'broken', kind: 'embedder', name: 'Broken meaning', memoryBytes: 2.9 * giga, fit: 'tight' }),
  entry({
    id: 'slow',
    kind: 'generator',
    name: 'Slow writer',
    summary: writes,
    memoryBytes: 2.1 * giga,
    fit: 'fits',
    isRecommended: true,
    sizeBytes: 2.5 * giga,
    languages: ['zh', 'en', 'fr', 'es', 'pt', 'de', 'it', 'ru'],
  }),
  entry({
    id: 'huge',
    kind: 'generator',
    name: 'Huge writer',
    summary: writes,
    memoryBytes: 9.6 * giga,
    fit: 'too-large',
  }),
  entry({
    id: 'qwen-entry',
    kind: 'generator',
    name: 'Qwen 1.5B',
    summary: writes,
    memoryBytes: 1.9 * giga,
    fit: 'fits',
    installedId: 'qwen',
  }),
];

export const machine: Machine = {
  cores: 8,
  memoryBytes: 16 * giga,
  freeMemoryBytes: 3.1 * giga,
  devices: [
    { kind: 'CPU', serves: ['embedder', 'reranker', 'generator'], state: 'in-use' },
    {
      kind: 'CUDA',
      name: 'NVIDIA RTX A2000',
      memoryBytes: 6 * giga,
      freeMemoryBytes: 5.2 * giga,
      serves: ['generator'],
      state: 'failed',
      reason: 'Its driver is older than version 525.60: install a newer one.',
    },
    { kind: 'Vulkan', serves: ['generator'], state: 'untried' },
  ],
};

const promised = [
  {
    path: 'model.onnx',
    sizeBytes: 558 * mega,
    sha256: '6e816089ba7c4d341fb8f19e6976ea5e1c538345c53937d79c762684e2546697',
  },
  {
    path: 'tokenizer.json',
    sizeBytes: 2 * mega,
    sha256: 'fc9dc847e06b0769d1df4a4b4da67efce417a12cc20ff44faad0603f7b5d1801',
  },
];

/** Length of one step of a download, in milliseconds: long enough to be seen by a test. */
const stepMs = 250;

/** The downloads of one engine: who follows them is told of every change. */
class Downloads {
  readonly #all = new Map<string, ModelDownload>();
  readonly #installed: ModelInfo[];
  #changed = Promise.withResolvers<void>();

  constructor(installed: ModelInfo[]) {
    this.#installed = installed;
  }

  async *follow(signal: AbortSignal | undefined): AsyncGenerator<ModelDownload[]> {
    const ended = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    while (!signal?.aborted) {
      const { promise } = this.#changed;
      yield [...this.#all.values()];
      await Promise.race([promise, ended]);
    }
  }

  async start({ id, name, host, kind, sizeBytes: totalBytes = 560 * mega }: CatalogueModel): Promise<void> {
    const before = this.#all.get(id);
    const isAgain = before !== undefined;
    this.#set({ id, name, host, phase: 'resolving', doneBytes: before?.doneBytes ?? 0, files: [] });
    await pause(stepMs);
    const loading = { phase: 'downloading', totalBytes, files: promised } as const;
    this.#change(id, { ...loading, revision: '614241f622f53c4eeff9890bdc4f31cfecc418b3' });
    this.#change(id, { doneBytes: 220 * mega, remainingMs: 95_000 });
    if (id === 'slow' && !isAgain) return;
    await pause(stepMs);
    if (id === 'broken' && !isAgain) {
      this.#change(id, {
        phase: 'failed',
        code: 'DOWNLOAD_FAILED',
        message: 'Download failed: huggingface.co: no answer in 20 s: check the network and go on.',
      });
      return;
    }
    this.#change(id, { phase: 'checking', doneBytes: totalBytes, remainingMs: undefined });
    await pause(stepMs);
    this.#installed.push(model({ id, kind, name, sizeBytes: totalBytes }));
    this.#change(id, { phase: 'done' });
  }

  cancel(id: string): void {
    this.#change(id, { phase: 'cancelled', remainingMs: undefined });
  }

  #change(id: string, change: Partial<ModelDownload>): void {
    const one = this.#all.get(id);
    if (one !== undefined && one.phase !== 'cancelled') this.#set({ ...one, ...change });
  }

  #set(one: ModelDownload): void {
    this.#all.set(one.id, one);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

const failing = (code: string, message: string): ORPCError<string, unknown> =>
  new ORPCError(code, { message });

/**
 * The calls about models.
 * @param installed what is there at the start; changed by what the page does
 * @param calls takes a note of every call that would connect
 */
export function modelCalls(installed: ModelInfo[], calls: string[]) {
  const os = implement(contract).models;
  const downloads = new Downloads(installed);
  const list = (): ModelInfo[] => [...installed];
  return {
    list: os.list.handler(list),
    check: os.check.handler(async () => {
      await pause(50);
      return list();
    }),
    catalogue: os.catalogue.handler(() =>
      catalogue.map((one) =>
        installed.some(({ id }) => id === one.id) ? { ...one, installedId: one.id } : one,
      ),
    ),
    machine: os.machine.handler(() => machine),
    resetDevices: os.resetDevices.handler(() => machine),
    download: os.download.handler(({ input }) => {
      calls.push('models.download');
      if (input.id === 'huge') throw failing('MODEL_TOO_LARGE', 'Download failed: Huge writer: free memory.');
      void downloads.start(catalogue.find(({ id }) => id === input.id)!);
    }),
    cancelDownload: os.cancelDownload.handler(({ input }) => downloads.cancel(input.id)),
    downloads: os.downloads.handler(({ signal }) => downloads.follow(signal)),
    importFrom: os.importFrom.handler(async ({ input }) => {
      await pause(50);
      if (!input.path.endsWith('.gguf')) {
        throw failing(
          'MODEL_INVALID',
          `Import failed: ${input.path}: no model in it: choose another folder.`,
        );
      }
      const brought = model({
        id: 'brought',
        kind: 'generator',
        name: 'Brought writer',
        sizeBytes: 9e8,
        isVerified: false,
      });
      installed.push(brought);
      return [brought];
    }),
    exportTo: os.exportTo.handler(({ input }) => {
      if (input.path.includes('taken')) {
        throw failing('BAD_REQUEST', `Export failed: ${input.path}: it exists already; choose another name.`);
      }
      return { sizeBytes: 471 * mega };
    }),
    remove: os.remove.handler(({ input }) => {
      installed.splice(
        installed.findIndex(({ id }) => id === input.id),
        1,
      );
    }),
    choose: os.choose.handler(({ input }) => {
      const chosen = installed.find(({ id }) => id === input.id)!;
      installed.forEach((one, index) => {
        if (one.kind === chosen.kind) installed[index] = { ...one, isInUse: one.id === chosen.id };
      });
    }),
    speedTest: os.speedTest.handler(async ({ input }) => {
      await pause(stepMs);
      const { id, kind } = installed.find((one) => one.id === input.id)!;
      if (id === 'tiny') throw failing('MODEL_TOO_LARGE', 'Tiny writer was not loaded: free memory.');
      return kind === 'generator'
        ? { id, device: 'CPU', loadMs: 1800, wordsPerSecond: 6.4, firstWordMs: 900 }
        : { id, device: 'CPU', loadMs: 0, passagesPerSecond: 41.2 };
    }),
  };
}
