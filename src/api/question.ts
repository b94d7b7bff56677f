/** How long may a question be, and to which kinds of document can it be narrowed? Plain values, so that the page needs no validator for them. */

/** Longest question that is taken, in UTF-16 units; longer input is refused by name. */
export const questionMaxLength = 10_000;

/** In the order in which they are offered. */
export const documentKinds = [
  'pdf',
  'docx',
  'doc',
  'odt',
  'rtf',
  'xlsx',
  'xlsb',
  'xls',
  'ods',
  'csv',
  'database',
  'pptx',
  'ppt',
  'odp',
  'mail',
  'mailbox',
  'archive',
  'html',
  'mhtml',
  'epub',
  'xml',
  'markdown',
  'notebook',
  'note',
  'text',
  'transcript',
  'code',
  'image',
] as const;
