/** What does a PDF say of itself: title, author, date? */
import type { DocumentMetadata } from '../../document.ts';
import type { PdfiumDocument } from './pdfium.ts';
import { cleanText } from './pdfium-text.ts';

const maxLength = 300; // characters; longer titles are abused fields

/** Metadata from the document's information dictionary; fields that hold nothing usable are absent. */
export function readProperties(document: PdfiumDocument): DocumentMetadata {
  const metadata: DocumentMetadata = { kind: 'pdf', pages: document.pageCount };
  const title = cleanTitle(document.property('Title'));
  const author = clean(document.property('Author'));
  const date = isoDate(document.property('CreationDate')) ?? isoDate(document.property('ModDate'));
  if (title) metadata.title = title;
  if (author) metadata.author = author;
  if (date) metadata.date = date;
  return metadata;
}

function clean(text: string): string {
  return [...cleanText(text)].slice(0, maxLength).join('');
}

/** Programs fill the title with the name of the file that they printed, or with nothing at all. */
export function cleanTitle(text: string): string | undefined {
  const title = clean(text).replace(/^Microsoft (?:Word|PowerPoint|Excel) - /i, '');
  if (/\.(?:docx?|pptx?|xlsx?|odt|rtf|indd|tex|dvi|qxd|pdf|txt|html?)$/i.test(title)) return undefined;
  if (/^(?:about:blank|https?:.*|file:.*)$/i.test(title)) return undefined;
  if (/^(?:untitled|без названия|document\d*|презентация.*|powerpoint presentation|slide 1)$/i.test(title))
    return undefined;
  return /\p{L}{2}/u.test(title) ? title : undefined;
}

/** PDF 32000-1, 7.9.4: D:YYYYMMDDHHmmSS; the day is enough. */
export function isoDate(text: string): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?/.exec(text.trim());
  if (!found) return undefined;
  const date = `${found[1]}-${found[2] ?? '01'}-${found[3] ?? '01'}`;
  const isReal = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
  return isReal && Number(found[1]) > 1900 ? date : undefined;
}
