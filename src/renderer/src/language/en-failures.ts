/** What does the page say in English of what failed? */

export const enFailures = {
  failure: {
    BAD_REQUEST: 'Lectern did not understand this.',
    FOLDER_NOT_FOUND: 'This folder is not there, or can’t be read.',
    FOLDER_KNOWN: 'This folder is in the library already, by itself or inside another.',
    DOCUMENT_NOT_FOUND: 'This document is no longer there.',
    DOCUMENT_CHANGED: 'This file changed since it was read.',
    DOCUMENT_UNREADABLE: 'This document could not be read.',
    LIBRARY_NEWER: 'This library was written by a newer Lectern. Install the newer version to open it.',
    LIBRARY_BUSY: 'Another Lectern is using this library. Close it and try again.',
    LIBRARY_DAMAGED: 'The library was damaged. It was set aside and is being built anew.',
    MODEL_NOT_FOUND: 'This model is not installed.',
    MODEL_INVALID: 'This model’s files are missing or altered.',
    MODEL_FAILED: 'The model stopped before it was done.',
    MODEL_TOO_LARGE: 'This model needs more memory than this computer has free.',
    DOWNLOAD_FAILED:
      'The download stopped: the host could not be reached, or sent something else than it promised.',
    QUESTIONS_INVALID: 'This list of questions can’t be read.',
    RUN_NOT_FOUND: 'This test run is no longer there.',
    ENGINE_GONE: 'The reading engine stopped before it was done.',
    INTERNAL: 'Something went wrong in Lectern.',
  },
  failureAction: {
    again: 'Try again',
    change: 'Change it',
    choose: 'Choose another folder',
    ledger: 'See all documents',
    'read-again': 'Read it again',
    models: 'See the models',
    reconnect: 'Try again',
    reload: 'Load the page again',
  },
};
