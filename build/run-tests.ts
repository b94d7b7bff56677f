/** `npm test`: linter, types, dead code, then every test that can run here; ends with one line of counts. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const isFull = process.argv.includes('--full');

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function run(name: string, script: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  console.log(
    `── ${name}: ${result.status === 0 ? 'good' : 'FAILED'}, ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return result.status === 0;
}

/** The browser tests need a Chromium; Debian's is installed where none is found and it may be. */
function provideChromium(): void {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const isThere = places.some((place) => existsSync(place)) || process.platform !== 'linux';
  if (isThere || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log('── installing chromium for the browser tests');
  spawnSync('apt-get', ['update'], { stdio: 'ignore' });
  const packages = ['chromium', 'fonts-dejavu-core'];
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function runSuites(): Counts {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-test-'));
  const report = path.join(folder, 'report.json');
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const isGood = run('tests', 'vitest/vitest.mjs', args, isFull ? { LECTERN_FULL: '1' } : {});
  const counts: Counts = { passed: 0, failed: isGood ? 0 : 1, skipped: 0 };
  if (existsSync(report)) {
    const summary = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    counts.passed = summary.numPassedTests ?? 0;
    counts.failed = Math.max(summary.numFailedTests ?? 0, counts.failed);
    counts.skipped = summary.numPendingTests ?? 0;
  }
  rmSync(folder, { recursive: true });
  return counts;
}

provideChromium();
await buildPage();
const checks = [
  run('lint', '@biomejs/biome/bin/biome', ['check', '--config-path=build/lint.json', '.']),
  run('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']),
  run('types of the page', 'typescript/bin/tsc', ['-p', 'build/tsconfig.renderer.json']),
  run('dead code', 'knip/bin/knip.js', ['--config', 'build/knip.json']),
];
const counts = runSuites();
const passed = counts.passed + checks.filter(Boolean).length;
const failed = counts.failed + checks.filter((isGood) => !isGood).length;
console.log(`\n${passed} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
