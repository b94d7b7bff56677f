/** What does an office file say of itself: title, author, date, pages? */
import type { DocumentMetadata } from '../../document.ts';
import { localName, readXml, type XmlListener } from './read-xml.ts';
import { readRelations } from './relations.ts';
import type { ZipArchive } from './zip-archive.ts';

const MAX_LENGTH = 500;

/** Titles that programs write by themselves and that name nothing. */
const EMPTY_TITLES =
  /^(untitled|document\d*|документ\d*|без названия|word document|microsoft word|book\d*|книга\d*|powerpoint presentation|\s*)$/i;

/** Core and extended properties; empty where there are none. */
export async function readOfficeProperties(
  archive: ZipArchive,
  signal: AbortSignal,
): Promise<DocumentMetadata> {
  const relations = await readRelations(archive, '', signal);
  const core = relations.find(({ type }) => type === 'core-properties')?.target ?? 'docProps/core.xml';
  const values = new Map<string, string>();
  for (const part of [core, 'docProps/app.xml']) await readXml(archive, part, new Properties(values), signal);
  const title = values.get('title') ?? '';
  const author = (values.get('creator') ?? '').replace(/^unknown$/i, '');
  const date = toDay(values.get('modified')) ?? toDay(values.get('created'));
  const pages = Number(values.get('Pages'));
  return {
    ...(EMPTY_TITLES.test(title) ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(date ? { date } : {}),
    ...(Number.isInteger(pages) && pages > 0 ? { pages } : {}),
  };
}

/** Day of an ISO time; undefined for the fillers of programs that don't know. */
function toDay(time: string | undefined): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(time ?? '')?.[0];
  return day && day > '1980-01-02' && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

class Properties implements XmlListener {
  readonly #values: Map<string, string>;
  #text = '';

  constructor(values: Map<string, string>) {
    this.#values = values;
  }

  open(): void {
    this.#text = '';
  }

  close(name: string): void {
    const text = this.#text.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH).normalize('NFC');
    const local = localName(name);
    if (text !== '' && !this.#values.has(local)) this.#values.set(local, text);
    this.#text = '';
  }

  text(text: string): void {
    if (this.#text.length <= MAX_LENGTH) this.#text += text;
  }
}
