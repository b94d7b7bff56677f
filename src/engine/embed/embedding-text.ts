/** Which text of a chunk is embedded? (pure) */

/** Title and heading path stand before the chunk: they say what it is about when its own words don't. */
export function embeddingText(chunk: { title: string; headings: string[]; text: string }): string {
  const path = [chunk.title, ...chunk.headings].filter(
    (part, index, all) => part !== '' && part !== all[index - 1],
  );
  return path.length === 0 ? chunk.text : `${path.join(' › ')}\n${chunk.text}`;
}
