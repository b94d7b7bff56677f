/** Which text of a chunk is embedded? (pure) */

/** Title and heading path stand before the chunk: they say what it is about when its own words don't. */
export function embeddingText(chunk: { title: string; headings: string[]; text: string }): string {
  const path = embeddingPath(chunk);
  return path === '' ? chunk.text : `${path}\n${chunk.text}`;
}

/** What stands before the chunk's own text; a heading that repeats the one above it once. */
export function embeddingPath({ title, headings }: { title: string; headings: string[] }): string {
  return [title, ...headings]
    .filter((part, index, all) => part !== '' && part !== all[index - 1])
    .join(' › ');
}
