/** What does a parse worker do with pages that are pictures? Draws them, has their words recognised, sends what it found. */
import { recognise as limits } from './config.ts';
import { EngineChannel } from './index-channel.ts';
import { toParseFailure } from './index-failures.ts';
import type { RecogniseReply, RecogniseTask } from './index-messages.ts';
import { kindOf, parseAs } from './parse/parse-document.ts';
import { openPictures, type PagePictures } from './parse/recognise/page-pictures.ts';
import type { RecognisedPage } from './parse/recognise/recognised-page.ts';
import { Recogniser } from './parse/recognise/recogniser.ts';

const never = new AbortController().signal;

/** Recognises pages of one file until its time is over. The pages that remain are in the reply. */
export async function recognise(task: RecogniseTask): Promise<RecogniseReply> {
  const channel = new EngineChannel(task.port);
  const { file, done } = task;
  let pictures: PagePictures | undefined;
  try {
    const kind = await kindOf(file);
    // 1. Which pages? Asked of the parser itself, which judges each page's text.
    const pages = task.pages ?? (await pagesToRecognise(kind, task));
    const remaining = pages.filter((page) => !done.includes(page));
    if (remaining.length === 0) return { type: 'recognised', pages, remaining };
    // 2. Draw and read them, one by one.
    pictures = await openPictures(kind, file);
    if (!pictures) return { type: 'recognised', pages: [], remaining: [] };
    const recogniser = await Recogniser.open(task.languages);
    const until = performance.now() + limits.sliceMs;
    while (remaining.length > 0 && performance.now() < until) {
      const page = remaining[0]!;
      await channel.send({ type: 'recognising', page });
      await channel.send({ type: 'recognised', page: await readPage(pictures, recogniser, page) });
      await channel.drained();
      remaining.shift();
    }
    return { type: 'recognised', pages, remaining };
  } catch (error) {
    const { reason, message } = toParseFailure(file.name, error);
    return { type: 'failed', failure: { reason, message } };
  } finally {
    pictures?.close();
    channel.close();
  }
}

async function readPage(
  pictures: PagePictures,
  recogniser: Recogniser,
  page: number,
): Promise<RecognisedPage> {
  const picture = await pictures.picture(page);
  if (!picture) return { page, width: 0, height: 0, turns: 0, lines: [], fault: 'failed' };
  return recogniser.read(picture, page);
}

async function pagesToRecognise(
  kind: Awaited<ReturnType<typeof kindOf>>,
  { file }: RecogniseTask,
): Promise<number[]> {
  let pages: number[] = [];
  try {
    for await (const part of parseAs(kind, file, never)) {
      if (part.type === 'metadata') pages = part.metadata.pagesToRecognise ?? pages;
    }
  } catch (error) {
    if (toParseFailure(file.name, error).reason !== 'no-text') throw error;
  }
  return pages;
}
