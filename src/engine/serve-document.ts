/** How does a document's part become an HTTP response, with ranges, for both shells? */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { AppError } from '../api/errors.ts';
import type { DocumentPart, OpenedDocument } from './open-document.ts';

export interface DocumentOpener {
  openDocument(id: number, part: DocumentPart): Promise<OpenedDocument>;
}

/** Sent with every document: the bytes are data, whatever they claim to be. */
const documentHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Accept-Ranges': 'bytes',
};

/** Path of a part's URL, relative to the page's origin. */
export function documentUrl(id: number, part: DocumentPart): string {
  return `/documents/${id}/${part}`;
}

/** Answers GET and HEAD of `/documents/<id>/original|view`; undefined for any other path. */
export async function serveDocument(
  opener: DocumentOpener,
  request: { method: string; pathname: string; range?: string | null },
): Promise<Response | undefined> {
  const match = /^\/documents\/(\d{1,15})\/(original|view)$/.exec(request.pathname);
  if (!match) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only reading is possible.');
  let opened: OpenedDocument;
  try {
    opened = await opener.openDocument(Number(match[1]), match[2] as DocumentPart);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return plain(error.code === 'DOCUMENT_NOT_FOUND' ? 404 : 422, error.message);
  }
  return respond(opened, request);
}

function respond(opened: OpenedDocument, request: { method: string; range?: string | null }): Response {
  const headers = new Headers({
    ...documentHeaders,
    'Content-Type': opened.type,
    'Content-Disposition': `${disposition(opened.type)}; filename*=UTF-8''${encodeURIComponent(opened.name)}`,
  });
  const range = readRange(request.range, opened.sizeBytes);
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${opened.sizeBytes}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: opened.sizeBytes };
  headers.set('Content-Length', String(end - start));
  if (range) headers.set('Content-Range', `bytes ${start}-${end - 1}/${opened.sizeBytes}`);
  const status = range ? 206 : 200;
  if (request.method === 'HEAD' || end === start) return new Response(null, { status, headers });
  const stream = createReadStream(opened.path, { start, end: end - 1 });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers });
}

/** Only PDF is shown by a browser itself; everything else is saved. */
function disposition(type: string): 'inline' | 'attachment' {
  return type === 'application/pdf' ? 'inline' : 'attachment';
}

/** One byte range as a half-open interval; several ranges or other units are answered with the whole (RFC 9110 §14.2). */
export function readRange(
  header: string | null | undefined,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const suffix = Math.min(Number(match[2]), sizeBytes);
    return suffix === 0 ? 'unsatisfiable' : { start: sizeBytes - suffix, end: sizeBytes };
  }
  const start = Number(match[1]);
  if (start >= sizeBytes) return 'unsatisfiable';
  const end = match[2] === '' ? sizeBytes : Math.min(Number(match[2]) + 1, sizeBytes);
  return end <= start ? undefined : { start, end };
}

function plain(status: number, message: string): Response {
  return new Response(message, {
    status,
    headers: { ...documentHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
