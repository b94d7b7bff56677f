/** Which pictures does a drawn presentation show, each of them held once? */
import { slides as limits } from '../../config.ts';
import type { Picture } from './deck.ts';

/** Gives the bytes of a picture by its address in the file; undefined where there is none. Throws ParseFailure too-large. */
export type ReadPicture = (address: string, maxBytes: number) => Promise<Buffer | undefined>;

/** Marks of the forms that browsers show, by their first bytes. */
const forms: { type: string; mark: RegExp }[] = [
  { type: 'image/png', mark: /^\u0089PNG/ },
  { type: 'image/jpeg', mark: /^\u00ff\u00d8\u00ff/ },
  { type: 'image/gif', mark: /^GIF8/ },
  { type: 'image/webp', mark: /^RIFF....WEBP/s },
  { type: 'image/bmp', mark: /^BM/ },
];

/** Collects what slides ask for while they are read; pictures that don't fit or can't be shown have no style. */
export class PictureShelf {
  readonly #names = new Map<string, string>();

  /** The picture's name in the drawn page, from the address where it is kept. */
  ask(address: string | undefined): string | undefined {
    if (address === undefined) return undefined;
    const known = this.#names.get(address) ?? `picture-${this.#names.size + 1}`;
    this.#names.set(address, known);
    return known;
  }

  /** Style rules by name, one for each picture that can be shown. */
  async rules(read: ReadPicture): Promise<Map<string, string>> {
    const rules = new Map<string, string>();
    let left: number = limits.maxPicturesBytes;
    for (const [address, name] of this.#names) {
      if (left <= 0) break;
      const bytes = await read(address, Math.min(left, limits.maxPictureBytes));
      const head = bytes?.toString('latin1', 0, 16) ?? '';
      const form = forms.find(({ mark }) => mark.test(head));
      if (!bytes || !form) continue;
      left -= bytes.length;
      rules.set(name, `.${name}{background-image:url(data:${form.type};base64,${bytes.toString('base64')})}`);
    }
    return rules;
  }
}

export const wholePicture: Picture['crop'] = { left: 0, top: 0, right: 0, bottom: 0 };
