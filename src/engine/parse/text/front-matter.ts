/** What does the block of properties at the top of a Markdown file say? */
import type { DocumentMetadata } from '../../document.ts';

/** Longest front matter, in lines; a ruler at the top of a text is not one. */
export const MAX_FRONT_MATTER_LINES = 200;

/** Number of lines that the front matter takes, its two marks included; 0 where there is none. */
export function frontMatterLines(lines: string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  for (let i = 1; i < Math.min(lines.length, MAX_FRONT_MATTER_LINES); i++) {
    const line = lines[i]!.trimEnd();
    if (line === '---' || line === '...') return i + 1;
    if (!/^(\s|#|-\s|[\w.-]+\s*:)/.test(line) && line !== '') return 0;
  }
  return 0;
}

/** Title, author and date of front matter in YAML's simplest form: `key: value`, quoted or not, and lists. */
export function readFrontMatter(lines: string[]): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  lines.forEach((line, i) => {
    const match = /^([\w-]+)\s*:\s*(.*)$/.exec(line);
    if (!match) return;
    const key = match[1]!.toLowerCase();
    const value = match[2]!.trim() === '' ? (/^\s*-\s+(.+)$/.exec(lines[i + 1] ?? '')?.[1] ?? '') : match[2]!;
    const plain = unquote(value);
    if (plain === '') return;
    if (key === 'title') metadata.title = plain;
    if (key === 'author' || key === 'authors') metadata.author = plain;
    const day = /^\d{4}-\d{2}-\d{2}/.exec(plain)?.[0];
    if ((key === 'date' || key === 'created' || key === 'updated') && day) metadata.date ??= day;
    const language = (['ru', 'en', 'pl', 'de', 'es'] as const).find((code) =>
      plain.toLowerCase().startsWith(code),
    );
    if ((key === 'lang' || key === 'language') && language) metadata.language = language;
  });
  return metadata;
}

function unquote(value: string): string {
  const text = value
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .trim();
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return (quoted ? quoted[2]! : text).trim();
}
