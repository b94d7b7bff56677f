/** What can go wrong in words that a shell can act on? */

/** Every failed call carries one of these; the page chooses words and an action for each. */
export const errorCodes = [
  'BAD_REQUEST', // the input breaks the contract: mend the call
  'FOLDER_NOT_FOUND', // the folder is not there or can't be read
  'FOLDER_KNOWN', // the folder, or one around it, was added before
  'DOCUMENT_NOT_FOUND', // no indexed document has this identifier, or its file is gone
  'DOCUMENT_CHANGED', // the file is no longer the one that was indexed
  'DOCUMENT_UNREADABLE', // the file could not be parsed
  'LIBRARY_NEWER', // the library was written by a newer Lectern
  'LIBRARY_BUSY', // another process holds the library
  'LIBRARY_DAMAGED', // the library could not be opened and was set aside
  'MODEL_NOT_FOUND', // no such model is installed
  'MODEL_INVALID', // a model's files are missing, altered or not understood
  'MODEL_FAILED', // the model process died or refused
  'MODEL_TOO_LARGE', // the model does not fit this machine's memory
  'DOWNLOAD_FAILED', // the host could not be reached, or sent something else than it promised
  'QUESTIONS_INVALID', // a question file can't be read
  'RUN_NOT_FOUND', // no evaluation run has this identifier
  'ENGINE_GONE', // the engine process ended while a call was waiting
  'INTERNAL', // a defect in Lectern
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** A call failed. The message reads: what failed: which thing: what to do. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** Why a document, or a part of one, could not be read. Stored with the document and shown in the ledger. */
export const reasonCodes = [
  'empty', // zero bytes, or no page, sheet or text in it
  'no-text', // pages are pictures only: needs recognition
  'encrypted', // a password is needed
  'damaged', // the bytes break the format's rules
  'unsupported', // no parser reads this kind of content
  'too-large', // over a limit on size, cells, pages or expansion
  'timed-out', // the parse did not end within its time
  'out-of-memory', // the parse took more memory than allowed
  'crashed', // the parse ended its worker
  'unreadable', // the operating system refused to open the file
  'gone', // the file disappeared while it was read
  'bad-name', // the file's name can't be represented
] as const;

export type ReasonCode = (typeof reasonCodes)[number];
