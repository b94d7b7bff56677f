/** Which limits and defaults hold? Each with its unit and its reason; steps take them as arguments or read them here. */

export * from './config-formats.ts';

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
  /** Progress is told at most this often; the page draws no faster. */
  progressIntervalMs: 150,
  /** Read from one ignore file; longer ones are lists made by a machine. */
  maxIgnoreFileBytes: 256 * KIB,
  /** Entries of one folder whose size and time are asked for at the same time: hides the latency of network drives. */
  statBatch: 64,
  /** Such batches that the scan runs ahead of the comparison. */
  scanAhead: 64,
  /** Bytes hashed at a time. */
  hashPieceBytes: 512 * KIB,
  /** Files found but not yet read; the scan waits beyond it. About 20 MB. */
  maxPending: 50_000,
  /** Rows asked of the store at a time while comparing. */
  knownPage: 5_000,
  /** Documents removed in one call. */
  removeBatch: 500,
} as const;

export const parse = {
  /** Wall-clock time for one document. */
  timeoutMs: 120_000,
  /** More of it for each MiB: text takes 0.4 s a MiB on an idle core, several times that on a busy machine. */
  timeoutPerMibMs: 3_000,
  /** Whatever its size. */
  maxTimeoutMs: 30 * 60_000,
  /** JavaScript heap of a parse worker. */
  heapMb: 512,
  /** Growth of the process's resident memory (mapped files not counted) during one parse; buffers and WebAssembly escape the heap limit. */
  maxResidentGrowthMb: 700,
  /** How often resident memory is looked at: at most 50 ms, a fast allocator takes a gigabyte in a third of a second. */
  memoryWatchMs: 25,
  /** Documents read at the same time; two cores, one of which writes. */
  workers: 2,
  /** A document's memory is back within this time after its worker was ended, or never. */
  memorySettleMs: 1_500,
  /** Workers beside those, for the document that somebody waits for. */
  interactiveWorkers: 1,
  /** A worker that had nothing to do for so long is let go; it holds some 80 MB and takes half a second to start. */
  idleMs: 30_000,
  /** Blocks and UTF-16 units of text in one batch from a worker: about a megabyte with anchors. */
  batchBlocks: 200,
  batchCharacters: 256 * KIB,
  /** Blocks from the beginning in which a title or heading names the whole document. */
  titleBlocks: 40,
  /** Longest title, in UTF-16 units. */
  maxTitleLength: 300,
  /** A chunk at least this long, in UTF-16 units, has its own language told from its text; shorter ones have the document's. */
  ownLanguageCharacters: 160,
  /** Warnings kept of one document. */
  maxWarnings: 100,
  /** A file that no parser reads is hashed up to this size, so that a new date alone does not have it looked at again. */
  maxFailedHashBytes: 16 * MIB,
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
  /** A section of fewer words always joins its neighbour. */
  tinyWords: 25,
  /** Pages of one chunk: an evaluated passage counts with two. */
  maxPages: 2,
  /** A sentence over this many UTF-16 units is cut: tables without markup and lists without stops read as one. */
  maxSentenceLength: 1_600,
  /** A piece of code that is cut because its function is too large, UTF-16 units; minified lines have few words. */
  maxCodeLength: 6_000,
  /** Words gathered before they are cut, so that a chapter without headings needs no more memory than this. */
  bufferWords: 4_000,
  /** The same for text with few words in much length, UTF-16 units. */
  bufferLength: 64 * KIB,
  /** Columns named and summed in a sheet's description. */
  maxDescribedColumns: 60,
  /** Characters of the text, and of the headings, that a document's summary quotes. */
  summaryLength: 500,
} as const;

export const language = {
  /** Stems remembered per language and worker: a large document has about 20,000 different words; some 5 MB. */
  stemCacheWords: 50_000,
  /** Characters that decide a text's language, from its beginning; more changes nothing. */
  detectCharacters: 2_000,
  /** Longest sentence, in UTF-16 units; lists and tables without stops are cut at a space. */
  maxSentenceLength: 2_000,
} as const;

export const store = {
  /** Reader threads; search runs on these. */
  readers: 2,
  /** SQLite waits this long for another connection before it gives up. */
  busyTimeoutMs: 10_000,
  /** Page cache of each connection. */
  cacheKib: 64 * KIB,
  /** Mapped part of the database file: reading pages without copying them. */
  mapBytes: 1024 * MIB,
  /** Index rows of a question's words that BM25 looks at; the commonest words beyond it are left out while rarer ones remain. */
  maxPostings: 8_000,
  /** Passages found by rarer words that are ordered again by the commonest, counted in their text; some 50 µs each. */
  rescoreDepth: 100,
  /** Chunks of a scope up to which it is read whole before its rows are looked for. */
  narrowScopeChunks: 4_000,
  /** Different words of a question that are searched for; a pasted page holds a few hundred. */
  maxQueryTerms: 64,
  /** Runs of neighbouring chunks that a scope is searched in one by one; a scope of more is searched as one run. */
  maxScopeRuns: 256,
  /** Term frequencies that a reader remembers. */
  frequencyCacheTerms: 100_000,
  /** Pages that one step of merging keyword segments writes; a step holds the writer for some 50 ms. */
  mergePages: 500,
  /** Steps of merging after a run at most. */
  maxMergeSteps: 2_000,
} as const;

