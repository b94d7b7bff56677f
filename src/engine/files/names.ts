/** How is a file name written down that need not be valid text? */
import { isUtf8 } from 'node:buffer';

/** The name as text; bytes that are no UTF-8 become "\xE9", and `isValid` is false. */
export function decodeName(raw: Buffer): { name: string; isValid: boolean } {
  if (isUtf8(raw)) return { name: raw.toString('utf8'), isValid: true };
  let name = '';
  for (let at = 0; at < raw.length; ) {
    const length = validLength(raw, at);
    if (length > 0) name += raw.toString('utf8', at, at + length);
    else name += `\\x${raw[at]!.toString(16).toUpperCase().padStart(2, '0')}`;
    at += Math.max(1, length);
  }
  return { name, isValid: false };
}

/** Bytes of the valid character that begins here; 0 if none does. */
function validLength(raw: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= raw.length; length += 1) {
    if (isUtf8(raw.subarray(at, at + length))) return length;
  }
  return 0;
}

const archiveNames = new Set([
  'archive',
  'archived',
  'archives',
  'архив',
  'архивы',
  'archiwum',
  'archiv',
  'archivo',
]);

/** True for a document below a folder that is named as an archive. */
export function isArchivedPath(relative: string): boolean {
  return relative
    .split('/')
    .slice(0, -1)
    .some((part) => archiveNames.has(part.normalize('NFC').toLowerCase()));
}
