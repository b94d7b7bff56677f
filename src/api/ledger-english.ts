/** What does the ledger say in English? Shared by the page and the command line. */
import type { LedgerCause, LedgerState } from './ledger.ts';
import type { LedgerColumn } from './ledger-csv.ts';
import type { DocumentKind } from './types.ts';

/** States of one document. */
const state: Record<LedgerState, string> = {
  indexed: 'Searchable',
  partly: 'Read in part',
  'scan-waiting': 'Waiting',
  protected: 'Protected',
  unsupported: 'Unknown kind',
  broken: 'Broken',
  'too-large': 'Too large',
  'timed-out': 'Took too long',
  unreadable: 'Not readable',
  excluded: 'Left out',
};

const why: Record<LedgerCause, string> = {
  empty: 'There is nothing in it.',
  'no-text': 'Its pages are pictures; their words must be recognised first.',
  encrypted: 'It is protected by a password.',
  damaged: 'The file is damaged.',
  unsupported: 'Lectern can’t read this kind of file.',
  'too-large': 'It is larger than Lectern reads.',
  'timed-out': 'Reading it took too long.',
  'out-of-memory': 'Reading it took too much memory.',
  crashed: 'Reading it failed badly, so it was set aside.',
  unreadable: 'This computer did not let Lectern open it.',
  gone: 'The file disappeared while it was being read.',
  'bad-name': 'Its name can’t be written in text.',
  'part-pictures': 'Some of its pages are pictures whose words are not recognised.',
  'part-over-limit': 'It is over a limit on size, so the rest of it was left out.',
  'part-damaged': 'A part of it is damaged.',
  'part-inside': 'Something inside it was not read.',
  'part-timed-out': 'Reading it took too long, so the rest of it was left out.',
  'part-protected': 'A part of it is protected by a password.',
  'part-unread': 'Some of it was not read.',
  hidden: 'Its name begins with a dot, as those of hidden files do.',
  system: 'Systems and programs keep it for themselves.',
  ignored: 'A rule in .gitignore or .lecternignore leaves it out.',
  link: 'It is a link that leads out of the folder, or nowhere.',
};

const divide = 'Divide it, or save the part that matters as a file of its own.';
const saveAnew = 'Open it in its own program and save it again, or get an intact copy.';

const todo: Record<LedgerCause, string> = {
  empty: 'If there should be words in it, get the right copy; if not, nothing is missing.',
  'no-text': 'Until they are, read it in the original.',
  encrypted: 'Save a copy without the password into the folder.',
  damaged: saveAnew,
  unsupported: 'Save it as PDF, Word, Excel, HTML or text if there are words in it.',
  'too-large': divide,
  'timed-out': 'Read it again when the computer is less busy, or divide it.',
  'out-of-memory': divide,
  crashed: saveAnew,
  unreadable: 'Check its permissions and whether another program has it open, then read it again.',
  gone: 'Read its folder again.',
  'bad-name': 'Give it another name.',
  'part-pictures': 'Look at these pages in the original.',
  'part-over-limit': divide,
  'part-damaged': saveAnew,
  'part-inside': 'Save what is inside as a file beside it.',
  'part-timed-out': 'Read it again when the computer is less busy, or divide it.',
  'part-protected': 'Save a copy without the password into the folder.',
  'part-unread': 'Look into the original for what is missing.',
  hidden: 'If it should be read, rename it.',
  system: 'If it should be read, give it another name or place.',
  ignored: 'If it should be read, change the rule.',
  link: 'If it should be read, put a copy into the folder, or add the place that it leads to.',
};

const kind: Record<DocumentKind, string> = {
  pdf: 'PDF',
  docx: 'Word',
  xlsx: 'Excel',
  csv: 'Table',
  html: 'Web page',
  markdown: 'Markdown',
  text: 'Text',
  code: 'Code',
  pptx: 'PowerPoint',
  odp: 'Slides (odp)',
  ppt: 'PowerPoint 97–2003',
  odt: 'Text (odt)',
  rtf: 'Rich text',
  doc: 'Word 97–2003',
  epub: 'Book',
  mhtml: 'Saved web page',
  xml: 'XML',
  notebook: 'Notebook',
  ods: 'Sheet (ods)',
  xls: 'Excel 97–2003',
  xlsb: 'Excel (xlsb)',
  database: 'Database',
  transcript: 'Transcript',
  note: 'Notes',
  mail: 'Mail',
  mailbox: 'Mailbox',
  archive: 'Archive',
  image: 'Picture',
};

const column: Record<LedgerColumn, string> = {
  folder: 'Folder',
  path: 'Path',
  title: 'Title',
  kind: 'Kind',
  state: 'State',
  why: 'Reason',
  todo: 'What to do',
  message: 'Message',
  sizeBytes: 'Size in bytes',
  modified: 'Changed',
  pages: 'Pages',
};

export const ledgerEnglish = { state, why, todo, kind, column };
