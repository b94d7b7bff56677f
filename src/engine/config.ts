/** Which limits and defaults hold? Each with its unit and its reason; steps take them as arguments or read them here. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Change whenever the same file would give other blocks, anchors or chunks: documents are then read again. */
export const PARSER_VERSION = 1;

/** Change whenever the same question over the same library would give another result. */
export const PIPELINE_VERSION = 1;

export const files = {
  /** Deepest folder below the chosen one; deeper trees are almost always generated. */
  maxDepth: 64,
  /** Files in one folder tree, so that a scan always ends. */
  maxFiles: 2_000_000,
  /** Largest file that is read at all. */
  maxFileBytes: 4096 * MIB,
} as const;

export const parse = {
  /** Wall-clock time for one document. */
  timeoutMs: 120_000,
  /** JavaScript heap of a parse worker. */
  heapMb: 512,
  /** Growth of the process's resident memory during one parse; buffers and WebAssembly escape the heap limit. */
  maxResidentGrowthMb: 700,
  /** How often resident memory is looked at: at most 50 ms, a fast allocator takes a gigabyte in a third of a second. */
  memoryWatchMs: 25,
  /** Documents read at the same time; two cores, one of which writes. */
  workers: 2,
  /** Parts sent from a worker before it waits for the writer. */
  batchBlocks: 200,
  /** Batches under way between a worker and the writer. */
  maxBatchesInFlight: 4,
} as const;

export const chunk = {
  /** Words of a prose chunk: the published range is 300 to 800. */
  minWords: 120,
  targetWords: 320,
  maxWords: 500,
  /** Rows of a table chunk stop growing at this many words. */
  maxRowWords: 200,
} as const;

export const store = {
  /** Reader threads; search runs on these. */
  readers: 2,
  /** SQLite waits this long for another connection before it gives up. */
  busyTimeoutMs: 10_000,
  /** Page cache of each connection. */
  cacheKib: 64 * KIB,
} as const;

export const retrieve = {
  /** Candidates per list. */
  listLength: 100,
  /** Weight of keyword coverage and of cosine where an embedder has no calibration of its own. */
  keywordWeight: 0.7,
  vectorWeight: 0.3,
  /** Constant of reciprocal rank fusion (Cormack et al. 2009). */
  rrfK: 60,
  /** Cosine above which two passages say the same. */
  duplicateCosine: 0.85,
  /** Cosine above which a neighbour belongs to the passage, and how far it may grow. */
  neighbourCosine: 0.7,
  neighbourSteps: 3,
} as const;

export const generate = {
  /** Tokens are handed on in batches of this age. */
  batchMs: 30,
  maxAnswerTokens: 700,
  /** Passages offered to the model or to the extractive answer. */
  maxEvidence: 8,
} as const;

export const contextBlocks = {
  /** Ready blocks for other programs. */
  maxDocuments: 4,
  maxBlocks: 6,
  maxCharacters: 8_000,
} as const;
