/** How are the facts of models said in words? */
import type { TFunction } from 'i18next';
import type {
  CatalogueModel,
  Machine,
  ModelDevice,
  ModelDownload,
  ModelInfo,
  ModelKind,
  ModelSpeed,
} from '../../../api/types.ts';
import { durationInWords } from '../library/duration-in-words.ts';

/** In the order in which the page tells of them. */
export const modelKinds: readonly ModelKind[] = ['embedder', 'generator', 'reranker'];

const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Decimal units, as the file managers and the hosts count: "640 MB", "2.6 GB". */
export function sizeInWords(bytes: number, language: string): string {
  const power = Math.min(2, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3) - 1));
  const value = bytes / 1000 ** (power + 1);
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: 'short',
    maximumFractionDigits,
  }).format(value);
}

/** The starter is named by the page, so that its name is a word of the page's language. */
export const modelName = (model: Pick<ModelInfo, 'name' | 'isBuiltIn'>, t: TFunction): string =>
  model.isBuiltIn ? t('models.starterName') : model.name;

const knownDevices = ['CPU', 'CUDA', 'Metal', 'Vulkan', 'CoreML', 'DirectML', 'WebGPU'];

export const deviceInWords = (kind: string, t: TFunction): string =>
  knownDevices.includes(kind) ? t(`models.device.${kind}`) : kind;

export const deviceName = (kind: string, t: TFunction): string =>
  knownDevices.includes(kind) ? t(`models.deviceName.${kind}`) : kind;

/** What stands under an installed model's name. */
export function installedFacts(model: ModelInfo, t: TFunction, language: string): string[] {
  const { isBuiltIn, source, licence, memoryBytes } = model;
  return [
    t(`settings.${model.kind}`),
    // Of a model that can't be understood the size is not known.
    ...(model.sizeBytes > 0 ? [sizeInWords(model.sizeBytes, language)] : []),
    licence === 'unknown' ? t('models.licenceUnknown') : t('models.licence', { licence }),
    isBuiltIn
      ? t('models.builtIn')
      : source === undefined
        ? t('models.fromUnknown')
        : t('models.from', { source: shortSource(source) }),
    ...(memoryBytes === undefined ? [] : [t('models.memory', { size: sizeInWords(memoryBytes, language) })]),
  ];
}

/** "host/owner/name@commit": of a whole commit its first seven digits. */
export const shortSource = (source: string): string => source.replace(/@([0-9a-f]{7})[0-9a-f]+$/, '@$1');

/** What stands under the name of a model that can be had. */
export function catalogueFacts(model: CatalogueModel, t: TFunction, language: string): string[] {
  return [
    model.sizeBytes === undefined
      ? t('models.sizeUnverified')
      : t('models.size', { size: sizeInWords(model.sizeBytes, language) }),
    t('models.at', { host: model.host }),
    t('models.licence', { licence: model.licence }),
    languagesInWords(model.languages, t, language),
  ];
}

export function languagesInWords(codes: readonly string[], t: TFunction, language: string): string {
  if (codes.includes('multi')) return t('models.languagesMany');
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });
  return t('models.languages', { list: codes.map((code) => names.of(code) ?? code).join(', ') });
}

/** How a model fits the memory: the machine's own, or where a device that serves its kind is used, that one's. */
export function fitInWords(
  { fit, memoryBytes }: CatalogueModel,
  machine: Machine | undefined,
  t: TFunction,
  language: string,
): string {
  const needs = sizeInWords(memoryBytes, language);
  if (machine === undefined) return t('models.fitsUnknown', { needs });
  return t(`models.${fit}`, { needs, free: sizeInWords(machine.freeMemoryBytes, language) });
}

export function speedInWords(speed: ModelSpeed, t: TFunction): string {
  const { wordsPerSecond, passagesPerSecond, firstWordMs, loadMs, device } = speed;
  const parts: string[] = [];
  if (wordsPerSecond !== undefined) parts.push(t('models.wordsSpeed', { count: rate(wordsPerSecond) }));
  if (passagesPerSecond !== undefined) {
    parts.push(t('models.passagesSpeed', { count: rate(passagesPerSecond) }));
  }
  if (firstWordMs !== undefined) parts.push(t('models.firstWord', { seconds: tenths(firstWordMs) }));
  if (loadMs > 0) parts.push(t('models.loadTime', { seconds: tenths(loadMs) }));
  parts.push(t('models.speedOn', { device: deviceInWords(device, t) }));
  return parts.join(' · ');
}

/** Below ten with a tenth, for there it matters. */
const rate = (value: number): number => (value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
const tenths = (ms: number): number => Math.max(0.1, Math.round(ms / 100) / 10);

export function downloadInWords(download: ModelDownload, t: TFunction, language: string): string {
  const { phase, host, doneBytes, totalBytes, remainingMs } = download;
  const done = sizeInWords(doneBytes, language);
  switch (phase) {
    case 'resolving':
      return t('models.resolving', { host });
    case 'checking':
      return t('models.verifying');
    case 'done':
      return t('models.done');
    case 'cancelled':
      return doneBytes > 0 ? t('models.stopped', { done }) : t('models.stoppedEmpty');
    case 'failed':
      return t(`failure.${download.code ?? 'DOWNLOAD_FAILED'}`);
    case 'downloading': {
      const amount =
        totalBytes === undefined
          ? t('models.loaded', { done })
          : t('models.loadingOf', { done, total: sizeInWords(totalBytes, language) });
      if (remainingMs === undefined) return amount;
      return `${amount} · ${t('models.timeLeft', { time: durationInWords(remainingMs, t) })}`;
    }
  }
}

/** How much of the library a model for finding by meaning knows; undefined where there is nothing to say. */
export function coverageInWords(model: ModelInfo, hasHelper: boolean, t: TFunction): string | undefined {
  const { coverage } = model;
  if (coverage === undefined || coverage.total === 0) return undefined;
  const { done, total: count } = coverage;
  if (done >= count) return t('models.knowsAll', { count });
  return t(hasHelper ? 'models.knowsBoth' : 'models.knows', { done, count });
}

export function deviceFacts(device: ModelDevice, t: TFunction, language: string): string {
  const { name, memoryBytes, freeMemoryBytes } = device;
  const parts = name === undefined ? [] : [name];
  if (memoryBytes !== undefined) {
    const total = sizeInWords(memoryBytes, language);
    parts.push(
      freeMemoryBytes === undefined
        ? total
        : t('models.deviceMemory', { free: sizeInWords(freeMemoryBytes, language), total }),
    );
  }
  return parts.join(' · ');
}

/** What is used for one purpose: the better model first, then the starter that helps it. */
export function inUse(models: readonly ModelInfo[], kind: ModelKind): ModelInfo[] {
  return models
    .filter((model) => model.kind === kind && model.isInUse && model.state === 'ready')
    .sort((one, other) => Number(one.isBuiltIn) - Number(other.isBuiltIn));
}
