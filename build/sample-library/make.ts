/** Makes the Word, PDF and Excel files of the sample library from their sources; the result is committed, so users never need this. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDocx } from './make-docx.ts';
import { makePdf, makeScan } from './make-pdf.ts';
import { makeBudget, makeOrders, makeStaffing } from './make-sheets.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const library = path.resolve(here, '../../resources/sample-library');
const source = (name: string): string => readFileSync(path.join(here, 'source', `${name}.md`), 'utf8');

const documents: Record<string, () => Promise<Uint8Array>> = {
  'Contracts/Supply agreement 2025-014.pdf': () => makePdf(source('supply-agreement-2025-014')),
  'Contracts/Annex C framework orders.docx': () => makeDocx(source('annex-c-framework-orders'), 'Purchasing'),
  'Contracts/NDA Lindqvist Photonics.docx': () => makeDocx(source('nda-lindqvist'), 'Legal'),
  'Contracts/Warehouse lease Fyrislund.pdf': () => makePdf(source('warehouse-lease')),
  'Handbook/Employee handbook 2026.docx': () => makeDocx(source('employee-handbook'), 'Human Resources'),
  'Handbook/Travel policy 2026.pdf': () => makePdf(source('travel-policy')),
  'Minutes/Board minutes January 2026.docx': () => makeDocx(source('board-minutes-2026-01'), 'Sanna Ekdahl'),
  'Finance/Budget 2026.xlsx': makeBudget,
  'Finance/Orders 2025.xlsx': makeOrders,
  'Договоры/Договор поставки 07-2025.docx': () => makeDocx(source('supply-contract-ru'), 'Юридический отдел'),
  'Договоры/Договор аренды 41-А.pdf': () => makePdf(source('office-lease-ru')),
  'Регламенты/Регламент командировок 2025.docx': () =>
    makeDocx(source('travel-rules-ru-2025'), 'Лариса Ветрова'),
  'Регламенты/Архив/Регламент командировок 2023.docx': () =>
    makeDocx(source('travel-rules-ru-2023'), 'Лариса Ветрова'),
  'Регламенты/Регламент закупок.pdf': () => makePdf(source('purchasing-rules-ru')),
  'Финансы/Штатное расписание 2026.xlsx': makeStaffing,
  'Сканы/Акт приёмки насоса.pdf': makeScan,
};

for (const [name, make] of Object.entries(documents)) {
  const target = path.join(library, name);
  mkdirSync(path.dirname(target), { recursive: true });
  const bytes = await make();
  writeFileSync(target, bytes);
  console.log(`${name}: ${bytes.byteLength} bytes`);
}
