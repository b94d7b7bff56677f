/** Which models can be had, and what is known of each before anybody connects to a host? */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../../api/errors.ts';
import { catalogue as limits, models } from '../config.ts';
import { isConfined } from './manifest.ts';

const commit = z.string().regex(/^[0-9a-f]{40}$/, { error: 'must be 40 lower-case hexadecimal digits' });
const repository = z.string().regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/, { error: 'must read "owner/name"' });

/** A path or a pattern of paths: "*" stands for any part of a name; upper and lower case are the same. */
const pattern = z.string().max(255).refine(isConfined, { error: 'must be a path inside the repository' });

/** Which files of the repository belong to the model. The first pattern that finds something counts. */
const wantedFile = z.strictObject({
  /** data: more files that the model reads, all that are found. */
  role: z.enum(['model', 'tokenizer', 'tokenizer-config', 'data']),
  anyOf: z.array(pattern).min(1).max(8),
  isOptional: z.boolean().default(false),
});

const shared = {
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,79}$/),
  name: z.string().min(1).max(200),
  summary: z.strictObject({ en: z.string().min(1).max(400), ru: z.string().min(1).max(400) }),
  host: z.string().regex(/^[a-z0-9.-]{1,253}$/),
  repository,
  /** Commit that is loaded; absent: nobody has verified one, the newest is taken at the first download and kept. */
  revision: commit.optional(),
  /** Weights that somebody else's files were made from, where their commit is known. */
  madeFrom: z.strictObject({ repository, revision: commit.optional() }).optional(),
  licence: z.string().min(1).max(200),
  licenceUrl: z.url({ protocol: /^https$/ }).max(500),
  languages: z
    .array(z.string().regex(/^[a-z]{2,8}$/))
    .min(1)
    .max(100),
  parametersMillions: z.number().min(1).max(1_000_000),
  /** Of the stored weights, on average; with the parameters it gives the memory that they take. */
  bitsPerWeight: z.number().min(1).max(64),
  /** Numbers of one token in a layer. */
  width: z.number().int().min(8).max(65_536),
  /** Of several models of a kind that are installed, the smallest number is used. */
  order: z.number().int().min(0).max(1000),
  files: z.array(wantedFile).min(1).max(16),
  /** Sizes and hashes that somebody has compared; absent: not verified, the host is asked at the download. */
  verified: z
    .array(
      z.strictObject({
        path: pattern,
        sizeBytes: z.number().int().min(1).max(models.maxFileBytes),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(1)
    .max(models.maxFiles)
    .optional(),
};

const encoder = {
  maxTokens: z.number().int().min(8).max(131_072),
  output: z.string().max(100).optional(),
};

const embedder = z.strictObject({
  ...shared,
  ...encoder,
  kind: z.literal('embedder'),
  pooling: z.enum(['mean', 'cls', 'last']),
  queryPrefix: z.string().max(500).default(''),
  passagePrefix: z.string().max(500).default(''),
  dimensions: z.number().int().min(1).max(8192),
});

const reranker = z.strictObject({ ...shared, ...encoder, kind: z.literal('reranker') });

const generator = z.strictObject({
  ...shared,
  kind: z.literal('generator'),
  /** As in the header of its file; they give the memory of its context. */
  layers: z.number().int().min(1).max(1024),
  keyValueHeads: z.number().int().min(1).max(1024),
  headLength: z.number().int().min(1).max(4096),
  vocabulary: z.number().int().min(1).max(10_000_000),
  contextTokens: z.number().int().min(models.leastContextTokens).max(1_048_576),
});

const catalogueFile = z.strictObject({
  models: z.array(z.discriminatedUnion('kind', [embedder, reranker, generator])).max(limits.maxModels),
});

export type CatalogueEntry = z.output<typeof catalogueFile>['models'][number];
export type WantedFile = z.output<typeof wantedFile>;

/**
 * Reads the catalogue that comes with the program.
 * @throws AppError MODEL_INVALID with the first thing that is wrong with it
 */
export function readCatalogue(file: string): CatalogueEntry[] {
  const invalid = (why: string, cause?: unknown): AppError =>
    new AppError(
      'MODEL_INVALID',
      `Reading the list of models failed: ${file}: ${why}: install Lectern again.`,
      { cause },
    );
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw invalid('it is not there');
  if (size > limits.maxBytes) throw invalid(`it has ${size} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw invalid('it is no JSON', cause);
  }
  const result = catalogueFile.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw invalid(`"${issue.path.join('.')}" ${issue.message}`);
  }
  const ids = result.data.models.map((entry) => entry.id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`"${twice}" stands in it twice`);
  return result.data.models;
}
