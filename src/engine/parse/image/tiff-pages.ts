/** Which pages does a TIFF hold? Its directories are a chain (TIFF 6.0, section 2); each describes one picture. */
import type { ImagePage } from './read-image.ts';

interface Directory extends ImagePage {
  /** Offset in the file. */
  at: number;
}

// Tags of TIFF 6.0.
const subfileType = 254;
const widthTag = 256;
const heightTag = 257;
const orientationTag = 274;
const reducedPicture = 1; // a small copy of another page
const transparencyMask = 4;
const entryBytes = 12;
const shortType = 3;

export function isTiff(bytes: Uint8Array): boolean {
  const mark = String.fromCharCode(...bytes.subarray(0, 4));
  return mark === 'II*\0' || mark === 'MM\0*';
}

/** Pages as stored, small copies left out; none where the chain is broken at its start. */
export function readTiffPages(bytes: Uint8Array, maxPages: number): { pages: ImagePage[]; isCut: boolean } {
  const directories = readDirectories(bytes, maxPages + 1);
  return { pages: directories.slice(0, maxPages), isCut: directories.length > maxPages };
}

/** The same file with a page of it, 1-based, in front: libraries read the first directory of the chain. */
export function tiffOfPage(bytes: Uint8Array, page: number): Uint8Array {
  const directory = readDirectories(bytes, page)[page - 1];
  const turned = Uint8Array.from(bytes);
  if (directory) viewOf(turned).setUint32(4, directory.at, isLittle(bytes));
  return turned;
}

function readDirectories(bytes: Uint8Array, most: number): Directory[] {
  const view = viewOf(bytes);
  const little = isLittle(bytes);
  const directories: Directory[] = [];
  const seen = new Set<number>();
  let at = bytes.length >= 8 ? view.getUint32(4, little) : 0;
  // A chain that bites its own tail ends where it was seen before.
  while (at > 0 && at + 2 <= bytes.length && !seen.has(at) && directories.length < most) {
    seen.add(at);
    const count = view.getUint16(at, little);
    const end = at + 2 + count * entryBytes;
    if (end > bytes.length) break;
    const values = readEntries(view, at + 2, count, little);
    const kind = values.get(subfileType) ?? 0;
    if ((kind & (reducedPicture | transparencyMask)) === 0) {
      directories.push({
        at,
        width: values.get(widthTag) ?? 0,
        height: values.get(heightTag) ?? 0,
        orientation: values.get(orientationTag) ?? 1,
      });
    }
    at = end + 4 <= bytes.length ? view.getUint32(end, little) : 0;
  }
  return directories;
}

/** Values of one number by tag; the others are no sizes. */
function readEntries(view: DataView, from: number, count: number, little: boolean): Map<number, number> {
  const values = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const at = from + index * entryBytes;
    const isShort = view.getUint16(at + 2, little) === shortType;
    const value = isShort ? view.getUint16(at + 8, little) : view.getUint32(at + 8, little);
    values.set(view.getUint16(at, little), value);
  }
  return values;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isLittle(bytes: Uint8Array): boolean {
  return bytes[0] === 0x49;
}