export const retrieve = {
  /** Weight of a word's occurrences by column in BM25; `words` is a small bonus for the exact form. */
  columnWeights: { title: 1, headings: 1, words: 0.1, stems: 1 },
  /** Candidates per list. */
  listLength: 100,
  /** Weight of keyword coverage and of cosine where an embedder has no calibration of its own. */
  keywordWeight: 0.7,
  vectorWeight: 0.3,
  /** Cosine above which two passages say the same. */
  duplicateCosine: 0.85,
  /** Cosine above which a neighbour belongs to the passage, and how far it may grow. */
  neighbourCosine: 0.7,
  neighbourSteps: 3,
  /** Distinct words of a question that are searched for; a pasted page still finds its source by its first words. */
  maxQuestionWords: 60,
  /** Quoted phrases and marked numbers that are forced in, and the longest phrase in words. */
  maxPhrases: 8,
  maxPhraseWords: 30,
  /** Passages fetched for one phrase or marked number, unranked. */
  phraseListLength: 50,
  /** Fused candidates that are loaded with their text; ranking below that place never reaches a reader. */
  shortlistLength: 50,
  /** Documents that a typed title may name before it is too vague to filter by. */
  maxTitledDocuments: 20,
  /** Weight of a term in the headings and in the title or path against one occurrence in the text. */
  headingWeight: 1,
  titleWeight: 0.5,
  /** What the very form of a word counts on top of its stem. */
  exactFormBonus: 0.1,
  /** Share of a document's best summary score that its passages gain. */
  summaryWeight: 0.05,
  /** Share of three-word runs that two passages with the same numbers hold in common when they say the same. */
  duplicateOverlap: 0.8,
  /** Keyword coverage of the best passage below which the question may be mistyped and other readings are tried. */
  repairCoverage: 0.3,
  /** Keyword coverage of the best passage below which the library holds nothing relevant; see test/quality. */
  nothingCoverage: 0.22,
  /** Cosine of the best passage that overrules it, where an embedder has no calibration of its own. */
  nothingCosine: 0.6,
  /** Passages shown when nothing is relevant. */
  nearestHits: 3,
} as const;

export const generate = {
  /** Tokens are handed on in batches of this age. */
  batchMs: 30,
  maxAnswerTokens: 700,
  /** Passages offered to the model or to the extractive answer. */
  maxEvidence: 8,
  /** Room for what a chat template adds around the messages. */
  templateTokens: 64,
  /** Sentences and rows of an extractive answer; more would be reading, not answering. */
  maxExtractUnits: 5,
  /** Best units looked at for further sentences. */
  maxExtractCandidates: 30,
  /** Share of the question's weight that the best sentence with its surroundings must hold, else the answer is refused. */
  leastExtractCoverage: 0.28,
  /** Score at which meaning carries a sentence that shares too few words with the question. */
  leastExtractScore: 0.3,
  /** The same share above which a bare figure, date or name is given beside the sentence. */
  leastShortCoverage: 0.4,
  /** A further sentence must score this share of the best one. */
  extractScoreShare: 0.75,
  /** Bonus of a sentence that holds a thing of the asked kind. */
  askedKindBonus: 0.12,
  /** UTF-16 units at the top of a document in which lines such as "From: Anna" are a letter's head. */
  headerLength: 600,
  /** Factor for such a line where the question asks for nothing of the kind: it names the matter and answers nothing. */
  headerFactor: 0.6,
  /** Bonus of a sentence whose own heading holds the question's words. */
  headingBonus: 0.08,
  /** The same share, names of the question left out, below which a sentence without a thing of the asked kind is no answer. */
  leastSubjectCoverage: 0.3,
  /** Share of common words above which one sentence repeats another. */
  repeatShare: 0.7,
  /** Longest quote of one citation, UTF-16 units. */
  maxQuoteCharacters: 700,
  /** Units of evidence that are compared with the question by meaning. */
  maxEmbeddedUnits: 60,
} as const;

export const embed = {
  /** Tokens of one encoder run, padding included: more makes no run faster on a CPU and costs memory. */
  batchTokens: 4096,
  /** Texts of one encoder run, so that thousands of one-word texts can be cancelled too. */
  batchTexts: 64,
  /** Texts tokenised between two looks at what else waits: about 20 ms. */
  tokeniseTexts: 32,
  /** Texts of one message to the model process: enough to sort by length, small enough to cancel. */
  requestTexts: 256,
  /** UTF-16 units read per token of the limit; the rest of a text would be cut anyway, so it is not tokenised. */
  unitsPerToken: 24,
  /** Chunks that catching up embeds and stores at a time. */
  catchUpChunks: 256,
} as const;

export const models = {
  /** A manifest is a page of text. */
  maxManifestBytes: 256 * KIB,
  /** Models looked at in one folder. */
  maxModels: 200,
  /** Metadata of a GGUF file: vocabularies of 250,000 words take 10 MB. */
  maxGgufHeaderBytes: 64 * MIB,
  maxGgufKeys: 4096,
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
  /** A language model that was not asked for this long gives its memory back. */
  idleUnloadMs: 15 * 60_000,
  /** The process gets this long to let go of its models before it is ended. */
  closeTimeoutMs: 3_000,
} as const;

export const contextBlocks = {
  /** Hits that blocks are glued from. */
  hits: 20,
  /** Ready blocks for other programs. */
  maxDocuments: 4,
  maxBlocks: 6,
  maxCharacters: 8_000,
} as const;

export const locate = {
  /** Text before and after a quote that tells its repetitions apart. */
  contextCharacters: 64,
  /** Repetitions of one quote that are compared; a table of zeros has thousands. */
  maxOccurrences: 1_000,
} as const;

export const doctor = {
  /** Less free space than this under the library is reported: an index may grow to a third of its documents. */
  minFreeDiskBytes: 1024 * MIB,
} as const;
