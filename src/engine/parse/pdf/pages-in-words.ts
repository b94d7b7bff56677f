/** How are pages named in a sentence? */

const maxNamed = 20; // ranges of pages

/** "page 3", "pages 1–4, 7 and 12 more ranges"; ascending, 1-based. */
export function pagesInWords(pages: number[]): string {
  const ranges: string[] = [];
  for (let index = 0; index < pages.length; ) {
    let end = index;
    while (pages[end + 1] === pages[end]! + 1) end += 1;
    ranges.push(end === index ? `${pages[index]}` : `${pages[index]}–${pages[end]}`);
    index = end + 1;
  }
  const rest = ranges.length - maxNamed;
  const list = ranges.slice(0, maxNamed).join(', ');
  return `${pages.length === 1 ? 'page' : 'pages'} ${list}${rest > 0 ? ` and ${rest} more ranges` : ''}`;
}
