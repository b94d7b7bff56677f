/** Which blocks does an old Word document hold, and where do they stand? */
import type { Parser, Part } from '../../document.ts';
import { DocTable } from './doc/doc-table.ts';
import { type StoryName, type WordParagraph, WordStories } from './doc/stories.ts';
import { readLists, type WordList } from './doc/styles.ts';
import { failure, openWordFile } from './doc/word-file.ts';
import { FlowParts } from './flow-parts.ts';
import { ListLabels } from './list-label.ts';

/** Reads Word 6 to 2003, body first, then text boxes, notes, comments, headers and footers. */
export const parseDoc: Parser = async function* (file, signal) {
  const word = await openWordFile(file);
  signal.throwIfAborted();
  yield { type: 'metadata', metadata: { kind: 'doc', ...word.properties } };
  const reader = new DocReader(new WordStories(word), readLists(word));
  let hasText = false;
  for (const part of reader.read()) {
    signal.throwIfAborted();
    hasText = true;
    yield part;
  }
  if (!hasText) throw failure('empty', file, 'there is no text in it');
};

const stories: StoryName[] = ['body', 'boxes', 'footnotes', 'endnotes', 'comments', 'margins', 'marginBoxes'];
/** Numbers of built-in styles. */
const TITLE_STYLE = 62;
/** Levels from here on are body text. */
const BODY_LEVEL = 9;

class DocReader {
  readonly #stories: WordStories;
  readonly #lists: (WordList | undefined)[];
  readonly #labels = new ListLabels();
  readonly #flow = new FlowParts();
  readonly #margins = new Set<string>();

  constructor(source: WordStories, lists: (WordList | undefined)[]) {
    this.#stories = source;
    this.#lists = lists;
  }

  *read(): Generator<Part> {
    for (const name of stories) {
      let table: DocTable | undefined;
      for (const paragraph of this.#stories.paragraphs(name)) {
        if (paragraph.tableDepth > 0 && isMain(name)) {
          table ??= new DocTable();
          table.add(paragraph);
          continue;
        }
        if (table) yield* table.parts(this.#flow);
        table = undefined;
        const part = this.#block(name, paragraph);
        if (part) yield part;
      }
      if (table) yield* table.parts(this.#flow);
    }
  }

  #block(name: StoryName, paragraph: WordParagraph): Part | undefined {
    const { text } = paragraph;
    if (text.trim() === '') return undefined;
    if (name === 'margins' || name === 'marginBoxes') {
      const shown = text.trim();
      if (this.#margins.has(shown)) return undefined;
      this.#margins.add(shown);
      return this.#flow.block('margin', shown);
    }
    if (!isMain(name)) return this.#flow.block('footnote', text);
    const { outlineLevel, listUse = 0 } = paragraph.format;
    const label = this.#label(paragraph);
    const full = label === '' ? text : `${label} ${text.trimStart()}`;
    if (paragraph.style?.builtIn === TITLE_STYLE) return this.#flow.block('title', full);
    if (outlineLevel !== undefined && outlineLevel < BODY_LEVEL) {
      return this.#flow.block('heading', full, outlineLevel + 1);
    }
    return this.#flow.block(listUse > 0 ? 'list-item' : 'paragraph', full);
  }

  #label({ format }: WordParagraph): string {
    const list = this.#lists[format.listUse ?? 0];
    return list ? this.#labels.next(list.id, list.levels, format.listLevel ?? 0) : '';
  }
}

/** Where tables and headings count. */
function isMain(name: StoryName): boolean {
  return name === 'body' || name === 'boxes';
}
