/** Which documents does the page's test engine hold? Written by hand, the same on every run. */
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Box } from '../../src/api/anchor.ts';
import { type Exclusion, ledgerStateOf } from '../../src/api/ledger.ts';
import type {
  Conversation,
  DocumentReference,
  DocumentRow,
  Folder,
  Hit,
  Status,
} from '../../src/api/types.ts';
import { models } from './page-models.ts';

const day = Date.UTC(2025, 2, 3, 9, 30);

export const folders: Folder[] = [
  folder(1, '/home/anna/Contracts', 'Contracts', 1204, 0, 8),
  folder(2, '/home/anna/Регламенты', 'Регламенты', 318, 61, 0),
  folder(3, '/home/anna/Finance 2025', 'Finance 2025', 112, 0, 0),
];

function folder(
  id: number,
  path: string,
  name: string,
  indexed: number,
  waiting: number,
  failed: number,
): Folder {
  return { id, path, name, counts: { indexed, waiting, failed }, isUnreachable: false, indexedAtMs: day };
}

export const status: Status = {
  version: '0.1.0',
  libraryPath: '/home/anna/.lectern',
  counts: { indexed: 1634, waiting: 61, failed: 8 },
  chunks: 48_210,
  models,
  method: 'hybrid',
  samplePath: '/opt/lectern/sample-library',
};

const references: DocumentReference[] = [
  reference(1, 1, '2025/Supply agreement 2025-014.pdf', 'Supply agreement 2025-014', 'pdf'),
  reference(2, 1, '2025/Annex C, framework orders.md', 'Annex C, framework orders', 'markdown'),
  { ...reference(3, 1, '2023/Terms overview.csv', 'Terms overview', 'csv'), isArchived: true },
  reference(4, 2, 'Командировки.txt', 'Порядок командировок', 'text'),
];

function reference(
  id: number,
  folderId: number,
  path: string,
  title: string,
  kind: DocumentReference['kind'],
): DocumentReference {
  return { id, folderId, path, title, kind, isArchived: false };
}

const ref = (id: number): DocumentReference => references[id - 1]!;

export const clauses = [
  '12.1 This Agreement enters into force on the date of the last signature.',
  '12.2 Either party may terminate with immediate effect if the other party',
  'commits a material breach and fails to remedy it within fourteen days.',
  "12.3 The Supplier may terminate this Agreement by giving sixty (60) days'",
  'written notice effective at the end of a calendar quarter; the Buyer may do',
  "so by giving thirty (30) days' notice.",
  '12.4 Termination does not affect orders confirmed before the notice takes',
  'effect, which are completed in accordance with Annex C.',
];

const fontSize = 12;
const lineStep = 20;
const topLine = 700;
const left = 72;

/** Twelve pages; the clauses stand on the seventh. */
export async function agreementPdf(): Promise<{ bytes: Uint8Array; boxes: Box[] }> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  const boxes: Box[] = [];
  for (let page = 1; page <= 12; page++) {
    const sheet = pdf.addPage([595, 842]);
    sheet.drawText(page === 7 ? '12. Term and termination' : `Supply agreement, page ${page}`, {
      x: left,
      y: topLine + 44,
      size: 16,
      font,
    });
    if (page !== 7) continue;
    clauses.forEach((line, index) => {
      const y = topLine - index * lineStep;
      sheet.drawText(line, { x: left, y, size: fontSize, font });
      const width = font.widthOfTextAtSize(line, fontSize);
      if (index >= 3 && index <= 5) boxes.push({ x: left, y: y - 3, width, height: fontSize + 3 });
    });
  }
  return { bytes: await pdf.save(), boxes };
}

export const annex = `# Annex C, framework orders

## 3. Prices

Prices are fixed for the calendar year.

## 4. Orders in hand

Orders confirmed before the notice takes effect are completed under the terms in force on the day of confirmation.

- Delivery notes are kept for five years.
- The longer of the two periods applies.
`;

export const trips = `Порядок командировок

1. Командировку согласует руководитель отдела не позднее чем за три рабочих дня.
2. Авансовый отчёт сдаётся в бухгалтерию в течение пяти рабочих дней после возвращения.
3. Авансовый отчёт утверждает финансовый директор.
`;

export const terms = [
  ['Contract', 'Party', 'Notice', 'Form'],
  ['2025-014', 'Supplier', '60 days', 'written'],
  ['2023-009', 'Supplier', '30 days', 'written'],
  ['2023-011', 'Buyer', '30 days', 'written'],
];

const matchesOf = (text: string, words: string[]): { start: number; end: number }[] =>
  words.flatMap((word) => {
    const start = text.indexOf(word);
    return start < 0 ? [] : [{ start, end: start + word.length }];
  });

