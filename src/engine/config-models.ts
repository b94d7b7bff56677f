/** Which limits hold for models: their files, their processes, their memory, their way onto the machine? */

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

export const models = {
  /** A manifest is a page of text. */
  maxManifestBytes: 256 * KIB,
  /** Models looked at in one folder. */
  maxModels: 200,
  /** Files of one model, and the largest: a language model of 70 billion parameters in 4 bits has 40 GB. */
  maxFiles: 64,
  maxFileBytes: 64 * GIB,
  /** Metadata of a GGUF file: vocabularies of 250,000 words take 10 MB. */
  maxGgufHeaderBytes: 64 * MIB,
  maxGgufKeys: 4096,
  maxGgufTensors: 100_000,
  /** Counts in a GGUF header that no model passes; a larger one is a lie. */
  mostGguf: {
    block_count: 1_000,
    embedding_length: 65_536,
    'attention.head_count': 1_024,
    context_length: 1_000_000_000,
  },
  /** Tokens of prompt and answer below which no question with evidence fits. */
  leastContextTokens: 256,
  maxGgufArray: 4_000_000,
  /** Longest text value that is read whole, such as a chat template; longer ones make a file invalid. */
  maxGgufText: 1 * MIB,
  /** Depth and number of messages read in an ONNX file when looking for references to other files. */
  maxOnnxDepth: 24,
  maxOnnxMessages: 5_000_000,
  /** Threads of a model at most; more than the cores of one cluster slow each other down. */
  maxThreads: 8,
  /** Tokens of prompt and answer where a model does not say otherwise. */
  contextTokens: 8192,
  /** A context is made smaller to fit the memory, down to this many tokens. */
  minContextTokens: 1024,
  /** Prompt tokens read between two looks at the cancel signal. */
  promptBatchTokens: 256,
  /** Memory left to everything else when a language model is loaded. */
  memoryReserveBytes: 768 * MIB,
  /** First wait before the model process is started again, doubled with each death in the window. */
  restartDelayMs: 100,
  /** Deaths in the window after which it stays down, so that a broken model can't spin for ever. */
  maxRestarts: 5,
  restartWindowMs: 120_000,
  /** A call that waits asks the process for a sign of life this often … */
  heartbeatMs: 5_000,
  /** … and ends it after this much silence: only a hang in native code or in a chat template blocks it so long. */
  maxSilenceMs: 60_000,
  /** Calls that may wait at once. */
  maxWaitingCalls: 256,
  /** A model that was not asked for this long gives its memory back. */
  idleUnloadMs: 15 * 60_000,
  /** The process gets this long to let go of its models before it is ended. */
  closeTimeoutMs: 3_000,
} as const;

/**
 * What a model takes of memory, its process included. Measured with random models on Linux, resident memory of the process: writers of
 * 7 and 212 MB at 8,192 to 32,768 tokens took 0.92 to 1.00 of the estimate, encoders of 94 and 357 MB 0.80 and 0.93.
 */
export const modelMemory = {
  /** Bytes of one number of a context: llama.cpp keeps keys and values as 16-bit floats. */
  contextNumberBytes: 2,
  /** Prompt tokens that llama.cpp computes at once (n_ubatch): a row of scores over the vocabulary for each, in 32 bits. */
  batchTokens: 512,
  /** Rows of the model's width that it keeps for each of those tokens besides. */
  batchRows: 8,
  /** A word of the vocabulary with its hash entry. */
  vocabularyEntryBytes: 400,
  /** The process with its library and no model. */
  writerBaseBytes: 192 * MIB,
  encoderBaseBytes: 230 * MIB,
  /** ONNX Runtime lays weights out anew for its fast kernels. */
  encoderWeightFactor: 1.1,
  /** Tokens of one run, and bytes that a run takes for each of them and each number of the model's width. */
  encoderRunTokens: 4096,
  encoderRunBytes: 24,
  /** Width of an encoder whose manifest does not tell: the largest common one. */
  unknownWidth: 1024,
  /** Parameters in millions for each processor that leave a model quick enough to wait for: a rule of thumb, not a measurement. */
  writerMillionsPerCore: 500,
  encoderMillionsPerCore: 60,
  /** Context that a model of the catalogue is judged with, tokens. */
  judgedContextTokens: 4096,
} as const;

export const catalogue = {
  /** The whole file: a few pages of text. */
  maxBytes: 512 * KIB,
  maxModels: 100,
} as const;

export const download = {
  /** No connection, no answer, no further byte for this long ends an attempt. */
  connectTimeoutMs: 20_000,
  answerTimeoutMs: 30_000,
  stallTimeoutMs: 60_000,
  maxRedirects: 5,
  /** Attempts of one request or file that bring nothing new; a break after progress starts the count anew. */
  maxAttempts: 4,
  /** First wait before another attempt, doubled each time, and the longest that a host may ask for (Retry-After). */
  retryDelayMs: 1_000,
  maxRetryDelayMs: 60_000,
  /** Description of a repository: the largest have some thousand files. */
  maxListingBytes: 16 * MIB,
  maxListedFiles: 20_000,
  /** Free space that stays beside a download or an import. */
  reserveDiskBytes: 512 * MIB,
  /** Progress is told at most this often. */
  progressIntervalMs: 250,
  /** The speed of the last so many milliseconds is what the remaining time is estimated from. */
  speedWindowMs: 15_000,
  /** What a broken-off import or removal left is swept after this time; a running one is younger. */
  leftoverMs: 24 * 60 * 60_000,
  /** Downloads remembered for the page. */
  maxRemembered: 50,
} as const;

export const archive = {
  /** Entries of an archive of models, manifests included. */
  maxEntries: 2_000,
  /** Models in one archive. */
  maxModels: 100,
} as const;

export const speedTest = {
  /** At least this much work, so that the first run's extra costs do not count for much. */
  leastMs: 1_500,
  mostMs: 20_000,
  /** Words of one passage, and passages of one call. */
  passageWords: 100,
  batchPassages: 32,
  /** Tokens that a language model writes. */
  writtenTokens: 128,
} as const;

/** The built-in embedder. */
export const starter = {
  /** Features of one run, padding included: each is 256 numbers, so a run takes some 5 MB, about what a core keeps near it. */
  batchFeatures: 4_096,
  batchTexts: 64,
  /** Texts of one message to its thread; a question waits for one message at most, some 10 ms. */
  requestTexts: 64,
  /** JavaScript heap of its thread for what was made just now. */
  youngHeapMb: 12,
} as const;
