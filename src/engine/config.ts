/** Which limits and defaults hold? Each with its unit and its reason; steps take them as arguments or read them here. */

export * from './config-formats.ts';
export * from './config-models.ts';
export * from './config-store.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Change whenever the same file would give other blocks, anchors or chunks: documents are then read again. */
export const PARSER_VERSION = 2;

/** Change whenever the same question over the same library would give another result. */
export const PIPELINE_VERSION = 1;

export const files = {
  /** Deepest folder below the chosen one; deeper trees are almost always generated. */
  maxDepth: 64,
  /** Files in one folder tree, so that a scan always ends. */
  maxFiles: 2_000_000,
  /** Files and folders left out that the ledger names, of each folder chosen; an excluded folder is one. */
  maxExclusions: 5_000,
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
  /** Of that, for what was made just now. By default it grows to 48 MB in each worker and stays so; this costs no time. */
  youngHeapMb: 24,
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
  /** Workers beside those that stand still in a large container until its members are read; as many as can at the same time. */
  waitingWorkers: 16,
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

export const indexing = {
  /** Whole documents that are written in one transaction; committing costs as much as writing a short document. */
  groupDocuments: 64,
  /** Bytes of such a group; larger ones would hold up the writer's other callers. */
  groupBytes: 2 * MIB,
  /** A document waits for others at most so long; the first one not at all. */
  groupDelayMs: 60,
  /** Documents read and not yet written, their groups under way included; reading waits beyond it. */
  maxUnwritten: 256,
  maxUnwrittenBytes: 16 * MIB,
  /** UTF-16 units of a document before the block at hand in which a chunk is sought, so that its text is not kept twice. */
  recentLength: 192 * KIB,
  /** A file up to this size is read in one go and its bytes are hashed, recognised and parsed; most notes and pages are smaller. */
  wholeFileBytes: 256 * KIB,
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
  /** Words whose embedding features are remembered per worker; some 400 bytes each. */
  featureCacheWords: 50_000,
  /** Characters that decide a text's language, from its beginning; more changes nothing. */
  detectCharacters: 2_000,
  /** Longest sentence, in UTF-16 units; lists and tables without stops are cut at a space. */
  maxSentenceLength: 2_000,
} as const;

export const retrieve = {
  /** Weight of a word's occurrences by column in BM25. */
  columnWeights: { title: 1, headings: 1, stems: 1 },
  /** Candidates per list. */
  listLength: 100,
  /** Weight of keyword coverage and of cosine where an embedder has no calibration of its own. */
  keywordWeight: 0.7,
  vectorWeight: 0.3,
  /** Cosine above which two passages say the same. */
  duplicateCosine: 0.85,
  /** Cosine above which a neighbour belongs to the passage, and how far it may grow. */
  neighbourCosine: 0.7,
  /** The same for an embedder with a calibration: spreads above its mean. */
  neighbourSpreads: 5,
  neighbourSteps: 3,
  /** Distinct words of a question that are searched for; a pasted page still finds its source by its first words. */
  maxQuestionWords: 60,
  /** Quoted phrases and marked numbers that are forced in, and the longest phrase in words. */
  maxPhrases: 8,
  maxPhraseWords: 30,
  /** Passages fetched for one phrase or marked number, unranked. */
  phraseListLength: 50,
  /** Fused candidates that are loaded with their text; ranking below that place never reaches a reader. */
  shortlistLength: 64,
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
  /** Meaning of a best passage that overrules it, see toMeaning, where an embedder has no threshold of its own. */
  relevantMeaning: 0.38,
  /** Spread of the built-in embedder's cosines with passages that have nothing to do with the question; its mean. */
  meaningSpread: 0.07,
  meaningMean: 0.04,
  /** Passages that a question is compared with to learn its background, and how few of them tell nothing. */
  backgroundPassages: 128,
  leastBackgroundPassages: 32,
  leastSpread: 0.01,
  /** Coverage of the best passage from which on meaning adds nothing. */
  decisiveCoverage: 0.36,
  /** Part of its meaning that stands for the coverage of a passage in the question's language … */
  sameLanguageStand: 0.35,
  /** … and that adds to the coverage of one in another, where only names and numbers can match and each counts more. */
  otherLanguageCredit: 0.5,
  otherLanguageWords: 1.6,
  /** An embedder can't be weighed as if words were nothing. */
  leastKeywordWeight: 0.2,
  /** Passages shown when nothing is relevant: the five that a reader looks through anyway. */
  nearestHits: 5,
  /** Best passages of which one must be relevant. */
  judgedHits: 3,
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
  /**
   * Share of the question's weight that the best sentence with its surroundings must hold, else the answer is refused; with
   * it, what is added for each part of a question of one word, for a sentence without a thing of the asked kind, and for
   * one that holds the question's names alone; and the most that all of these ask for.
   */
  leastExtractCoverage: 0.24,
  shortQuestionCoverage: 0.5,
  missingKindCoverage: 0.07,
  missingSubjectCoverage: 0.3,
  mostNeededCoverage: 0.85,
  /**
   * Nearness in meaning at which a sentence neither gains nor loses coverage, and from which on one of another language
   * answers; what meaning is worth in coverage, and coverage in meaning where the languages differ. Measured on XQuAD:
   * of Russian questions over English paragraphs 83 of 100 right sentences are kept, two of three wrong ones refused.
   */
  leastMeaning: 0.3,
  meaningCoverage: 0.7,
  /** What of both is asked beyond that where the search found nothing relevant. */
  doubtCoverage: 0.12,
  doubtMeaning: 0.05,
  coverageMeaning: 0.2,
  /** The same share above which a bare figure, date or name is given beside the sentence. */
  leastShortCoverage: 0.4,
  /** Share of the best sentence's score from which on another one may give it. */
  shortScoreShare: 0.9,
  /** Nearness in meaning from which on a sentence of another language gives it. */
  shortMeaning: 0.42,
  /** A further sentence must score this share of the best one. */
  extractScoreShare: 0.75,
  /** Bonus of a sentence that holds a thing of the asked kind. */
  askedKindBonus: 0.12,
  /** UTF-16 units at the top of a document in which lines such as "From: Anna" are a letter's head. */
  headerLength: 600,
  /** Factor for such a line where the question asks for nothing of the kind: it names the matter and answers nothing. */
  headerFactor: 0.6,
  /** Factor for a piece that says nothing beyond the question. */
  titleFactor: 0.6,
  /** Bonus of a sentence whose own heading holds the question's words. */
  headingBonus: 0.08,
  /** What nearness in meaning, in the units of `retrieve.meaningSpread`, adds to a sentence's score; where its language is another. */
  meaningShare: 0.5,
  otherLanguageMeaning: 1.2,
  /** How well a thing must fit the asked kind to be given as the bare answer, 0 to 1. */
  leastFit: 0.5,
  /** Share of the best fit below which another thing is no rival. */
  rivalFit: 0.6,
  /** How many times closer to the question's words than any rival the bare answer must stand. */
  shortLead: 1.15,
  /** How close to all of the question's words a name, or a figure, must stand, 0 to 1; on XQuAD three in four names are then right. */
  leastNameCloseness: 0.4,
  leastFigureCloseness: 0.2,
  /** Factor for a name behind "by" where somebody is asked for. */
  agentFactor: 1.3,
  /** The same share, names of the question left out, below which a sentence holds only the names. */
  leastSubjectCoverage: 0.2,
  /** Share of common words above which one sentence repeats another. */
  repeatShare: 0.7,
  /** Longest quote of one citation, UTF-16 units. */
  maxQuoteCharacters: 700,
  /** Units of evidence that are compared with the question by meaning. */
  maxEmbeddedUnits: 60,
  /** The same with the built-in embedder, which takes microseconds for each. */
  maxQuickUnits: 240,
} as const;

export const embed = {
  /** Tokens of one encoder run, padding included: on a CPU 500 to 1,000 are fastest, 4,096 lose a sixth to its caches. */
  batchTokens: 1024,
  /** The same on another device, which needs many to be busy. */
  deviceBatchTokens: 8192,
  /** A run blocks its thread: a question, a cancel and a sign of life wait for its end, so large models get fewer tokens. */
  runMs: 250,
  /** Largest tokenizer.json: vocabularies of 250,000 words take 17 to 33 MB. */
  maxTokenizerBytes: 64 * MIB,
  /** Difference of a device's vectors from the processor's, as a share of their length: half floats stay far below. */
  deviceTolerance: 0.05,
  /** Texts of one encoder run, so that thousands of one-word texts can be cancelled too. */
  batchTexts: 64,
  /** Tokenising goes on for so long before it looks at what else waits. */
  tokeniseMs: 20,
  /** A stretch of tokenising that takes longer hangs in a pattern of its file: 250,000 characters take a tenth of it on a busy machine. */
  tokeniseLimitMs: 5_000,
  /** Opening a tokenizer: a vocabulary of 250,000 words takes about a second. */
  tokenizerOpenMs: 30_000,
  /** UTF-16 units tokenised at a time: 200,000 in one piece take up to ten times as long as in many, or run out of stack. */
  tokenisePiece: 2048,
  /** Texts of one message to the model process: enough to sort by length, small enough to cancel. */
  requestTexts: 256,
  /** UTF-16 units read per token of the limit; the rest of a text would be cut anyway, so it is not tokenised. */
  unitsPerToken: 24,
  /** Chunks that catching up embeds and stores at a time. */
  catchUpChunks: 256,
  /** Best hits of a question whose documents count as asked for. */
  askedHits: 5,
  /** Documents that lack vectors, put in order at a time; a look at all of a large library takes a second. */
  catchUpDocuments: 5_000,
  /** Documents whose chunks are asked for together. */
  catchUpGroup: 32,
  /** Vectors dropped in one transaction: it holds the writer for some 20 ms. */
  dropVectors: 2_000,
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
