/** What does a source of the sample library say, piece by piece? A small part of Markdown: headings, paragraphs, tables. */

export type Piece =
  | { kind: 'title' | 'heading' | 'paragraph'; text: string }
  | { kind: 'table'; rows: string[][] };

export function readSource(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || /^\|[\s:|-]+\|$/.test(trimmed)) continue;
    if (trimmed.startsWith('|')) {
      const cells = trimmed
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim());
      const last = pieces.at(-1);
      if (last?.kind === 'table') last.rows.push(cells);
      else pieces.push({ kind: 'table', rows: [cells] });
    } else if (trimmed.startsWith('# ')) pieces.push({ kind: 'title', text: trimmed.slice(2) });
    else if (trimmed.startsWith('## ')) pieces.push({ kind: 'heading', text: trimmed.slice(3) });
    else pieces.push({ kind: 'paragraph', text: trimmed });
  }
  return pieces;
}