function hit(
  rank: number,
  document: DocumentReference,
  text: string,
  headings: string[],
  anchors: Hit['anchors'],
  words: string[],
): Hit {
  return {
    rank,
    score: 0.91 - rank * 0.12,
    document,
    start: rank * 1000,
    end: rank * 1000 + text.length,
    text,
    headings,
    anchors,
    matches: matchesOf(text, words),
    why: {
      lists: [
        { name: 'keywords', rank, score: 4.2 },
        { name: 'vectors', rank: rank + 1, score: 0.62 },
      ],
      moves: rank === 1 ? ['forced: exact phrase'] : [],
    },
  };
}

export function hitsOf(boxes: Box[]): Hit[] {
  const lit = clauses.slice(3, 6).join(' ');
  return [
    hit(
      1,
      ref(1),
      lit,
      ['12. Term and termination'],
      [{ kind: 'page', page: 7, boxes }],
      ['sixty (60) days', 'notice'],
    ),
    hit(
      2,
      ref(2),
      'Orders confirmed before the notice takes effect are completed under the terms in force on the day of confirmation.',
      ['Annex C, framework orders', '4. Orders in hand'],
      [{ kind: 'lines', from: 9, to: 9 }],
      ['notice'],
    ),
    hit(
      3,
      ref(3),
      'Contract: 2023-009 · Party: Supplier · Notice: 30 days · Form: written',
      [],
      [{ kind: 'cells', sheet: 'Terms overview', range: 'A3:D3' }],
      ['Supplier', 'Notice'],
    ),
    hit(
      4,
      ref(1),
      clauses.slice(6, 8).join(' '),
      ['12. Term and termination'],
      [{ kind: 'page', page: 7, boxes: boxes.slice(0, 1).map((box) => ({ ...box, y: box.y - 60 })) }],
      ['notice'],
    ),
  ];
}

export function russianHits(): Hit[] {
  return [
    hit(
      1,
      ref(4),
      'Авансовый отчёт утверждает финансовый директор.',
      ['Порядок командировок'],
      [{ kind: 'lines', from: 5, to: 5 }],
      ['Авансовый отчёт', 'утверждает'],
    ),
  ];
}

export const earlier: Conversation[] = [
  { id: 1, question: 'Кто утверждает авансовый отчёт?', askedAtMs: day, scope: { folderId: 2 } },
  { id: 2, question: 'Penalty for late delivery', askedAtMs: day - 86_400_000 },
  { id: 3, question: 'Total training budget 2025', askedAtMs: day - 2 * 86_400_000 },
];

/** The ledger: the four documents above, then those that were not read, then many more. */
export function ledgerRows(): DocumentRow[] {
  const read = references.map((one) =>
    ledgerRow(one.id, { ...one, state: 'indexed', pages: one.kind === 'pdf' ? 12 : undefined }),
  );
  const bad: DocumentRow[] = [
    ledgerRow(5, {
      path: '2024/Payroll.pdf',
      title: 'Payroll.pdf',
      kind: 'pdf',
      state: 'failed',
      reason: 'encrypted',
      message: 'The document could not be read: Payroll.pdf: remove its password and read it again.',
    }),
    ledgerRow(6, {
      path: '2024/broken.docx',
      title: 'broken.docx',
      kind: 'docx',
      state: 'failed',
      reason: 'damaged',
    }),
    ledgerRow(7, {
      path: 'scans/Letter of 3 March.pdf',
      title: 'Letter of 3 March',
      kind: 'pdf',
      state: 'waiting',
      reason: 'no-text',
      pages: 2,
    }),
    ledgerRow(8, {
      path: '2024/Annual accounts.pdf',
      title: 'Annual accounts',
      kind: 'pdf',
      state: 'indexed',
      pages: 80,
      warnings: [
        { code: 'pages-without-text', message: 'No text on pages 41–44: pictures need recognition' },
        { code: 'attachments', message: 'Attached files not read: notes.zip: save them beside the document' },
      ],
    }),
  ];
  const more = Array.from({ length: 1200 }, (_, index) =>
    ledgerRow(100 + index, {
      path: `2022/Contract ${String(index + 1).padStart(4, '0')}.pdf`,
      title: `Contract ${String(index + 1).padStart(4, '0')}`,
      kind: 'pdf',
      state: 'indexed',
    }),
  );
  return [...read, ...bad, ...more];
}

/** What was left out of the folders. */
export const exclusions: Exclusion[] = [
  { folderId: 1, path: '.git/', reason: 'hidden' },
  { folderId: 1, path: '2025/~$lease.docx', reason: 'system' },
  { folderId: 1, path: 'drafts/', reason: 'ignored' },
  { folderId: 1, path: 'elsewhere', reason: 'link' },
];

function ledgerRow(
  id: number,
  row: Partial<DocumentRow> & Pick<DocumentRow, 'path' | 'title' | 'state'>,
): DocumentRow {
  const { state, reason, warnings = [] } = row;
  return {
    folderId: 1,
    sizeBytes: 48_000 + id,
    modifiedAtMs: day,
    language: 'en',
    isArchived: false,
    warnings,
    ...row,
    ledgerState: ledgerStateOf({ state, reason, warnings }),
    id,
  };
}
