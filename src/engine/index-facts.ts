/** What is this document called, and what language is it in? Gathered while its parts pass by. */
import path from 'node:path';
import type { DocumentWarning, Language } from '../api/types.ts';
import { language as languageLimits, parse as limits } from './config.ts';
import type { Block, Chunk, ChunkTerms, DocumentMetadata, Part } from './document.ts';
import { detectLanguage } from './language/detect-language.ts';
import { indexTerms, type Stemmer } from './language/stem.ts';

/** Facts of one document that is being read. */
export class DocumentFacts {
  readonly metadata: DocumentMetadata = {};
  readonly warnings: DocumentWarning[] = [];
  /** Blocks with something to read in them. */
  visibleBlocks = 0;
  readonly #fileName: string;
  readonly #name: string;
  #title: { text: string; rank: number } | undefined;
  #sample = '';
  #language: Language | undefined;

  constructor(fileName: string) {
    this.#fileName = fileName;
    this.#name = path.parse(fileName).name || fileName;
  }

  take(part: Part): void {
    if (part.type === 'metadata') Object.assign(this.metadata, part.metadata);
    else if (part.type === 'warning') this.#warn(part.warning);
    else if (part.type === 'block') this.#see(part.block);
  }

  /** From the document's own properties, else its first title or heading, else the file's name, without its ending unless it is code. */
  title(): string {
    const own = oneLine(this.metadata.title ?? '');
    return own !== ''
      ? own
      : (this.#title?.text ?? (this.metadata.kind === 'code' ? this.#fileName : this.#name));
  }

  /** As far as can be told from what passed by so far; settled once enough did. */
  language(): Language {
    if (this.metadata.language) return this.metadata.language;
    if (this.#language) return this.#language;
    const found = detectLanguage(this.#sample);
    if (this.#sample.length >= languageLimits.detectCharacters) this.#language = found;
    return found;
  }

  #see(block: Block): void {
    if (block.text.trim() === '') return;
    this.visibleBlocks += 1;
    if (this.#sample.length < languageLimits.detectCharacters && block.kind !== 'margin') {
      this.#sample += block.text;
    }
    const rank = block.kind === 'title' ? 0 : block.kind === 'heading' ? (block.level ?? 1) : undefined;
    // Only what stands near the beginning names the whole; a later heading names its own part.
    if (rank === undefined || this.visibleBlocks > limits.titleBlocks) return;
    // In plain text and code a heading was guessed from its looks: it names a clause or a class, not the whole.
    if (rank > 0 && (this.metadata.kind === 'text' || this.metadata.kind === 'code')) return;
    if (!this.#title || rank < this.#title.rank) this.#title = { text: oneLine(block.text), rank };
  }

  #warn(warning: DocumentWarning): void {
    if (this.warnings.length < limits.maxWarnings) this.warnings.push(warning);
  }
}

/** The words of a chunk for the keyword index, in the chunk's own language where that can be told, else the document's. */
export function chunkTerms(chunk: Chunk, facts: DocumentFacts, stemmer: Stemmer): ChunkTerms {
  const own = chunk.text.length >= limits.ownLanguageCharacters ? detectLanguage(chunk.text) : 'und';
  const language = own === 'und' ? facts.language() : own;
  const { words, stems } = indexTerms(chunk.text, language, stemmer);
  return {
    title: bothForms(facts.title(), language, stemmer),
    headings: bothForms(chunk.headings.join(' '), language, stemmer),
    words,
    stems,
    language,
  };
}

/** Words and, after them, the stems that differ: titles and headings have one column each for both. */
function bothForms(text: string, language: Language, stemmer: Stemmer): string {
  const { words, stems } = indexTerms(text, language, stemmer);
  const known = new Set(words.split(' '));
  const more = stems.split(' ').filter((stem) => stem !== '' && !known.has(stem));
  return more.length === 0 ? words : `${words} ${more.join(' ')}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, limits.maxTitleLength);
}
