/** `npm run desktop`: fetches Electron's binary once, after naming the host, and starts the desktop app. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const electron = path.join(root, 'node_modules', 'electron');

if (!existsSync(path.join(electron, 'path.txt'))) {
  const { version } = JSON.parse(readFileSync(path.join(electron, 'package.json'), 'utf8')) as {
    version: string;
  };
  const host = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases';
  console.log(`Fetching Electron ${version} from ${host}; its checksums stand in the package itself.`);
  const fetched = spawnSync(process.execPath, [path.join(electron, 'install.js')], { stdio: 'inherit' });
  if (fetched.status !== 0 || !existsSync(path.join(electron, 'path.txt'))) {
    console.error(
      'Fetching Electron failed: check the connection, or use "npm start", which opens a browser.',
    );
    process.exit(1);
  }
}
const started = spawnSync(process.execPath, [path.join(root, 'build/start.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = started.status ?? 1;
