/** Which faces does the page read with from the first line on? */

/** Loads the faces before the first answer streams: a late face would move the lines. */
export function loadFaces(): void {
  for (const face of [
    '17px "Source Serif 4 Variable"',
    '600 17px "Source Serif 4 Variable"',
    '14px "Inter Variable"',
  ]) {
    void document.fonts.load(face, 'Aя');
  }
}
