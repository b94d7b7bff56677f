/** How many colours has a JPEG? ITU-T T.81, B.2. */

/** 1, 3 or 4; undefined for what is no JPEG or has another number. */
export function jpegColours(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // Fill bytes, and marks that stand alone.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (isFrame(marker)) {
      const colours = bytes[at + 9]!;
      return colours === 1 || colours === 3 || colours === 4 ? colours : undefined;
    }
    at += 2 + (bytes[at + 2]! << 8) + bytes[at + 3]!;
  }
  return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
