/** How does a picture file give the pictures of its pages? */
import type { SourceFile } from '../../document.ts';
import type { PagePictures } from '../recognise/page-pictures.ts';
import { readImage } from './read-image.ts';
import { isTiff } from './tiff-pages.ts';

export async function openImagePictures(file: SourceFile): Promise<PagePictures> {
  const image = await readImage(file);
  return {
    picture: async (page) => {
      const shown = image.pages[page - 1];
      // Leptonica sets a TIFF upright by itself.
      const orientation = isTiff(image.bytes) ? 1 : shown?.orientation;
      return shown && { ...shown, orientation: orientation ?? 1, bytes: image.pageBytes(page) };
    },
    close: () => {},
  };
}
