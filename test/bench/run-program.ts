/** How long does another program take, from its start to its end? */
import { spawn } from 'node:child_process';

export interface ProgramRun {
  ms: number;
  stdout: string;
}

/** Runs a program to its end. Throws with its last words when it fails. */
export function runProgram(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      stderr = (stderr + data.toString()).slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ ms: performance.now() - start, stdout });
      else reject(new Error(`${program} ${args.join(' ')} failed (${code}): ${stderr}`));
    });
  });
}
