/** On what was it measured? */
import { execFileSync, spawnSync } from 'node:child_process';
import os from 'node:os';

export interface Machine {
  processor: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  /** Runnable processes in the last minute: beyond the number of cores, times are those of a busy machine. */
  load: number;
  commit: string;
}

export function describeMachine(): Machine {
  return {
    processor: os.cpus()[0]?.model ?? 'unknown processor',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    load: os.loadavg()[0] ?? 0,
    commit: commit(),
  };
}

function commit(): string {
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' });
  return git.status === 0 ? git.stdout.trim() : 'no repository';
}

export function machineInWords({ processor, cores, memoryGb, system, node, load, commit }: Machine): string {
  const busy = load > cores ? `; BUSY: trust the ratios, not the times` : '';
  return `${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, commit ${commit}, load ${load.toFixed(1)}${busy}`;
}

/** Whether a program can be started by this name. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
