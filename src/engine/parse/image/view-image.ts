/** How is a picture shown: pages that hold it and mark its recognised words? */
import { image as limits } from '../../config.ts';
import { ParseFailure, type SourceFile } from '../../document.ts';
import { readRecognised } from '../recognise/recognised-page.ts';
import { PictureUnpacker } from '../recognise/recogniser.ts';
import { jpegColours } from './jpeg-colours.ts';
import { type PdfPicture, PictureDocument } from './picture-pdf.ts';
import { type ImageFile, readImage } from './read-image.ts';
import { isTiff } from './tiff-pages.ts';

const colourSpaces: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' };

/** A PDF of the picture's pages, up to a limit of pixels. Throws ParseFailure as readImage does, and too-large. */
export async function viewImage(file: SourceFile): Promise<Uint8Array> {
  const image = await readImage(file);
  const recognised = await readRecognised(file.recognisedPath);
  const document = new PictureDocument();
  const colours = jpegColours(image.bytes);
  const unpacker = colours === undefined ? await PictureUnpacker.open() : undefined;
  let pixels = 0;
  for (const [index, { width, height }] of image.pages.entries()) {
    pixels += width * height;
    if (pixels > limits.maxViewPixels && index > 0) break;
    const picture = unpacker ? unpacked(image, index, unpacker) : asStored(image, colours!);
    if (!picture) throw broken(file);
    document.addPage(picture, recognised.get(index + 1));
  }
  return document.end();
}

/** A JPEG goes into a PDF as it is. */
function asStored({ bytes, pages }: ImageFile, colours: number): PdfPicture {
  const page = pages[0]!;
  const isLying = page.orientation >= 5;
  // Adobe's programs store CMYK upside down.
  const decode = colours === 4 ? ' /Decode [1 0 1 0 1 0 1 0]' : '';
  return {
    ...page,
    storedWidth: isLying ? page.height : page.width,
    storedHeight: isLying ? page.width : page.height,
    entries: `/ColorSpace /${colourSpaces[colours]} /BitsPerComponent 8 /Filter /DCTDecode${decode}`,
    data: bytes,
  };
}

function unpacked(image: ImageFile, index: number, unpacker: PictureUnpacker): PdfPicture | undefined {
  const page = image.pages[index]!;
  const orientation = isTiff(image.bytes) ? 1 : page.orientation;
  const png = unpacker.toPng(image.pageBytes(index + 1), orientation);
  if (!png) return undefined;
  const { width, height } = page;
  const predictor = `/DecodeParms << /Predictor 15 /Colors 3 /BitsPerComponent 8 /Columns ${width} >>`;
  return {
    ...{ width, height, orientation: 1, storedWidth: width, storedHeight: height },
    entries: `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode ${predictor}`,
    data: pngData(png),
  };
}

/** The packed rows of a PNG: PDF unpacks them in the same way (PDF 32000-1, 7.4.4.4). */
function pngData(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 8 <= png.length; ) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length)); // IDAT
    at += length + 12;
  }
  return Buffer.concat(parts);
}

function broken({ name }: SourceFile): ParseFailure {
  return new ParseFailure(
    'damaged',
    `The picture can't be shown: ${name}: it could not be unpacked: save it anew`,
  );
}
