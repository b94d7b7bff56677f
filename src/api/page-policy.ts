/** What may the page load and run? The same policy in both shells. */

/** The page itself: its own scripts, WebAssembly for pdf.js, its own origin only. Inline styles are set by script on elements. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data: blob:",
  "frame-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The blank frame that foreign HTML and DOCX are shown in: no script, nothing but inline data and the product's own faces. */
export const framePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "font-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
