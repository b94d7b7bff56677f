/** How large are slides drawn in a pane? */

/** Room at each side of a slide, in CSS pixels. */
const GAP = 14;
/** Slides of a small format aren't blown up beyond this. */
const LARGEST = 1.6;
const SMALLEST = 0.15;

/** Scales the slides to the width of the frame, now and whenever it changes; returns what ends that. */
export function fitSlides(frame: Document): () => void {
  const view = frame.defaultView;
  const adjust = (): void => {
    const widest = Math.max(
      1,
      ...[...frame.querySelectorAll<HTMLElement>('.slide')].map((slide) =>
        Number.parseFloat(slide.style.width),
      ),
    );
    // Without a scrollbar, and whatever the page's zoom.
    const width = view?.visualViewport?.width ?? 0;
    if (width === 0) return;
    const fit = Math.min(LARGEST, Math.max(SMALLEST, (width - 2 * GAP) / widest));
    frame.documentElement.style.setProperty('--fit', String(fit));
  };
  adjust();
  view?.addEventListener('resize', adjust);
  return () => view?.removeEventListener('resize', adjust);
}
