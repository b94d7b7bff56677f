/** Which Word documents do the tests of the parser and of the view read? */
import {
  AlignmentType,
  Bookmark,
  CheckBox,
  DeletedTextRun,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  Math as Formula,
  Header,
  HeadingLevel,
  InsertedTextRun,
  LevelFormat,
  MathFraction,
  MathRun,
  Packer,
  PageBreak,
  PageNumber,
  Paragraph,
  SymbolRun,
  Tab,
  Table,
  TableCell,
  TableRow,
  TextRun,
  VerticalMergeType,
  WidthType,
} from 'docx';

const created = { author: 'Anna Petrova', date: '2024-03-01T00:00:00Z' };

const numbered = (format: (typeof LevelFormat)[keyof typeof LevelFormat], text: string, level: number) => ({
  level,
  format,
  text,
  alignment: AlignmentType.START,
  style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } },
});

const numbering = {
  config: [
    {
      reference: 'clauses',
      levels: [
        numbered(LevelFormat.DECIMAL, '%1.', 0),
        numbered(LevelFormat.DECIMAL, '%1.%2.', 1),
        numbered(LevelFormat.LOWER_LETTER, '%3)', 2),
      ],
    },
    { reference: 'points', levels: [numbered(LevelFormat.BULLET, '•', 0)] },
  ],
};

const cell = (
  text: string,
  options: { span?: number; merge?: 'restart' | 'continue'; isBold?: boolean } = {},
) =>
  new TableCell({
    children: [new Paragraph({ children: [new TextRun({ text, bold: options.isBold ?? false })] })],
    ...(options.span ? { columnSpan: options.span } : {}),
    ...(options.merge
      ? {
          verticalMerge: options.merge === 'restart' ? VerticalMergeType.RESTART : VerticalMergeType.CONTINUE,
        }
      : {}),
  });

const table = (rows: TableRow[]) => new Table({ width: { size: 100, type: WidthType.PERCENTAGE }, rows });

/** A lease in English with everything that changes a paragraph's text on its way to the screen. */
export async function englishLease(): Promise<Buffer> {
  const document = new Document({
    title: 'Lease of the Northgate warehouse',
    creator: 'Anna Petrova',
    numbering,
    footnotes: {
      1: { children: [new Paragraph('The index is published by the statistics office in February.')] },
    },
    sections: [
      {
        headers: { default: new Header({ children: [new Paragraph('Confidential draft')] }) },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                children: [new TextRun('Page '), new TextRun({ children: [PageNumber.CURRENT] })],
              }),
            ],
          }),
        },
        children: [
          new Paragraph({ text: 'Lease of the Northgate warehouse', heading: HeadingLevel.TITLE }),
          new Paragraph({ text: 'Rent and indexation', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun('The rent of '),
              new TextRun({ text: '12,400 euros', bold: true }),
              new TextRun(' is indexed once a year'),
              new FootnoteReferenceRun(1),
              new TextRun(', no later than 15 March.'),
            ],
          }),
          new Paragraph({ text: 'Duties of the tenant', numbering: { reference: 'clauses', level: 0 } }),
          new Paragraph({
            text: 'The tenant keeps the loading bay clear.',
            numbering: { reference: 'clauses', level: 1 },
          }),
          new Paragraph({
            text: 'The tenant insures the goods.',
            numbering: { reference: 'clauses', level: 1 },
          }),
          new Paragraph({ text: 'against fire', numbering: { reference: 'clauses', level: 2 } }),
          new Paragraph({ text: 'Duties of the landlord', numbering: { reference: 'clauses', level: 0 } }),
          new Paragraph({
            text: 'The landlord repairs the roof.',
            numbering: { reference: 'clauses', level: 1 },
          }),
          new Paragraph({
            text: 'Keys are handed over in person',
            numbering: { reference: 'points', level: 0 },
          }),
          new Paragraph({
            children: [
              new TextRun({ children: ['Deposit', new Tab(), 'three months'] }),
              new TextRun({ text: 'paid in advance', break: 1 }),
              new TextRun(' & kept <apart>'),
            ],
          }),
          new Paragraph({
            children: [
              new TextRun('The notice period is '),
              new DeletedTextRun({ id: 1, text: 'six months', ...created }),
              new InsertedTextRun({ id: 2, text: 'ninety days', ...created }),
              new TextRun(' for both sides.'),
            ],
          }),
          new Paragraph({
            children: [
              new TextRun('See '),
              new ExternalHyperlink({
                link: 'https://example.org/rules',
                children: [new TextRun('the house rules')],
              }),
              new TextRun(' and '),
              new Bookmark({ id: 'annex', children: [new TextRun('annex B')] }),
              new SymbolRun({ char: 'F0FC', symbolfont: 'Wingdings' }),
              new TextRun(' before signing.'),
            ],
          }),
          new Paragraph({
            children: [
              new TextRun('The yearly rate is '),
              new Formula({
                children: [
                  new MathFraction({ numerator: [new MathRun('a')], denominator: [new MathRun('b')] }),
                ],
              }),
              new TextRun(' of the base rent.'),
            ],
          }),
          new Paragraph({
            children: [new TextRun('Before the break.'), new PageBreak(), new TextRun('After the break.')],
          }),
          table([
            new TableRow({ tableHeader: true, children: [cell('Hall'), cell('Area, m²'), cell('Rent, €')] }),
            new TableRow({ children: [cell('North', { merge: 'restart' }), cell('1 200'), cell('7,400')] }),
            new TableRow({ children: [cell('', { merge: 'continue' }), cell('800'), cell('5,000')] }),
            new TableRow({ children: [cell('All halls', { span: 2 }), cell('12,400')] }),
          ]),
          new Paragraph({ children: [new CheckBox({ checked: true }), new TextRun('agreed by both sides')] }),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}

/** A regulation in Russian: headings set by hand, a table without a marked header. */
export async function russianRegulation(): Promise<Buffer> {
  const document = new Document({
    title: 'Положение о командировках',
    creator: 'Отдел кадров',
    numbering,
    footnotes: { 1: { children: [new Paragraph('Для Москвы и Санкт-Петербурга — до 5 000 ₽ в сутки.')] } },
    sections: [
      {
        children: [
          new Paragraph({ children: [new TextRun({ text: 'Общие правила', bold: true })] }),
          new Paragraph({
            children: [
              new TextRun('Суточные по России составляют '),
              new TextRun({ text: '1 500 рублей', italics: true }),
              new FootnoteReferenceRun(1),
              new TextRun(' за каждый день поездки.'),
            ],
          }),
          new Paragraph({
            text: 'Отчёт сдают в течение трёх рабочих дней.',
            numbering: { reference: 'clauses', level: 0 },
          }),
          new Paragraph({
            text: 'Билеты прикладывают к отчёту.',
            numbering: { reference: 'clauses', level: 1 },
          }),
          table([
            new TableRow({ children: [cell('Город', { isBold: true }), cell('Норма, ₽', { isBold: true })] }),
            new TableRow({ children: [cell('Казань'), cell('4 200,50')] }),
            new TableRow({ children: [cell('Якутск'), cell('6 100')] }),
          ]),
        ],
      },
    ],
  });
  return Packer.toBuffer(document);
}
