/** How is a mail's own page kept from its head? */

/** What no style of the writer's changes: nothing of the letter is drawn over the head, and all of it is drawn. */
const kept = [
  ['display', 'block'],
  ['position', 'relative'],
  ['contain', 'layout paint'],
  ['overflow-x', 'auto'],
] as const;

/** The drawn page holds the head, then all that the writer wrote; gives that a room of its own, which its styles don't leave. */
export function dressMail(frame: Document): void {
  const { body } = frame;
  const [head, written] = body.children;
  if (head?.tagName !== 'HEADER') return;
  head.className = 'mail-head';
  const letter = frame.createElement('div');
  letter.className = 'letter';
  letter.dataset.shape = written?.className === 'words' ? 'words' : 'page';
  takeOver(body, letter);
  for (const [name, value] of kept) letter.style.setProperty(name, value, 'important');
  letter.append(...[...body.childNodes].filter((node) => node !== head));
  body.replaceChildren(head, letter);
  for (const style of frame.head.querySelectorAll('style')) {
    if (!style.id) style.textContent = inLetter(style.textContent);
  }
}

/** What a mail says of its body is said of all that stands in the frame: it is meant for the letter. */
function takeOver(body: HTMLElement, letter: HTMLElement): void {
  for (const name of ['style', 'bgcolor', 'dir', 'class']) {
    const value = body.getAttribute(name);
    if (value === null) continue;
    if (name === 'style') letter.style.cssText = value;
    else if (name === 'bgcolor') letter.style.backgroundColor = value;
    else if (name === 'dir') letter.setAttribute(name, value);
    else letter.classList.add(...value.split(/\s+/).filter((one) => one !== ''));
    body.removeAttribute(name);
  }
}

/** Read and written again by the browser, so that no bracket of the writer's ends the scope. */
function inLetter(css: string): string {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const rules = [...sheet.cssRules].filter(
    (rule) => rule instanceof CSSStyleRule || rule instanceof CSSMediaRule,
  );
  return `@scope (.letter) { ${rules.map(({ cssText }) => cssText).join('\n')} }`;
}
