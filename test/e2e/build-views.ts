/** Where do the document views stand, built for the tests that mount them alone? */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { copyPdfjsFolders } from '../../build/vite.renderer.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = path.join(root, 'out', 'test-views');
const entry = 'test/e2e/page/mount.tsx';
const sources = [
  'src/renderer',
  'src/api',
  entry,
  'test/e2e/build-views.ts',
  'build/vite.renderer.config.ts',
  'package-lock.json',
];

/**
 * Folder with every view, its script `mount.js`. Built once for each state of the sources, whatever the number of test
 * files: the folder is named by their newest change, made aside and put in place in one step.
 */
export async function buildViews(): Promise<string> {
  const newest = Math.max(
    ...(await Promise.all(sources.map((source) => newestChange(path.join(root, source))))),
  );
  const folder = path.join(cache, String(Math.round(newest)));
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const aside = path.join(cache, `making-${randomUUID()}`);
  await buildInto(aside);
  try {
    await rename(aside, folder);
  } catch (error) {
    // Another test file was faster: its folder holds the same.
    if (!existsSync(folder)) throw error;
    await rm(aside, { recursive: true, force: true });
  }
  await removeOld(folder);
  return folder;
}

async function newestChange(place: string): Promise<number> {
  const found = await stat(place);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
  const changes = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(0, ...changes);
}

/** Builds of earlier states, once no running test can still be served from them. */
async function removeOld(current: string): Promise<void> {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(cache)) {
    const old = path.join(cache, name);
    if (old === current) continue;
    const found = await stat(old).catch(() => undefined);
    if (found && found.mtimeMs < hourAgo) await rm(old, { recursive: true, force: true });
  }
}

async function buildInto(folder: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [react(), copyPdfjsFolders()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'es2023',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: path.join(root, entry),
        output: { entryFileNames: 'mount.js' },
      },
    },
  });
}
