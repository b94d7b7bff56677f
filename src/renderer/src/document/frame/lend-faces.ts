/** In which of the page's own faces can a document in a frame be read? */

/**
 * Makes the page's bundled faces known to the frame's document, by address: each part of a face is fetched, from our
 * own origin, only once the document has letters for it.
 */
export function lendFaces(frameDocument: Document): void {
  const view = frameDocument.defaultView as (Window & Pick<typeof globalThis, 'FontFace'>) | null;
  if (!view) return;
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const { style } = rule;
      const family = style.getPropertyValue('font-family').replace(/^["']|["']$/g, '');
      const source = style
        .getPropertyValue('src')
        .replace(/url\("?([^")]+)"?\)/g, (_whole, address: string) => {
          return `url("${new URL(address, sheet.href ?? document.baseURI).href}")`;
        });
      const face = new view.FontFace(family, source, {
        style: style.getPropertyValue('font-style') || 'normal',
        weight: style.getPropertyValue('font-weight') || 'normal',
        unicodeRange: style.getPropertyValue('unicode-range') || 'U+0-10FFFF',
      });
      frameDocument.fonts.add(face);
    }
  }
}
