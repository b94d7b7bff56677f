/** A Word document with headings, tables, a page header and a footer. */
import {
  Document,
  Footer,
  Header,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { type Piece, readSource } from './read-source.ts';

export async function makeDocx(source: string, author: string): Promise<Uint8Array> {
  const pieces = readSource(source);
  const title = pieces.find((piece) => piece.kind === 'title');
  const name = title && 'text' in title ? title.text : '';
  const document = new Document({
    creator: author,
    title: name,
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('Tarnholm Optics')] }) },
        footers: { default: new Footer({ children: [new Paragraph(name)] }) },
        children: pieces.flatMap(toElements),
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}

function toElements(piece: Piece): (Paragraph | Table)[] {
  switch (piece.kind) {
    case 'title':
      return [new Paragraph({ text: piece.text, heading: HeadingLevel.TITLE })];
    case 'heading':
      return [new Paragraph({ text: piece.text, heading: HeadingLevel.HEADING_1 })];
    case 'paragraph':
      return [new Paragraph({ text: piece.text, spacing: { after: 120 } })];
    case 'table':
      return [toTable(piece.rows), new Paragraph('')];
  }
}

function toTable(rows: string[][]): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          tableHeader: index === 0,
          children: cells.map(
            (text) =>
              new TableCell({
                children: [new Paragraph({ children: [new TextRun({ text, bold: index === 0 })] })],
              }),
          ),
        }),
    ),
  });
}
