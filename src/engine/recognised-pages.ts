/** Where is kept what was recognised? One file for each content, so that a page is never recognised twice. */
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type RecognisedPage, readRecognised, toRecord } from './parse/recognise/recognised-page.ts';

/** File of the pages of a content, named by its hash. */
export function recognisedPath(folder: string, contentHash: string): string {
  return path.join(folder, `${contentHash}.jsonl`);
}

/** The files of one library. */
export class RecognisedPages {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Numbers of the pages that are done. */
  async done(contentHash: string): Promise<number[]> {
    return [...(await readRecognised(recognisedPath(this.folder, contentHash))).keys()];
  }

  /** Forgets contents that no document has any more; `isKnown` is asked of each. */
  async sweep(isKnown: (contentHash: string) => boolean): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!isKnown(path.parse(name).name)) await rm(path.join(this.folder, name), { force: true });
    }
  }

  async add(contentHash: string, page: RecognisedPage): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await appendFile(recognisedPath(this.folder, contentHash), toRecord(page));
  }
}
