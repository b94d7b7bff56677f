/** Which blocks does an OpenDocument text hold, and where do they stand? */
import { ParseFailure, type Parser } from '../../document.ts';
import { readXml, xmlPieces } from '../zip/read-xml.ts';
import { ZipArchive } from '../zip/zip-archive.ts';
import { itemParts } from './flow-items.ts';
import { FlowParts } from './flow-parts.ts';
import { readOdfProperties, refuseEncrypted } from './odf/odf-properties.ts';
import { OdfStyles } from './odf/styles.ts';
import { OdfTextReader } from './odf/text-reader.ts';

/** Notes, comments and text boxes stand behind the paragraph that holds them; headers and footers at the end. */
export const parseOdt: Parser = async function* (file, signal) {
  const archive = await ZipArchive.open(file);
  try {
    await refuseEncrypted(archive, file, signal);
    yield { type: 'metadata', metadata: { kind: 'odt', ...(await readOdfProperties(archive, signal)) } };
    const reader = new OdfTextReader(new OdfStyles());
    await readXml(archive, 'styles.xml', reader, signal);
    reader.take();
    const flow = new FlowParts();
    let hasText = false;
    const pieces = xmlPieces(archive, 'content.xml', reader, signal);
    let next = await pieces.next();
    for (; !next.done; next = await pieces.next()) {
      for (const part of itemParts(flow, reader.take())) {
        hasText = true;
        yield part;
      }
    }
    for (const part of itemParts(flow, [...reader.take(), ...reader.margins])) {
      hasText = true;
      yield part;
    }
    if (next.value !== 'whole' && !hasText)
      throw failure('damaged', file.name, 'its text is broken: save the file again');
    if (!hasText) throw failure('empty', file.name, 'there is no text in it');
    if (next.value === 'damaged') {
      const message = `${file.name}: the document is broken; what follows the break was left out.`;
      yield { type: 'warning', warning: { code: 'damaged', message } };
    }
  } finally {
    archive.close();
  }
};

function failure(reason: 'damaged' | 'empty', name: string, what: string): ParseFailure {
  return new ParseFailure(reason, `The document could not be read: ${name}: ${what}.`);
}
