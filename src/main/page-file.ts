/** Which file of the built page does a path of its address mean, and of which type is it? */
import path from 'node:path';

/** A relative path inside the page's folder, or undefined for anything that would leave it. */
export function pageFile(pathname: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const normal = path.posix.normalize(decoded).replace(/^\/+/, '');
  if (normal === '..' || normal.startsWith('../')) return undefined;
  return normal === '' || normal === '.' ? 'index.html' : normal;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
};

/** Content type of a file of the page; anything else is bytes. */
export function pageFileType(relative: string): string {
  return types[path.posix.extname(relative)] ?? 'application/octet-stream';
}
