/** Which paths of the page's address reach a file, and of which type? */
import { describe, expect, it } from 'vitest';
import { pageFile, pageFileType } from '../../../src/main/page-file.ts';

describe('a path of the page', () => {
  it.each([
    ['/', 'index.html'],
    ['/frame.html', 'frame.html'],
    ['/assets/page.js', 'assets/page.js'],
    ['/assets/a/../page.js', 'assets/page.js'],
    ['/../../etc/passwd', 'etc/passwd'],
    ['/%2e%2e/%2e%2e/etc/passwd', 'etc/passwd'],
    ['/..%5c..%5cwindows', undefined],
    ['/a%00b', undefined],
    ['/%E0%A4%A', undefined],
  ])('%s means %s', (pathname, expected) => {
    expect(pageFile(pathname)).toBe(expected);
  });

  it.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['assets/pdf.worker.mjs', 'text/javascript; charset=utf-8'],
    ['pdfjs/wasm/openjpeg.wasm', 'application/wasm'],
    ['pdfjs/cmaps/78-EUC-H.bcmap', 'application/octet-stream'],
  ])('%s is %s', (relative, expected) => {
    expect(pageFileType(relative)).toBe(expected);
  });
});
