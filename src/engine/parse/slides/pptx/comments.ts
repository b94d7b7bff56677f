/** Which comments stand on a slide? Those of PowerPoint to 2019 and the threaded ones after it. */
import { slides as limits } from '../../../config.ts';
import type { Relation } from '../../zip/relations.ts';
import type { ZipArchive } from '../../zip/zip-archive.ts';
import { type Paragraph, plainParagraph } from '../deck.ts';
import { readTree, type XmlNode } from '../xml-tree.ts';

/** Names by the identifiers that comments know them by. */
export async function readAuthors(
  archive: ZipArchive,
  relations: readonly Relation[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { type, target } of relations) {
    if (type !== 'commentAuthors' && type !== 'authors') continue;
    const { root } = await readTree(archive, target, signal);
    for (const author of root.children) authors.set(author.get('id') ?? '', author.get('name') ?? '');
  }
  return authors;
}

/** One paragraph a comment or an answer to it: the writer's name, then the words. */
export async function readComments(
  archive: ZipArchive,
  relations: readonly Relation[],
  authors: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Paragraph[]> {
  const comments: Paragraph[] = [];
  for (const { type, target } of relations) {
    if (type !== 'comments') continue;
    const { root } = await readTree(archive, target, signal);
    const nodes = root
      .all('cm')
      .flatMap((comment) => [comment, ...(comment.child('replyLst')?.all('reply') ?? [])]);
    for (const node of nodes.slice(0, limits.maxComments)) {
      const text = textOf(node);
      if (text.trim() === '') continue;
      const author = (authors.get(node.get('authorId') ?? '') ?? '').trim();
      comments.push(plainParagraph(author === '' ? text : `${author}: ${text.trimStart()}`));
    }
  }
  return comments;
}

function textOf(node: XmlNode): string {
  const plain = node.child('text');
  if (plain) return plain.text;
  const paragraphs = node.child('txBody')?.all('p') ?? [];
  return paragraphs.map((paragraph) => [...paragraph.deep('t')].map(({ text }) => text).join('')).join('\n');
}
