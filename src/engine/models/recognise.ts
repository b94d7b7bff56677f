/** Is a file or folder without a manifest a model that can be used safely as it is? */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';
import { readGgufHeader } from './gguf-header.ts';
import type { GeneratorManifest, Manifest, TransformerManifest } from './manifest.ts';

/** Writers that llama.cpp runs and whose chat templates are known to work; others need a manifest. */
const knownArchitectures = new Set(
  (
    'llama llama4 mistral3 mistral4 qwen2 qwen2moe qwen3 qwen3moe qwen3next qwen35 qwen35moe gemma gemma2 gemma3 gemma3n gemma4 ' +
    'phi2 phi3 phimoe granite granitemoe granitehybrid olmo olmo2 olmoe smollm3 stablelm starcoder2 command-r cohere2 ' +
    'deepseek deepseek2 glm4 glm4moe exaone exaone4 internlm2 falcon falcon-h1 nemotron nemotron_h gpt-oss seed_oss ernie4_5 lfm2 hunyuan-dense'
  ).split(' '),
);

/** Files whose hashes nobody promised: their names, sizes and times stand in, so that a changed file is another model. */
function unpromised(folder: string, relative: string): { path: string; sha256: string; sizeBytes: number } {
  return { path: relative, sha256: '', sizeBytes: statSync(path.join(folder, relative)).size };
}

function identifier(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 80);
  return id === '' ? 'model' : id;
}

const laterPart = /-(?!0*1-of)\d{5}-of-\d{5}\.gguf$/i;
const firstPart = /-0*1-of-(\d{5})\.gguf$/i;

function partsOf(relative: string): string[] {
  const match = firstPart.exec(relative);
  if (!match) return [relative];
  const stem = relative.slice(0, match.index);
  return Array.from(
    { length: Number(match[1]) },
    (_, index) => `${stem}-${String(index + 1).padStart(5, '0')}-of-${match[1]}.gguf`,
  );
}

/**
 * A bare .gguf file as a language model; undefined for later parts of a model in several files.
 * @throws AppError MODEL_INVALID when its header is broken or it is no language model that is known to work
 */
export async function recogniseGguf(
  folder: string,
  relative: string,
  id?: string,
): Promise<GeneratorManifest | undefined> {
  if (laterPart.test(relative)) return undefined;
  const header = await readGgufHeader(path.join(folder, relative));
  if (header.isEncoder || !knownArchitectures.has(header.architecture)) {
    const what = header.isEncoder
      ? 'it is an encoder, not a language model'
      : `its architecture "${header.architecture}" is not known`;
    throw new AppError(
      'MODEL_INVALID',
      `Model file can’t be used: ${relative}: ${what}: choose a chat model in GGUF form.`,
    );
  }
  if (header.contextTokens !== undefined && header.contextTokens < models.leastContextTokens) {
    throw new AppError(
      'MODEL_INVALID',
      `Model file can’t be used: ${relative}: it reads ${header.contextTokens} tokens at a time, a question with its evidence needs more: choose another.`,
    );
  }
  const parts = partsOf(relative);
  if (parts.length > 64) {
    throw new AppError(
      'MODEL_INVALID',
      `Model file can’t be used: ${relative}: it claims ${parts.length} parts: choose another.`,
    );
  }
  return {
    kind: 'generator',
    id: id ?? identifier(path.basename(relative)),
    name:
      header.name && header.name.length > 5 ? header.name : path.basename(relative).replace(/\.gguf$/i, ''),
    licence: header.licence ?? 'unknown',
    ...(header.quantization === undefined ? {} : { precision: header.quantization }),
    hashes: 'own',
    files: parts.map((part) => unpromised(folder, part)),
    order: 100,
    model: relative,
    contextTokens: Math.min(models.contextTokens, header.contextTokens ?? models.contextTokens),
  };
}

function readJson(folder: string, relative: string): Record<string, unknown> | undefined {
  const file = path.join(folder, relative);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > models.maxManifestBytes) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Prefixes as sentence-transformers keeps them. */
function prefixes(settings: Record<string, unknown> | undefined): {
  queryPrefix: string;
  passagePrefix: string;
} {
  const prompts = settings?.prompts;
  const named = new Map<string, unknown>(
    Object.entries(typeof prompts === 'object' && prompts !== null ? prompts : {}),
  );
  const first = (...names: string[]) =>
    names.map((name) => named.get(name)).find((text) => typeof text === 'string') ?? '';
  return { queryPrefix: first('query'), passagePrefix: first('passage', 'document') };
}

/** A folder in the layout of sentence-transformers says how to pool; one that does not is not guessed at. */
function recogniseEncoder(folder: string): TransformerManifest | undefined {
  const exists = (relative: string) =>
    statSync(path.join(folder, relative), { throwIfNoEntry: false })?.isFile() === true;
  const model = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx'].find(exists);
  const pooling = readJson(folder, '1_Pooling/config.json');
  const dimensions = positive(pooling?.word_embedding_dimension);
  if (model === undefined || !exists('tokenizer.json') || pooling === undefined || dimensions === undefined)
    return undefined;
  const limits = [
    positive(readJson(folder, 'sentence_bert_config.json')?.max_seq_length),
    positive(readJson(folder, 'config.json')?.max_position_embeddings),
  ].filter((limit) => limit !== undefined);
  const files = [model, 'tokenizer.json', 'tokenizer_config.json', `${model}_data`].filter(exists);
  return {
    kind: 'embedder',
    encoder: 'transformer',
    id: identifier(path.basename(folder)),
    name: path.basename(folder),
    licence: 'unknown',
    hashes: 'own',
    files: files.map((file) => unpromised(folder, file)),
    order: 100,
    model,
    tokenizer: 'tokenizer.json',
    tokenizerConfig: exists('tokenizer_config.json') ? 'tokenizer_config.json' : undefined,
    maxTokens: limits[0] ?? 512,
    pooling:
      pooling.pooling_mode_cls_token === true
        ? 'cls'
        : pooling.pooling_mode_lasttoken === true
          ? 'last'
          : 'mean',
    dimensions,
    normalise: true,
    ...prefixes(readJson(folder, 'config_sentence_transformers.json')),
  };
}

/**
 * A folder without a manifest: one language model in GGUF form, or an encoder in the layout of sentence-transformers.
 * An empty folder is no model.
 * @throws AppError MODEL_INVALID for anything else
 */
export async function recogniseFolder(folder: string): Promise<Manifest | undefined> {
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
  if (names.length === 0) return undefined;
  const starts = names.filter((name) => name.toLowerCase().endsWith('.gguf') && !laterPart.test(name));
  if (starts.length === 1) return recogniseGguf(folder, starts[0]!, identifier(path.basename(folder)));
  const encoder = starts.length === 0 ? recogniseEncoder(folder) : undefined;
  if (encoder) return encoder;
  const why =
    starts.length > 1
      ? 'it holds several GGUF models'
      : 'it holds no manifest.json and no layout that is known';
  throw new AppError(
    'MODEL_INVALID',
    `Model can’t be used: ${folder}: ${why}: add a manifest.json or remove the folder.`,
  );
}
