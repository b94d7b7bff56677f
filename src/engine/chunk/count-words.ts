/** How long is a text in words? Counted for sizes only: no word is made. */

/** Scripts without spaces: two signs are about one word. */
const isUnspaced = (unit: number): boolean =>
  (unit >= 0x3040 && unit <= 0x30ff) ||
  (unit >= 0x3400 && unit <= 0x9fff) ||
  (unit >= 0x0e00 && unit <= 0x0e7f);

const isWordUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  (unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x206f) && unit !== 0x3000);

/** Runs of letters and digits; two signs of Chinese, Japanese or Thai count as one word. */
export function countWords(text: string): number {
  let words = 0;
  let unspaced = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xe00 && isUnspaced(unit)) {
      unspaced++;
      isInside = false;
    } else if (isWordUnit(unit)) {
      if (!isInside) words++;
      isInside = true;
    } else isInside = false;
  }
  return words + Math.ceil(unspaced / 2);
}
