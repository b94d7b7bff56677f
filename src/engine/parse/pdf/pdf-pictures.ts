/** How does a PDF give pictures of its pages? */
import type { SourceFile } from '../../document.ts';
import type { PagePictures } from '../recognise/page-pictures.ts';
import { PdfiumDocument } from './pdfium.ts';

/** Each page is drawn by an instance of its own: what one leaves behind or breaks never reaches the next. */
export async function openPdfPictures(file: SourceFile): Promise<PagePictures> {
  return {
    picture: async (page) => {
      const document = await PdfiumDocument.open(file);
      try {
        const drawn = document.drawPage(page - 1);
        return drawn && { ...drawn, orientation: 1 };
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) return undefined;
        throw error;
      } finally {
        document.close();
      }
    },
    close: () => {},
  };
}
