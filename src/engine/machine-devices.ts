/** Which devices could run models on this machine, which do, and which refused? Nothing is loaded to find out. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ModelDevice, ModelKind } from '../api/types.ts';

const encoders: ModelKind[] = ['embedder', 'reranker'];
const writers: ModelKind[] = ['generator'];
const all: ModelKind[] = [...encoders, ...writers];

interface Candidate {
  kind: string;
  serves: ModelKind[];
  /** Why the machine does not have it; undefined: it may. */
  lack?: string;
}

const hasFiles = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** By the system's own signs of a driver, which cost a look at the disk. */
function candidates(platform: NodeJS.Platform, arch: string): Candidate[] {
  if (platform === 'darwin') {
    const lack = arch === 'arm64' ? undefined : 'this Mac has no Apple chip';
    return [
      { kind: 'Metal', serves: writers, ...(lack ? { lack } : {}) },
      { kind: 'CoreML', serves: encoders, ...(lack ? { lack } : {}) },
    ];
  }
  if (platform === 'win32') {
    const hasCuda = existsSync('C:\\Windows\\System32\\nvcuda.dll');
    const hasVulkan = existsSync('C:\\Windows\\System32\\vulkan-1.dll');
    return [
      { kind: 'CUDA', serves: writers, ...(hasCuda ? {} : { lack: 'no NVIDIA driver is installed' }) },
      { kind: 'Vulkan', serves: writers, ...(hasVulkan ? {} : { lack: 'no Vulkan driver is installed' }) },
      { kind: 'DirectML', serves: encoders },
    ];
  }
  const hasCuda = existsSync('/proc/driver/nvidia/version');
  const hasVulkan = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d'].some(hasFiles);
  const noVulkan = hasVulkan ? {} : { lack: 'no Vulkan driver is installed' };
  return [
    { kind: 'CUDA', serves: all, ...(hasCuda ? {} : { lack: 'no NVIDIA driver is installed' }) },
    { kind: 'Vulkan', serves: writers, ...noVulkan },
    { kind: 'WebGPU', serves: encoders, ...noVulkan },
  ];
}

/** Files by which the systems tell of their drivers; folders stand for what is in them. */
const driverFiles = [
  '/proc/driver/nvidia/version',
  '/usr/share/vulkan/icd.d',
  '/etc/vulkan/icd.d',
  'C:\\Windows\\System32\\nvcuda.dll',
  'C:\\Windows\\System32\\vulkan-1.dll',
  'C:\\Windows\\System32\\DirectML.dll',
];

/**
 * Another text after the program, the system or a driver changed: a device that failed before is then worth another try.
 * @param version of the program
 * @param files looked at; default: those of this system's drivers
 */
export function driverStamp(version: string, files = driverFiles): string {
  const hash = createHash('sha256').update(
    [version, process.platform, process.arch, os.release()].join('\n'),
  );
  for (const file of files) for (const fact of factsOf(file)) hash.update(fact);
  return hash.digest('hex').slice(0, 16);
}

function factsOf(file: string): string[] {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.isDirectory())
      return readdirSync(file)
        .sort()
        .flatMap((name) => factsOf(path.join(file, name)));
    // The kernel's own files have neither size nor a time that means something.
    const facts = file.startsWith('/proc/') ? readFileSync(file, 'utf8') : `${stats.size} ${stats.mtimeMs}`;
    return [`${file} ${facts}\n`];
  } catch {
    return [];
  }
}

/** What loads have taught about devices. */
export interface Tried {
  /** Such as "CUDA (NVIDIA …)". */
  device: string;
  tried: { kind: string; outcome: string }[];
}

/** True where asking the drivers can tell more than the signs of their files. */
export function hasGraphics(platform = process.platform, arch = process.arch): boolean {
  return candidates(platform, arch).some(({ lack }) => lack === undefined);
}

/**
 * @param loads of models since the start, newest last
 * @param video memory of the graphics card that language models run on
 */
export function describeDevices(
  loads: Tried[],
  video: { totalBytes: number; freeBytes: number } | undefined,
  platform = process.platform,
  arch = process.arch,
): ModelDevice[] {
  const used = new Map(loads.map(({ device }) => [kindOf(device), device]));
  const outcomes = new Map(loads.flatMap(({ tried }) => tried.map(({ kind, outcome }) => [kind, outcome])));
  const processor: ModelDevice = {
    kind: 'CPU',
    serves: all,
    state: used.has('CPU') ? 'in-use' : 'available',
  };
  const others = candidates(platform, arch).map((candidate): ModelDevice => {
    const { kind, serves, lack } = candidate;
    const device = used.get(kind);
    const outcome = outcomes.get(kind);
    if (device !== undefined) {
      const name = /\((.+)\)$/.exec(device)?.[1];
      const memory =
        video && kind !== 'CoreML' ? { memoryBytes: video.totalBytes, freeMemoryBytes: video.freeBytes } : {};
      return { kind, serves, state: 'in-use', ...(name ? { name } : {}), ...memory };
    }
    if (lack !== undefined) return { kind, serves, state: 'absent', reason: lack };
    if (outcome !== undefined && outcome !== 'in use')
      return { kind, serves, state: 'failed', reason: outcome };
    return { kind, serves, state: outcome === undefined ? 'untried' : 'available' };
  });
  return [...others, processor];
}

const kindOf = (device: string): string => device.replace(/ \(.*$/, '');
