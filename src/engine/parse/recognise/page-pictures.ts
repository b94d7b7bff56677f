/** What do the pages look like whose words must be recognised? */
import type { DocumentKind } from '../../../api/types.ts';
import type { SourceFile } from '../../document.ts';
import type { Picture } from './recogniser.ts';

/** Pictures of an open document's pages. */
export interface PagePictures {
  /** 1-based; undefined where there is none to be had. */
  picture(page: number): Promise<Picture | undefined>;
  close(): void;
}

/** Opens a document of a kind whose pages are pictures; undefined for the others. Throws ParseFailure as its parser does. */
export async function openPictures(kind: DocumentKind, file: SourceFile): Promise<PagePictures | undefined> {
  if (kind === 'pdf') return (await import('../pdf/pdf-pictures.ts')).openPdfPictures(file);
  if (kind === 'image') return (await import('../image/image-pictures.ts')).openImagePictures(file);
  return undefined;
}
