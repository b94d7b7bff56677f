/** What does a model's manifest say? */
import { z } from 'zod';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** True for a path that stays inside its folder by its own words; links are judged where the file is opened. */
export function isConfined(relative: string): boolean {
  return (
    relative.length > 0 &&
    !relative.includes('\0') &&
    !relative.includes('\\') &&
    !/^([a-z]:|\/)/i.test(relative) &&
    relative.split('/').every((part) => part !== '..' && part !== '')
  );
}

const confinedPath = z
  .string()
  .max(255)
  .refine(isConfined, { error: 'must be a path inside the model’s own folder, with "/" and without ".."' });

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lower-case hexadecimal digits' });

const shared = {
  /** Unique among the models, such as "multilingual-e5-small". */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/, { error: 'must be lower-case letters, digits, ".", "_", "-"' }),
  name: z.string().min(1).max(200),
  /** SPDX expression or the licence's name. */
  licence: z.string().min(1).max(200),
  /** Every file that belongs to the model; loading touches no other. */
  files: z
    .array(
      z.strictObject({
        path: confinedPath,
        sha256,
        sizeBytes: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
      }),
    )
    .min(1)
    .max(64),
  /** What was quantized and how, in words. */
  precision: z.string().max(300).optional(),
  /** Of several models of a kind the smallest number is used; default 100. */
  order: z.number().int().min(0).max(1000).default(100),
  /** Threads it may use; default: as many as the machine's configuration gives. */
  threads: z.number().int().min(1).max(256).optional(),
};

const encoder = {
  model: confinedPath,
  tokenizer: confinedPath,
  /** tokenizer_config.json, where a tokenizer needs one. */
  tokenizerConfig: confinedPath.optional(),
  /** Longest input in tokens, special ones included. */
  maxTokens: z.number().int().min(8).max(131_072),
  /** Names of the graph's inputs, where they must be as stated; default: what the graph asks for. */
  inputs: z.array(z.string().max(100)).max(8).optional(),
  /** Name of the graph's output; default: its first. */
  output: z.string().max(100).optional(),
};

const embedder = z.strictObject({
  ...shared,
  ...encoder,
  kind: z.literal('embedder'),
  /** How token vectors become one: their mean, the first, or the last. */
  pooling: z.enum(['mean', 'cls', 'last']),
  queryPrefix: z.string().max(500).default(''),
  passagePrefix: z.string().max(500).default(''),
  /** Length of a vector; fewer than the graph gives cuts each vector (Matryoshka). */
  dimensions: z.number().int().min(1).max(8192),
  /** Unit length; only a model whose graph already gives unit vectors may say false. */
  normalise: z.boolean().default(true),
  /** Calibrated weights of keyword coverage and cosine in fusion. */
  weights: z
    .strictObject({ keyword: z.number().min(0).max(1), vector: z.number().min(0).max(1) })
    .refine(({ keyword, vector }) => Math.abs(keyword + vector - 1) < 1e-6, { error: 'must add up to 1' })
    .optional(),
});

const reranker = z.strictObject({ ...shared, ...encoder, kind: z.literal('reranker') });

const generator = z.strictObject({
  ...shared,
  kind: z.literal('generator'),
  /** The GGUF file; of a model in parts, the first. */
  model: confinedPath,
  /** Tokens that prompt and answer share, at most; less is taken where memory is short. */
  contextTokens: z.number().int().min(256).max(1_048_576).default(models.contextTokens),
});

const manifest = z.discriminatedUnion('kind', [embedder, reranker, generator]);

export type EmbedderManifest = z.output<typeof embedder>;
export type RerankerManifest = z.output<typeof reranker>;
export type GeneratorManifest = z.output<typeof generator>;
export type Manifest = EmbedderManifest | RerankerManifest | GeneratorManifest;

/** Files that a manifest names outside its list would escape the check, so they must be in it. */
function namedFiles(value: Manifest): string[] {
  if (value.kind === 'generator') return [value.model];
  return [value.model, value.tokenizer, ...(value.tokenizerConfig ? [value.tokenizerConfig] : [])];
}

/**
 * Reads a manifest from its JSON value.
 * @param where named in messages, such as the path of the file
 * @throws AppError MODEL_INVALID with the first thing that is wrong
 */
export function readManifest(value: unknown, where: string): Manifest {
  const result = manifest.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const field = issue.path.length > 0 ? `"${issue.path.join('.')}" ` : '';
    throw new AppError(
      'MODEL_INVALID',
      `Model can’t be used: ${where}: its manifest is wrong: ${field}${issue.message}: correct it or install the model again.`,
    );
  }
  const listed = new Set(result.data.files.map((file) => file.path));
  for (const named of namedFiles(result.data)) {
    if (!listed.has(named)) {
      throw new AppError(
        'MODEL_INVALID',
        `Model can’t be used: ${where}: "${named}" is not among the manifest’s files: add it with its size and SHA-256.`,
      );
    }
  }
  return result.data;
}
