/** Does the text of each shape fit where it stands? Faces differ from machine to machine, and so do their widths. */

/** Letters are made smaller down to this share of their size. */
const SMALLEST = 0.4;
const STEP = 0.92;
/** Pixels by which text may stand over. */
const SLACK = 2;

/** Windows above and below in which text is made to fit before it is seen. */
const NEAR = '100% 0px';

/**
 * Makes text smaller that would reach beyond its slide, where nobody sees it; each slide once it comes near the screen, since measuring
 * takes long in a long presentation. Returns what ends that.
 */
export function fitText(frame: Document): () => void {
  const view = frame.defaultView as (Window & Pick<typeof globalThis, 'IntersectionObserver'>) | null;
  if (!view) return () => {};
  const observer = new view.IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        fitSlide(target as HTMLElement);
      }
    },
    { rootMargin: NEAR },
  );
  for (const slide of frame.querySelectorAll('.slide')) observer.observe(slide);
  return () => observer.disconnect();
}

function fitSlide(slide: HTMLElement): void {
  const [width, height] = [slide.style.width, slide.style.height].map(Number.parseFloat) as [number, number];
  for (const element of slide.querySelectorAll<HTMLElement>('.fits')) shrink(element, width, height);
}

function shrink(element: HTMLElement, slideWidth: number, slideHeight: number): void {
  const shape = element.parentElement;
  if (!shape) return;
  const [left, top, width, height] = [
    shape.style.left,
    shape.style.top,
    shape.style.width,
    shape.style.height,
  ].map((side) => Number.parseFloat(side) || 0) as [number, number, number, number];
  // Text may grow out of its shape as it does in the show, but not out of the slide.
  const deep = Math.max(height, slideHeight - top) + SLACK;
  const wide = Math.max(width, slideWidth - left) + SLACK;
  let scale = 1;
  while (scale > SMALLEST && (element.scrollHeight > deep || element.scrollWidth > wide)) {
    scale *= STEP;
    element.style.setProperty('--s', String(scale));
  }
}
