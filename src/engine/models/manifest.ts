/** What does a model's manifest say? */
import { z } from 'zod';
import { AppError } from '../../api/errors.ts';
import { models } from '../config.ts';

/** Names that stand for devices on Windows, with whatever ending. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

/** A name that every system takes as the name of a file in this very folder. */
function isPlainName(name: string): boolean {
  return name !== '' && !/^\.{1,2}$/.test(name) && !/[. ]$/.test(name) && !deviceName.test(name);
}

/** True for a path that stays inside its folder by its own words; links are judged where the file is opened. */
export function isConfined(relative: string): boolean {
  // Control signs and what Windows gives a meaning: drives, streams, patterns, other separators ("*" is for patterns of paths).
  return !/[\p{Cc}\\:<>"|?]/u.test(relative) && relative.split('/').every(isPlainName);
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
  /** Codes such as "ru"; "multi" for about a hundred. */
  languages: z
    .array(z.string().regex(/^[a-z]{2,8}$/))
    .max(100)
    .optional(),
  /** promised: by whoever made the manifest. own: nobody promised any, they were taken when the model was imported. */
  hashes: z.enum(['promised', 'own']).default('promised'),
  /** Where its files came from, kept at the download. */
  source: z
    .strictObject({
      host: z.string().min(1).max(253),
      repository: z.string().min(1).max(200),
      revision: z.string().regex(/^[0-9a-f]{40}$/, { error: 'must be 40 lower-case hexadecimal digits' }),
    })
    .optional(),
};

const cosine = z.number().min(-1).max(1);

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
  /** Side on which shorter texts of a run are filled up; only graphs that pool by themselves may care. Default: right. */
  padding: z.enum(['left', 'right']).optional(),
};

/** What every embedder tells of its vectors, however it makes them. */
const vectors = {
  kind: z.literal('embedder'),
  /** Length of a vector; of a transformer, fewer than the graph gives cuts each vector (Matryoshka). */
  dimensions: z.number().int().min(1).max(8192),
  /** Calibrated weights of keyword coverage and cosine in fusion. */
  weights: z
    .strictObject({ keyword: z.number().min(0).max(1), vector: z.number().min(0).max(1) })
    .refine(({ keyword, vector }) => Math.abs(keyword + vector - 1) < 1e-6, { error: 'must add up to 1' })
    .optional(),
  /** How its cosines are spread: of a question with a passage that has nothing to do with it, and from where on one has. */
  calibration: z
    .strictObject({
      mean: cosine,
      spread: z.number().gt(0).max(1),
      /** Cosine of the best passage below which the library holds nothing relevant. */
      nothingCosine: cosine,
    })
    .optional(),
};

const transformerEmbedder = z.strictObject({
  ...shared,
  ...encoder,
  ...vectors,
  encoder: z.literal('transformer').default('transformer'),
  /** How token vectors become one: their mean, the first, or the last. */
  pooling: z.enum(['mean', 'cls', 'last']),
  queryPrefix: z.string().max(500).default(''),
  passagePrefix: z.string().max(500).default(''),
  /** Unit length; only a model whose graph already gives unit vectors may say false. */
  normalise: z.boolean().default(true),
});

/** An embedder that sums rows of one table, chosen by features of the text; see TextFeatures. */
const featuresEmbedder = z.strictObject({
  ...shared,
  ...vectors,
  encoder: z.literal('features'),
  model: confinedPath,
  /** Weights of the known features, one a row, in the table's order. */
  vocabulary: confinedPath,
  /** Rows that features share by their hash. */
  hashedRows: z.number().int().min(0).max(16_777_216),
  /** Rows of features that have one of their own. */
  commonRows: z.number().int().min(0).max(16_777_216),
  /** Words of a text that are read; the rest is cut. */
  maxWords: z.number().int().min(8).max(131_072),
});

const reranker = z.strictObject({ ...shared, ...encoder, kind: z.literal('reranker') });

const generator = z.strictObject({
  ...shared,
  kind: z.literal('generator'),
  /** The GGUF file; of a model in parts, the first. */
  model: confinedPath,
  /** Tokens that prompt and answer share, at most; less is taken where memory is short. */
  contextTokens: z.number().int().min(models.leastContextTokens).max(1_048_576).default(models.contextTokens),
});

const manifest = z.discriminatedUnion('kind', [
  z.discriminatedUnion('encoder', [transformerEmbedder, featuresEmbedder]),
  reranker,
  generator,
]);

export type TransformerManifest = z.output<typeof transformerEmbedder>;
export type FeaturesManifest = z.output<typeof featuresEmbedder>;
export type EmbedderManifest = TransformerManifest | FeaturesManifest;
export type RerankerManifest = z.output<typeof reranker>;
export type GeneratorManifest = z.output<typeof generator>;
export type Manifest = EmbedderManifest | RerankerManifest | GeneratorManifest;

/** Files that a manifest names outside its list would escape the check, so they must be in it. */
function namedFiles(value: Manifest): string[] {
  if (value.kind === 'generator') return [value.model];
  if (value.kind === 'embedder' && value.encoder === 'features') return [value.model, value.vocabulary];
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
  if (new Set([...listed].map((file) => file.toLowerCase())).size < result.data.files.length) {
    throw new AppError(
      'MODEL_INVALID',
      `Model can’t be used: ${where}: its manifest names one file twice: correct it or install the model again.`,
    );
  }
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
