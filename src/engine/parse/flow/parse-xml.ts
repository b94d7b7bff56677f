/** Which blocks does XML hold, and where do they stand? */
import { ParseFailure, type Parser } from '../../document.ts';
import type { XmlListener } from '../zip/read-xml.ts';
import { type FlowItem, itemParts } from './flow-items.ts';
import { FlowParts } from './flow-parts.ts';
import { OdfStyles } from './odf/styles.ts';
import { OdfTextReader } from './odf/text-reader.ts';
import { XmlDocumentReader } from './xml/document-reader.ts';
import { feedXml, readXmlText } from './xml/read-xml-file.ts';
import { vocabularyOf } from './xml/vocabularies.ts';

/** Start of a text that shows its vocabulary, in UTF-16 units; patents declare pages of pictures before their root. */
const HEAD_LENGTH = 65_536;

export const parseXml: Parser = async function* (file, signal) {
  const { text, encoding } = await readXmlText(file);
  const vocabulary = vocabularyOf(text.slice(0, HEAD_LENGTH)) ?? 'other';
  const reader =
    vocabulary === 'odf' ? new OdfTextReader(new OdfStyles()) : new XmlDocumentReader(vocabulary);
  const flow = new FlowParts();
  let hasText = false;
  yield { type: 'metadata', metadata: { kind: 'xml', encoding } };
  for (const items of readItems(text, reader)) {
    signal.throwIfAborted();
    if (reader instanceof XmlDocumentReader && !hasText)
      yield { type: 'metadata', metadata: reader.metadata };
    for (const part of itemParts(flow, items)) {
      hasText = true;
      yield part;
    }
  }
  if (reader instanceof XmlDocumentReader) yield { type: 'metadata', metadata: reader.metadata };
  if (!hasText)
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: there is no text in its elements.`);
};

type ItemReader = XmlListener & { take(): FlowItem[]; margins?: FlowItem[] };

function* readItems(text: string, reader: ItemReader): Generator<FlowItem[]> {
  for (const _ of feedXml(text, reader)) yield reader.take();
  yield [...reader.take(), ...(reader.margins ?? [])];
}
