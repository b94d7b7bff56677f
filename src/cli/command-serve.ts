/** `lectern serve`: the page in a browser on this machine. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../api/errors.ts';
import { startBrowserShell } from '../server/server.ts';
import { pagePath } from './place.ts';
import { type LibraryOption, print, withEngine } from './with-engine.ts';

interface ServeOptions extends LibraryOption {
  port: number;
  folder?: string;
  open?: boolean;
}

export async function serve(options: ServeOptions): Promise<void> {
  if (!existsSync(path.join(pagePath, 'index.html'))) {
    throw new AppError(
      'BAD_REQUEST',
      `Opening the page failed: ${pagePath}: it isn't built; run "npm start".`,
    );
  }
  await withEngine(
    options,
    async (engine, signal) => {
      if (options.folder !== undefined) {
        const folder = path.resolve(options.folder);
        const isKnown = (await engine.store.folders()).some((known) => known.path === folder);
        if (!isKnown) engine.inBackground(engine.folders.index((await engine.folders.add(folder)).id));
      }
      const shell = await startBrowserShell({ engine, pagePath, port: options.port });
      const url = shell.launchUrl();
      print(`Lectern is open at ${url}`);
      print('The address works once and on this machine only. Ctrl-C ends Lectern.');
      if (options.open) openBrowser(url);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await shell.close();
    },
    { refreshAtStart: true },
  );
}

/** Opens a window of its own in a Chromium where one is found and there is a screen; else the printed address must do. */
function openBrowser(url: string): void {
  const hasScreen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const browser = hasScreen ? chromiumCandidates().find((candidate) => existsSync(candidate)) : undefined;
  if (!browser) return;
  const profile = path.join(os.tmpdir(), `lectern-window-${process.pid}`);
  spawn(browser, [`--app=${url}`, `--user-data-dir=${profile}`, '--no-first-run', '--disable-sync'], {
    detached: true,
    stdio: 'ignore',
  })
    .on('error', () => print('No browser window could be opened: use the address above.'))
    .unref();
}

function chromiumCandidates(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const roots = [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA];
    return roots.flatMap((root) =>
      root
        ? [
            path.join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
            path.join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
          ]
        : [],
    );
  }
  return ['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge'].map(
    (name) => `/usr/bin/${name}`,
  );
}
