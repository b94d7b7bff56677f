/** How is the desktop application bundled? One file for each process and thread, the page as in the browser shell. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import page from './build/vite.renderer.config.ts';

const source = (relative: string): string => fileURLToPath(new URL(`src/${relative}`, import.meta.url));

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rollupOptions: {
        input: {
          main: source('main/main.ts'),
          'engine-process': source('main/engine-process.ts'),
          'index-worker': source('engine/index-worker.ts'),
          'writer-thread': source('engine/store/writer-thread.ts'),
          'reader-thread': source('engine/store/reader-thread.ts'),
          'nearest-thread': source('engine/store/nearest-thread.ts'),
          'model-process': source('engine/model-process.ts'),
          'starter-thread': source('engine/starter-thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is loaded as CommonJS and can require nothing but electron.
      externalizeDeps: false,
      rollupOptions: {
        input: { preload: source('preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: page,
});
