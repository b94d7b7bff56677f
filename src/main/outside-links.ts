/** Which addresses may leave Lectern for the system's browser or mail program? */

const schemes = new Set(['http:', 'https:', 'mailto:']);

/** Only web and mail addresses; everything else could start a program. */
export function isOpenableOutside(url: string): boolean {
  return URL.canParse(url) && schemes.has(new URL(url).protocol);
}
