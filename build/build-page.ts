/** Is the built page as new as its source? Builds it when it is not. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function newest(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs),
      0,
    );
}

/** Builds the page into out/renderer unless nothing changed since it was built. */
export async function buildPage(): Promise<void> {
  const built = path.join(root, 'out', 'renderer', 'index.html');
  const config = path.join(root, 'build', 'vite.renderer.config.ts');
  const sources = ['src/renderer', 'src/api'].map((folder) => path.join(root, folder));
  const newestSource = Math.max(
    ...sources.map(newest),
    statSync(config).mtimeMs,
    statSync(path.join(root, 'package-lock.json')).mtimeMs,
  );
  if (existsSync(built) && statSync(built).mtimeMs > newestSource) return;
  const { build } = await import('vite');
  await build({ configFile: config, logLevel: 'warn' });
}
