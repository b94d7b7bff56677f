/** What does a reader thread answer? */
import type { Database } from 'better-sqlite3';
import { countExclusions, readExclusions } from './exclusions.ts';
import { readCoverage, readLedgerCounts } from './ledger-conditions.ts';
import { readMeta } from './meta.ts';
import { NearestFiles } from './nearest-search.ts';
import {
  readChunkCount,
  readContentHash,
  readCounts,
  readDocument,
  readDocumentByPath,
  readDocuments,
  readFolders,
  readKnownFiles,
  readKnownMembers,
  readMemberCounts,
  readOrphans,
} from './read-documents.ts';
import { readConversation, readConversations, readEvaluationRun, readSetting } from './read-records.ts';
import {
  readBlocks,
  readBlocksOf,
  readChunks,
  readChunksByOrdinal,
  readSheetRows,
  readSheets,
} from './read-text.ts';
import {
  readChunksWithoutVector,
  readDocumentsWithoutVectors,
  readFingerprints,
  readVectorCoverage,
} from './read-vectors.ts';
import { Scopes } from './scope-extent.ts';
import { KeywordSearch } from './search-keywords.ts';
import { VectorSearch } from './search-vectors.ts';
import type { Synchronous } from './thread-calls.ts';
import type { StoreReader } from './types.ts';

/** Every method of StoreReader over one connection; each call sees one state of the library. */
export function readerMethods(
  db: Database,
  library: { path: string; nearestVersion: Int32Array },
): Synchronous<StoreReader> {
  const scopes = new Scopes(db);
  const keywords = new KeywordSearch(db, scopes);
  const vectors = new VectorSearch(db, scopes, new NearestFiles(db, library.path, library.nearestVersion));
  const methods: Synchronous<StoreReader> = {
    folders: () => readFolders(db),
    knownFiles: (folderId, afterId, limit) => readKnownFiles(db, folderId, afterId, limit),
    knownMembers: (folderId, container, afterId, limit) =>
      readKnownMembers(db, folderId, container, afterId, limit),
    memberCounts: (folderId, after, limit) => readMemberCounts(db, folderId, after, limit),
    orphans: (folderId, limit) => readOrphans(db, folderId, limit),
    documents: (query) => readDocuments(db, query, query.scope && scopes.extent(query.scope)),
    ledgerCounts: (part) => ({
      ...readLedgerCounts(db, part, part.scope && scopes.extent(part.scope)),
      excluded: part.scope ? 0 : countExclusions(db, part),
    }),
    exclusions: (query) => readExclusions(db, query),
    document: (id) => readDocument(db, id),
    documentByPath: (path) => readDocumentByPath(db, path),
    contentHash: (documentId) => readContentHash(db, documentId),
    sheets: (documentId) => readSheets(db, documentId),
    sheetRows: (documentId, sheet, from, count) => readSheetRows(db, documentId, sheet, from, count),
    counts: (scope) => readCounts(db, scopes.extent(scope)),
    coverage: (scope) => readCoverage(db, readCounts(db, scopes.extent(scope)), scopes.extent(scope)),
    chunkCount: () => readChunkCount(db),
    generation: () => readMeta(db, 'generation'),
    keywordCandidates: (query, scope, limit) => keywords.candidates(query, scope, limit),
    phraseCandidates: (words, scope, limit) => keywords.phrases(words, scope, limit),
    vectorCandidates: (fingerprint, vector, scope, limit) =>
      vectors.candidates(fingerprint, vector, scope, limit),
    cosines: (fingerprint, vector, chunkIds) => vectors.cosines(fingerprint, vector, chunkIds),
    cosinesAnywhere: (fingerprint, vector, count) => vectors.cosinesAnywhere(fingerprint, vector, count),
    vectors: (fingerprint, chunkIds) => vectors.vectors(fingerprint, chunkIds),
    chunks: (ids) => readChunks(db, ids),
    chunksByOrdinal: (documentId, from, to) => readChunksByOrdinal(db, documentId, from, to),
    blocks: (documentId, start, end) => readBlocks(db, documentId, start, end),
    blocksOf: (ranges) => readBlocksOf(db, ranges),
    vectorCoverage: (fingerprint) => readVectorCoverage(db, fingerprint),
    documentsWithoutVectors: (fingerprint, limit) => readDocumentsWithoutVectors(db, fingerprint, limit),
    chunksWithoutVector: (fingerprint, documentIds, limit) =>
      readChunksWithoutVector(db, fingerprint, documentIds, limit),
    fingerprints: () => readFingerprints(db),
    conversations: (limit) => readConversations(db, limit),
    conversation: (id) => readConversation(db, id),
    evaluationRun: (id) => readEvaluationRun(db, id),
    setting: (key) => readSetting(db, key),
  };
  return inTransactions(db, methods);
}

/** A call of several statements must not see a document come or go between them. */
function inTransactions(db: Database, methods: Synchronous<StoreReader>): Synchronous<StoreReader> {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    db.transaction(method as (...args: unknown[]) => unknown).deferred,
  ]);
  return Object.fromEntries(wrapped) as Synchronous<StoreReader>;
}
