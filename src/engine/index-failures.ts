/** Why could this file not be read? Turns what a parser or the file system threw into a reason and a sentence. */
import type { ReasonCode } from '../api/errors.ts';
import { ParseFailure } from './document.ts';

/** Codes of the file system; every other one means that the file can't be read now. */
const goneCodes = new Set(['ENOENT', 'ENOTDIR', 'ESTALE']);

/** Longest part of a library's own message that is shown, in UTF-16 units. */
const DETAIL_LENGTH = 160;

/** The failure as a ParseFailure; whatever a parser throws without a reason means that the bytes broke it. */
export function toParseFailure(name: string, error: unknown): ParseFailure {
  if (error instanceof ParseFailure) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code !== undefined && syscall !== undefined) return fileSystemFailure(name, code, cause);
  if (cause instanceof RangeError && /allocation|string length|array length/iu.test(cause.message)) {
    return failure('out-of-memory', name, 'it needs more memory than allowed; split the file', cause);
  }
  const detail = (cause.message.split('\n')[0] ?? '').slice(0, DETAIL_LENGTH);
  return failure(
    'damaged',
    name,
    `its content breaks the rules of its format (${detail}); save it anew`,
    cause,
  );
}

function fileSystemFailure(name: string, code: string, cause: Error): ParseFailure {
  if (goneCodes.has(code)) {
    return failure('gone', name, 'the file disappeared while it was read; read the folder again', cause);
  }
  return failure('unreadable', name, `the system refuses to open it (${code}); check its permissions`, cause);
}

function failure(reason: ReasonCode, name: string, rest: string, cause: Error): ParseFailure {
  return new ParseFailure(reason, `Reading failed: ${name}: ${rest}.`, { cause });
}
