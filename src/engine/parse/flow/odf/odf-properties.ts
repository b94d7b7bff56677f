/** What does an OpenDocument file say of itself, and is it under a password? */
import type { Language } from '../../../../api/types.ts';
import { odf as limits } from '../../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../../document.ts';
import { type Attributes, readXml, type XmlListener } from '../../zip/read-xml.ts';
import type { ZipArchive } from '../../zip/zip-archive.ts';

const languages = ['ru', 'en', 'pl', 'de', 'es'] as const satisfies readonly Language[];

/** Throws ParseFailure encrypted. */
export async function refuseEncrypted(
  archive: ZipArchive,
  file: SourceFile,
  signal: AbortSignal,
): Promise<void> {
  const manifest = await archive.readWhole('META-INF/manifest.xml', limits.maxManifestBytes, signal);
  if (!manifest?.includes('encryption-data')) return;
  throw new ParseFailure(
    'encrypted',
    `The file could not be opened: ${file.name}: it needs a password; save a copy without one.`,
  );
}

export async function readOdfProperties(archive: ZipArchive, signal: AbortSignal): Promise<DocumentMetadata> {
  const properties = new OdfProperties();
  await readXml(archive, 'meta.xml', properties, signal);
  return properties.metadata;
}

/** Hears meta.xml, or the same elements of a flat file. */
export class OdfProperties implements XmlListener {
  readonly metadata: DocumentMetadata = {};
  #text = '';

  open(name: string, attributes: Attributes): void {
    this.#text = '';
    const pages = Number(attributes['meta:page-count']);
    if (name === 'meta:document-statistic' && pages > 0) this.metadata.pages = pages;
  }

  close(name: string): void {
    const text = this.#text
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .slice(0, limits.maxPropertyLength)
      .normalize('NFC');
    this.#text = '';
    if (text === '') return;
    if (name === 'dc:title') this.metadata.title = text;
    else if (name === 'dc:creator' || (name === 'meta:initial-creator' && !this.metadata.author))
      this.metadata.author = text;
    else if (name === 'dc:date' || (name === 'meta:creation-date' && !this.metadata.date)) {
      const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
      if (day && day > '1980-01-02' && !Number.isNaN(Date.parse(day))) this.metadata.date = day;
    } else if (name === 'dc:language') {
      const language = languages.find((known) => text.toLowerCase().startsWith(known));
      if (language) this.metadata.language = language;
    }
  }

  text(text: string): void {
    if (this.#text.length < limits.maxPropertyLength) this.#text += text;
  }
}
