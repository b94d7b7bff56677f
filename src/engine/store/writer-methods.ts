/** What does the writer thread carry out? */
import type { Database } from 'better-sqlite3';
import { checkIntegrity } from './check-integrity.ts';
import { writeExclusions } from './exclusions.ts';
import type { Synchronous } from './thread-calls.ts';
import type { StoreWriter } from './types.ts';
import { DocumentWriter } from './write-documents.ts';
import {
  addFolder,
  countAsked,
  markFolder,
  optimise,
  removeConversation,
  saveConversation,
  saveEvaluationRun,
  setSetting,
} from './write-records.ts';
import { addVectors, dropVectors, forgetVectorAdditions } from './write-vectors.ts';

/** Every method of StoreWriter over the one writing connection; first it sweeps what a crash left. */
export function writerMethods(db: Database): Synchronous<StoreWriter> {
  const documents = new DocumentWriter(db);
  documents.sweep();
  return {
    addFolder: (path, name) => addFolder(db, path, name),
    removeFolder: (id) => documents.removeFolder(id),
    setExclusions: (folderId, list) => writeExclusions(db, folderId, list),
    markFolder: (id, mark) => markFolder(db, id, mark),
    beginDocument: (folderId, file) => documents.beginDocument(folderId, file),
    appendBatch: (documentId, batch, vectors) => documents.appendBatch(documentId, batch, vectors),
    finishDocument: (documentId, result) => documents.finishDocument(documentId, result),
    failDocument: (documentId, failure) => documents.failDocument(documentId, failure),
    abandonDocument: (documentId) => documents.abandonDocument(documentId),
    writeDocuments: (folderId, list) => documents.writeDocuments(folderId, list),
    touchDocument: (documentId, file) => documents.touchDocument(documentId, file),
    distrust: (documentId) => documents.distrust(documentId),
    removeDocuments: (ids) => documents.removeDocuments(ids),
    addVectors: (fingerprint, dimensions, rows) => addVectors(db, fingerprint, dimensions, rows),
    dropVectors: (fingerprint, limit) => dropVectors(db, fingerprint, limit),
    forgetVectorAdditions: (below) => forgetVectorAdditions(db, below),
    countAsked: (documentIds) => countAsked(db, documentIds),
    saveConversation: (conversation) => saveConversation(db, conversation),
    removeConversation: (id) => removeConversation(db, id),
    saveEvaluationRun: (run) => saveEvaluationRun(db, run),
    setSetting: (key, value) => setSetting(db, key, value),
    checkIntegrity: () => checkIntegrity(db),
    optimise: () => optimise(db),
  };
}
