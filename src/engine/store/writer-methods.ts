/** What does the writer thread carry out? */
import type { Database } from 'better-sqlite3';
import { checkIntegrity } from './check-integrity.ts';
import type { Synchronous } from './thread-calls.ts';
import type { StoreWriter } from './types.ts';
import { DocumentWriter } from './write-documents.ts';
import {
  addFolder,
  addVectors,
  markFolder,
  optimise,
  removeConversation,
  saveConversation,
  saveEvaluationRun,
  setSetting,
} from './write-records.ts';

/** Every method of StoreWriter over the one writing connection; first it sweeps what a crash left. */
export function writerMethods(db: Database): Synchronous<StoreWriter> {
  const documents = new DocumentWriter(db);
  documents.sweep();
  return {
    addFolder: (path, name) => addFolder(db, path, name),
    removeFolder: (id) => documents.removeFolder(id),
    markFolder: (id, mark) => markFolder(db, id, mark),
    beginDocument: (folderId, file) => documents.beginDocument(folderId, file),
    appendBatch: (documentId, batch) => documents.appendBatch(documentId, batch),
    finishDocument: (documentId, result) => documents.finishDocument(documentId, result),
    failDocument: (documentId, failure) => documents.failDocument(documentId, failure),
    abandonDocument: (documentId) => documents.abandonDocument(documentId),
    touchDocument: (documentId, file) => documents.touchDocument(documentId, file),
    removeDocuments: (ids) => documents.removeDocuments(ids),
    addVectors: (fingerprint, dimensions, rows) => addVectors(db, fingerprint, dimensions, rows),
    saveConversation: (conversation) => saveConversation(db, conversation),
    removeConversation: (id) => removeConversation(db, id),
    saveEvaluationRun: (run) => saveEvaluationRun(db, run),
    setSetting: (key, value) => setSetting(db, key, value),
    checkIntegrity: () => checkIntegrity(db),
    optimise: () => optimise(db),
  };
}
