/** `npm start`: reads the sample library at the first start, then opens the desktop app where its binary is there, else a browser. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPage } from './build-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const usage = 'npm start -- [--folder DIR] [--ask "QUESTION"] [--library DIR] [--port N] [--browser]';

function readOptions() {
  try {
    return parseArgs({
      options: {
        folder: { type: 'string' },
        ask: { type: 'string' },
        library: { type: 'string' },
        port: { type: 'string' },
        browser: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message.split('.')[0]}. Use: ${usage}`);
    process.exit(2);
  }
}

const values = readOptions();

/** Path of Electron's binary, judged by the files of its package: requiring the package would start a download. */
function electronBinary(): string | undefined {
  const electron = path.join(root, 'node_modules', 'electron');
  const pointer = path.join(electron, 'path.txt');
  if (!existsSync(pointer)) return undefined;
  const binary = path.join(electron, 'dist', readFileSync(pointer, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}

function run(command: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // One allocation arena: glibc's many keep hundreds of megabytes after large documents.
    const env = { ...process.env, MALLOC_ARENA_MAX: '1' };
    const child = spawn(command, args, { stdio: 'inherit', cwd: root, env });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)),
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  });
}

const cli = (...args: string[]): Promise<number> =>
  run(process.execPath, [path.join(root, 'src/cli/main.ts'), ...args]);

const library = values.library === undefined ? [] : ['--library', values.library];
const sample = path.join(root, 'resources', 'sample-library');

/** Once for each checkout: how to get the window of its own. */
function tellOfDesktop(): void {
  const told = path.join(root, 'out', 'desktop-was-told');
  if (existsSync(told)) return;
  console.log(
    'The desktop app is not on this machine yet: "npm run desktop" fetches it once (the host is shown first).',
  );
  mkdirSync(path.dirname(told), { recursive: true });
  writeFileSync(told, '');
}

async function start(): Promise<number> {
  const folder = values.folder === undefined ? sample : path.resolve(values.folder);
  const indexed = await cli('index', folder, ...library);
  if (indexed !== 0) return indexed;
  if (values.ask !== undefined) return cli('ask', values.ask, ...library, '--folder', folder);
  const electron = values.browser || values.library !== undefined ? undefined : electronBinary();
  if (electron) {
    const built = await run(process.execPath, [
      path.join(root, 'node_modules/electron-vite/bin/electron-vite.js'),
      'build',
    ]);
    return built === 0 ? run(electron, [root]) : built;
  }
  await buildPage();
  tellOfDesktop();
  return cli('serve', '--open', ...library, ...(values.port === undefined ? [] : ['--port', values.port]));
}

process.exitCode = await start();
