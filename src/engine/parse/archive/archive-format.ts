/** Which program packed this archive? */
import { open } from 'node:fs/promises';
import type { SourceFile } from '../../document.ts';
import { archiveFailure, type ReadArchive } from './archive-entry.ts';

/** What packs a stream of bytes, whatever they are. */
export type Packing = 'gzip' | 'bzip2' | 'xz' | 'zstd';

export type ArchiveFormat = 'zip' | 'tar' | '7z' | 'rar' | Packing;

const marks: [ArchiveFormat, number[]][] = [
  ['zip', [0x50, 0x4b, 3, 4]],
  ['zip', [0x50, 0x4b, 5, 6]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['rar', [0x52, 0x61, 0x72, 0x21, 0x1a, 7]],
  ['gzip', [0x1f, 0x8b, 8]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/** What follows the mark and the digit of bzip2: its blocks begin with the digits of pi, and its end with those of its root. */
const bzip2Blocks = [
  [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
  [0x17, 0x72, 0x45, 0x38, 0x50, 0x90],
];

/** Bytes of a tar's header; its first is where the archive begins. */
const TAR_HEADER_BYTES = 512;

const hasAt = (bytes: Uint8Array, at: number, mark: number[]): boolean =>
  mark.every((byte, index) => bytes[at + index] === byte);

/** The format of an archive by its first bytes, of which there must be 512; undefined for anything else. */
export function archiveFormatOf(head: Uint8Array): ArchiveFormat | undefined {
  const marked = marks.find(([, mark]) => hasAt(head, 0, mark))?.[0];
  if (marked === 'bzip2') return bzip2Blocks.some((mark) => hasAt(head, 4, mark)) ? marked : undefined;
  return marked ?? (isTar(head) ? 'tar' : undefined);
}

/** A tar has no mark in its oldest form, but a sum over its header, in which the sum itself counts as blanks. */
export function isTar(head: Uint8Array): boolean {
  if (head.length < TAR_HEADER_BYTES || head[0] === 0) return false;
  const written = /^[ 0]*([0-7]{1,7})[\0 ]/u.exec(
    Buffer.from(head.subarray(148, 156)).toString('latin1'),
  )?.[1];
  if (written === undefined) return false;
  let sum = 0;
  for (let at = 0; at < TAR_HEADER_BYTES; at += 1) sum += at >= 148 && at < 156 ? 0x20 : head[at]!;
  return sum === Number.parseInt(written, 8);
}

/** The reader of an archive. */
export async function openArchive(file: SourceFile): Promise<ReadArchive> {
  const format = archiveFormatOf(file.bytes ?? (await readHead(file.path)));
  switch (format) {
    case 'zip':
      return (await import('./read-zip.ts')).readZip;
    case '7z':
    case 'rar':
      return (await import('./read-whole-archive.ts')).readWholeArchive;
    case 'tar':
      return (await import('./read-tar.ts')).readTar;
    case undefined:
      throw archiveFailure('unsupported', file, 'its format is not known; pack it anew as zip');
    default: {
      const { readPacked } = await import('./read-packed.ts');
      return (source, signal) => readPacked(format, source, signal);
    }
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(TAR_HEADER_BYTES), 0, TAR_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
