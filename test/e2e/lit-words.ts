/** Which words stand under the marker on the screen? Scripts that run in the page and measure what is drawn. */

export interface LitText {
  /** All lit words in document order. */
  text: string;
  /** How many lit pieces stand inside what is seen. */
  seen: number;
}

/** Words inside a frame's highlight: HTML, Word and rendered Markdown. */
export const litInFrame = `(() => {
  const view = document.querySelector('iframe').contentWindow;
  const ranges = [...(view.CSS.highlights.get('lectern-cited') ?? [])];
  const seen = ranges.filter((range) => {
    const rect = range.getClientRects()[0];
    return rect && rect.top >= 0 && rect.top < view.innerHeight && rect.width > 0;
  });
  return { text: ranges.map((range) => range.toString()).join(' '), seen: seen.length };
})()`;

/** Marked words of plain text, code and Markdown as source. */
export const litInRows = `(() => {
  const scroller = document.querySelector('.text-view').getBoundingClientRect();
  const marks = [...document.querySelectorAll('mark.text-lit')];
  const seen = marks.filter((mark) => {
    const rect = mark.getBoundingClientRect();
    return rect.top >= scroller.top && rect.bottom <= scroller.bottom && rect.height > 0;
  });
  return { text: marks.map((mark) => mark.textContent).join(' '), seen: seen.length };
})()`;

export interface LitCell {
  name: string;
  text: string;
  isSeen: boolean;
}

/** Lit cells of a sheet; seen are those that nothing covers. */
export const litCells = `[...document.querySelectorAll('.sheet-cell[data-lit]')].map((cell) => {
  const box = cell.getBoundingClientRect();
  const under = document.elementFromPoint(box.left + Math.min(box.width, 300) / 2, box.top + Math.min(box.height, 30) / 2);
  return { name: cell.dataset.cell, text: cell.textContent, isSeen: under === cell };
})`;

export interface PageWords {
  /** Words of pdf.js's text layer. */
  all: string[];
  /** Those with their middle inside a lit box. */
  lit: string[];
}

/** A function of a page's number that reads a PDF page; its value is `PageWords`. */
export const readPageWords = `(number) => {
  const page = document.querySelector('.pdf-page[data-page="' + number + '"]');
  const lit = [...page.querySelectorAll('.pdf-lit')].map((element) => element.getBoundingClientRect());
  const found = { all: [], lit: [] };
  const walker = document.createTreeWalker(page.querySelector('.textLayer'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const match of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const box = range.getBoundingClientRect();
      const x = box.left + box.width / 2;
      const y = box.top + box.height / 2;
      const isLit = lit.some((each) => x > each.left && x < each.right && y > each.top && y < each.bottom);
      found.all.push(match[0]);
      if (isLit) found.lit.push(match[0]);
    }
  }
  return found;
}`;

/** Lit words of every drawn page of a PDF that has a lit box. */
export const litOnPages = `(() => {
  const read = ${readPageWords};
  const pane = document.querySelector('.pdf-pane').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.pdf-lit')];
  const pages = [...new Set(boxes.map((box) => box.closest('.pdf-page')))];
  if (pages.length === 0 || pages.some((page) => !page.querySelector('.textLayer'))) return { text: '', seen: 0 };
  const seen = boxes.map((box) => box.getBoundingClientRect()).filter((box) => box.top >= pane.top && box.bottom <= pane.bottom);
  return { text: pages.flatMap((page) => read(page.dataset.page).lit).join(' '), seen: seen.length };
})()`;
