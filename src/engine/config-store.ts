/** Which limits hold for the library: its database, its threads, its nearest-neighbour files? */

const KIB = 1024;
const MIB = 1024 * KIB;

export const store = {
  /** Reader threads; search runs on these, beside one more for vectors. */
  readers: 2,
  /** JavaScript heap of each thread for what was made just now: by default the writer's grows to 48 MB and stays so. */
  youngHeapMb: 12,
  /** SQLite waits this long for another connection before it gives up. */
  busyTimeoutMs: 10_000,
  /** Page cache of each connection. */
  cacheKib: 64 * KIB,
  /** Mapped part of the database file: reading pages without copying them. */
  mapBytes: 1024 * MIB,
  /** The same for the writer: it reads little but what it wrote last, and its map would be counted as memory once more. */
  writerCacheKib: 32 * KIB,
  writerMapBytes: 0,
  /** Index rows of a question's words that BM25 looks at; the commonest words beyond it are left out while rarer ones remain. */
  maxPostings: 6_000,
  /** Passages found by rarer words that are ordered again by the commonest, counted in their text; some 50 µs each. */
  rescoreDepth: 100,
  /** Chunks looked up one by one, 8 µs each, before the documents of a scope are read into memory. */
  scopeLookUps: 300,
  /** Scopes that a reader remembers. */
  rememberedScopes: 16,
  /** Paths of documents that are gone are forgotten when they are more than the others and this many. */
  foldedPathsSlack: 1_000,
  /** Different words of a question that are searched for; a pasted page holds a few hundred. */
  maxQueryTerms: 64,
  /** Index rows of a word that are read in the time of one more query of the same word: some 0.2 ms. */
  postingsPerQuery: 400,
  /** Term frequencies that a reader remembers. */
  frequencyCacheTerms: 100_000,
  /** Pages that one step of merging keyword segments writes; a step holds the writer for some 50 ms. */
  mergePages: 500,
  /** Steps of merging after a run at most. */
  maxMergeSteps: 2_000,
} as const;

/** Nearest-neighbour files, derived from the vectors. */
export const nearest = {
  /** Vectors of a fingerprint from which on there is a file; 10,000 are compared one by one in 6 ms. */
  leastVectors: 10_000,
  /** Packed vectors, one byte a value, that one reader holds and compares in one go (256 MB: 33 ms); above it there is a graph. */
  maxPackedBytes: 320 * MIB,
  /** Share of it down to which a graph is kept. */
  graphShare: 0.7,
  /** Share of the packed vectors from which on a scope is compared among all, not copied together first. */
  wideShare: 0.5,
  /** Chunks of a scope up to which its vectors are compared one by one. */
  exactChunks: 6_000,
  /** Passages of a library that all tell how near a question lies to any text, some 3 ms; of a larger one a sample does. */
  wholeBackground: 4_000,
  /** Neighbours of a vector in the graph (of 40,000 passages of random words 16 find 0.96 of the nearest, 32 0.99); looked at when one is added. */
  connectivity: 32,
  expansionAdd: 128,
  /** Looked at when one is sought: of those 40,000 passages 128 find 0.73 of the nearest, 768 0.97 in 4 ms, 1,536 0.99 in 6. */
  expansionSearch: 768,
  /** Asked for beyond what is wanted: scopes and documents that are gone take their share. */
  askFactor: 4,
  /** Neighbours asked for at most, 9 ms; a scope that leaves fewer than wanted of them is searched exactly. */
  maxAsked: 2_000,
  /** Vectors added since the file was built that are compared one by one before the file is extended: at least, and as a share. */
  leastAdded: 2_000,
  addedShare: 0.05,
  /** The same for packed vectors, which take in what is added as they are searched. */
  packedAddedShare: 0.1,
  /** Share from which on comparing them takes longer than comparing all: 4 µs each against 0.5. */
  maxAddedShare: 0.15,
  /** Vectors added to a file before it is put into use; about half a minute. */
  maxExtended: 20_000,
  /** Share of a file's vectors that an extension may replace; beyond it the file is built anew. */
  maxReplacedShare: 0.1,
  /** Share of vectors beyond the library's passages from which on the file is built anew without those that are gone. */
  goneShare: 0.3,
  /** Vectors added in one go, 60 ms, and the rest between two. */
  pageVectors: 256,
  restMs: 2,
  /** Wait after a change of the library before its files are looked over, and after opening it. */
  lookMs: 3_000,
  firstLookMs: 100,
  /** The thread ends after so long without work: longer than the wait, so that it lives through a run of indexing. */
  idleMs: 10_000,
  /** Of the thread that builds, where threads have a priority. */
  niceness: 10,
  hashPieceBytes: 1 * MIB,
} as const;
