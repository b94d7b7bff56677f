/** How long may a question be, and to which kinds of document can it be narrowed? Plain values, so that the page needs no validator for them. */

/** Longest question that is taken, in UTF-16 units; longer input is refused by name. */
export const questionMaxLength = 10_000;

/** In the order in which they are offered. */
export const documentKinds = ['pdf', 'docx', 'xlsx', 'csv', 'html', 'markdown', 'text', 'code'] as const;
