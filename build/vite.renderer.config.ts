/** How does the page become files that both shells serve from the root of one origin? */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = path.join(root, 'out/renderer');

/** What pdf.js loads while it draws: from our own origin, never from the network. */
const pdfjsFolders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];

export function copyPdfjsFolders(): Plugin {
  return {
    name: 'lectern:pdfjs-folders',
    apply: 'build',
    writeBundle(options) {
      for (const folder of pdfjsFolders) {
        const from = path.join(root, 'node_modules/pdfjs-dist', folder);
        cpSync(from, path.join(options.dir ?? outDir, 'pdfjs', folder), { recursive: true });
      }
    },
  };
}

export default defineConfig({
  root: path.join(root, 'src/renderer'),
  base: '/',
  plugins: [react(), copyPdfjsFolders()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'chrome130',
    // The page's policy has no data: for fonts and scripts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: {
        index: path.join(root, 'src/renderer/index.html'),
        frame: path.join(root, 'src/renderer/frame.html'),
      },
    },
  },
});
