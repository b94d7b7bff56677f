/** How long does another program take, from its start to its end? */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProgramRun {
  ms: number;
  /** Processor time with that of its own programs, where the system tells; right while no other program of this process ends. */
  processorMs: number | undefined;
  stdout: string;
}

/** Ticks of a second in which Linux counts a process's time, on every machine that it runs on. */
const TICK_MS = 10;

/** Processor time of all programs that ended so far; Linux tells it in fields 16 and 17. */
function endedProgramsMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // The name in brackets may hold anything; the third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Runs a program to its end. Throws with its last words when it fails. */
export function runProgram(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const before = endedProgramsMs();
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
      const after = endedProgramsMs();
      const processorMs = before === undefined || after === undefined ? undefined : after - before;
      if (code === 0) resolve({ ms: performance.now() - start, processorMs, stdout });
      else reject(new Error(`${program} ${args.join(' ')} failed (${code}): ${stderr}`));
    });
  });
}
