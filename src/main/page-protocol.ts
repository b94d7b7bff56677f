/** How does the desktop window load its page and documents? By a scheme of its own, never from file addresses. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { framePolicy, pagePolicy } from '../api/page-policy.ts';
import { type DocumentOpener, serveDocument } from '../engine/serve-document.ts';
import { pageFile, pageFileType } from './page-file.ts';

export const pageScheme = 'lectern';
export const pageOrigin = `${pageScheme}://app`;

/** Answers every request of the page's scheme: documents through the engine, the rest from the built page. */
export function handlePageRequests(pagePath: string, opener: DocumentOpener): void {
  protocol.handle(pageScheme, async (request) => {
    const url = new URL(request.url);
    if (url.host !== 'app') return new Response('Nothing stands here.', { status: 404 });
    const range = request.headers.get('range');
    const document = await serveDocument(opener, { method: request.method, pathname: url.pathname, range });
    if (document) return document;
    const relative = pageFile(url.pathname);
    const bytes = relative && (await readFile(path.join(pagePath, relative)).catch(() => undefined));
    if (!relative || !bytes) return new Response('Nothing stands here.', { status: 404 });
    return new Response(bytes, {
      headers: {
        'Content-Type': pageFileType(relative),
        'Content-Security-Policy': relative === 'frame.html' ? framePolicy : pagePolicy,
        'X-Content-Type-Options': 'nosniff',
      },
    });
  });
}
