/** Is everything that Lectern runs on in order? */
import { access, constants, statfs } from 'node:fs/promises';
import os from 'node:os';
import type { ModelInfo } from '../api/types.ts';
import { doctor as limits } from './config.ts';
import type { EngineParts } from './engine.ts';
import { bytesInWords } from './models/bytes-in-words.ts';

export interface Check {
  name: string;
  isGood: boolean;
  /** What was found, and what to do where it is not good. */
  detail: string;
}

export interface DoctorReport {
  checks: Check[];
}

/** Looks at the machine, the library and the models. Slow for a large library: every page of it is read. */
export async function examine(parts: EngineParts): Promise<DoctorReport> {
  return {
    checks: [
      {
        name: 'program',
        isGood: true,
        detail: `Lectern ${parts.version}, Node ${process.version}, ${process.platform} ${process.arch}`,
      },
      checkMemory(),
      await checkLibraryFolder(parts.libraryPath),
      await checkLibrary(parts),
      ...(await checkFolders(parts)),
      ...(await checkModels(parts)),
      ...(await checkDevices(parts)),
    ],
  };
}

function checkMemory(): Check {
  const freeGib = os.freemem() / 1024 ** 3;
  return {
    name: 'machine',
    isGood: true,
    detail: `${os.availableParallelism()} processors, ${freeGib.toFixed(1)} GiB of memory free`,
  };
}

async function checkLibraryFolder(libraryPath: string): Promise<Check> {
  const canWrite = await access(libraryPath, constants.W_OK).then(
    () => true,
    () => false,
  );
  const { bavail, bsize } = await statfs(libraryPath);
  const freeBytes = bavail * bsize;
  const isGood = canWrite && freeBytes >= limits.minFreeDiskBytes;
  const advice = canWrite ? 'free some space' : 'it can’t be written to; check its permissions';
  return {
    name: 'library folder',
    isGood,
    detail: `${libraryPath}, ${(freeBytes / 1024 ** 3).toFixed(1)} GiB free${isGood ? '' : `: ${advice}`}`,
  };
}

async function checkLibrary({ store }: EngineParts): Promise<Check> {
  const [report, chunks, counts] = await Promise.all([
    store.checkIntegrity(),
    store.chunkCount(),
    store.counts({ includeArchived: true }),
  ]);
  const orphans = Object.entries(report.orphans).filter(([, found]) => found > 0);
  const faults = [...report.faults, ...orphans.map(([kind, found]) => `${found} orphaned ${kind}`)];
  return {
    name: 'library',
    isGood: report.isWhole,
    detail: report.isWhole
      ? `${counts.indexed} documents searchable, ${counts.waiting} waiting, ${counts.failed} failed; ${chunks} passages; whole`
      : `${faults.join('; ')}: move the library away and index the folders again`,
  };
}

async function checkFolders({ store }: EngineParts): Promise<Check[]> {
  const folders = await store.folders();
  return Promise.all(
    folders.map(async ({ name, path }) => {
      const isGood = await access(path, constants.R_OK).then(
        () => true,
        () => false,
      );
      return {
        name: `folder ${name}`,
        isGood,
        detail: isGood ? path : `${path}: it can't be reached; its documents stay`,
      };
    }),
  );
}

async function checkModels({ modelManager }: EngineParts): Promise<Check[]> {
  const found = await modelManager.check();
  if (found.length === 0) {
    return [{ name: 'models', isGood: true, detail: 'none installed: questions are searched by words' }];
  }
  return found.map((model) => ({
    name: `model ${model.id}`,
    isGood: model.state === 'ready',
    detail: model.message ?? modelInWords(model),
  }));
}

function modelInWords({ path, device, isInUse, isVerified, memoryBytes, coverage }: ModelInfo): string {
  const facts = [
    isInUse ? 'in use' : 'not in use',
    device ? `on ${device}` : '',
    memoryBytes ? `${bytesInWords(memoryBytes)} of memory` : '',
    coverage && coverage.total > 0 ? `knows ${coverage.done} of ${coverage.total} passages` : '',
    isVerified ? '' : 'its hashes were promised by nobody',
  ];
  return [path, ...facts.filter((fact) => fact !== '')].join(', ');
}

/** None of them is a fault: the processor serves every model, only slower. */
async function checkDevices({ modelManager }: EngineParts): Promise<Check[]> {
  const { devices } = await modelManager.machine();
  return devices.map(({ kind, name, state, reason, memoryBytes }) => ({
    name: `device ${kind}`,
    isGood: true,
    detail: [
      state.replace('-', ' '),
      name ?? '',
      memoryBytes ? `${bytesInWords(memoryBytes)} of memory` : '',
      reason ?? '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  }));
}
