/** How does one page stand in the scrolled area: bitmap, text for selecting, lit boxes? */
import { useEffect, useRef } from 'react';
import type { Box } from '../../../../api/anchor.ts';
import { discard, drawPage } from './draw-page.ts';
import { boxesOnScreen, type PageBox, pageSize } from './pdf-geometry.ts';
import type { OpenPdf } from './use-pdf.ts';

interface PdfPageProps {
  pdf: OpenPdf;
  index: number;
  box: PageBox;
  scale: number;
  top: number;
  lit: Box[];
  /** Drawn, failed, or no longer there. */
  onChange(index: number, isDrawn: boolean | undefined): void;
}

export function PdfPage({ pdf, index, box, scale, top, lit, onChange }: PdfPageProps) {
  const host = useRef<HTMLDivElement>(null);
  const { loadPage } = pdf;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isCurrent = true;
    let stop = (): void => {};
    loadPage(index)
      .then((page) => {
        if (!isCurrent) return;
        const drawn = drawPage(page, element, scale);
        stop = drawn.stop;
        return drawn.done;
      })
      .then(() => isCurrent && onChange(index, true))
      .catch(() => isCurrent && onChange(index, false));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [loadPage, index, scale, onChange]);

  useEffect(() => {
    const element = host.current;
    return () => {
      for (const child of [...(element?.children ?? [])]) discard(child);
      onChange(index, undefined);
    };
  }, [index, onChange]);

  const size = pageSize(box, scale);
  return (
    <div
      className="pdf-page"
      data-page={index + 1}
      style={
        {
          top,
          width: size.width,
          height: size.height,
          '--total-scale-factor': scale * box.userUnit,
        } as object
      }
    >
      <div ref={host} className="pdf-drawing" />
      <div className="pdf-lit-layer" aria-hidden="true">
        {boxesOnScreen(lit, box, scale).map((rectangle) => (
          <div
            key={`${rectangle.left} ${rectangle.top} ${rectangle.width}`}
            className="pdf-lit"
            style={rectangle}
          />
        ))}
      </div>
    </div>
  );
}
