/** How do pdf.js's fonts, character maps, decoders and colour profiles reach the page from our own origin? */
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const folders = ['cmaps', 'iccs', 'standard_fonts', 'wasm'];

/** Copies the folders of pdfjs-dist to `pdfjs/…` of the built page, and answers them there in development. */
export function pdfjsAssets(): Plugin {
  const source = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return {
    name: 'pdfjs-assets',
    async generateBundle() {
      for (const folder of folders) {
        for (const name of await readdir(path.join(source, folder))) {
          const bytes = await readFile(path.join(source, folder, name));
          this.emitFile({ type: 'asset', fileName: `pdfjs/${folder}/${name}`, source: bytes });
        }
      }
    },
    configureServer(server) {
      server.middlewares.use('/pdfjs/', (request, response, next) => {
        const [, folder, name] = (request.url ?? '').split('/');
        if (!folder || !name || !folders.includes(folder)) return next();
        createReadStream(path.join(source, folder, path.basename(name)))
          .once('error', next)
          .pipe(response);
      });
    },
  };
}
