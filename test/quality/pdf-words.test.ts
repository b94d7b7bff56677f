import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePdf } from '../../src/engine/parse/pdf/parse-pdf.ts';
import { testData } from '../test-data.ts';
import { compareWords, type WordFidelity } from './pdf-words.ts';

const isFull = process.env.LECTERN_FULL !== undefined;
const places = ['eval/northwind', ...(isFull ? ['fixtures'] : [])];
/** Files in which the other reader divides or repeats what is printed as one: told apart by eye. */
const readBetter: Record<string, string> = {
  'bug1157493.pdf': 'seven letters that stand apart are words of one letter to the other',
  'bug900822.pdf': 'words whose letters stand apart are divided by the other',
  'fake-bold-sample.pdf': 'letters that are drawn twice are divided by the other',
  'bug894572.pdf': 'a font without names: both read signs that mean nothing',
};
/** Ours: numbers that touch in a chart. */
const faults: Record<string, string> = { 'dsv3_performance.pdf': 'five pairs of numbers over touching bars' };

const pdfs = places.flatMap((place) => {
  const folder = testData(place);
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => path.join(folder, name));
});
const hasReader = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Undefined where the other reader can't open the file, or finds nothing. */
async function compare(file: string): Promise<WordFidelity | undefined> {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  let theirs: string;
  try {
    const how = { encoding: 'utf8', maxBuffer: 2 ** 28, stdio } as const;
    theirs = execFileSync('pdftotext', ['-enc', 'UTF-8', file, '-'], how);
  } catch {
    return undefined;
  }
  if (theirs.trim() === '') return undefined;
  let ours = '';
  const source = { path: file, name: path.basename(file), sizeBytes: statSync(file).size };
  for await (const part of parsePdf(source, AbortSignal.timeout(60_000))) {
    if (part.type === 'block') ours += part.block.text;
  }
  return compareWords(ours, theirs);
}

describe.skipIf(!hasReader || pdfs.length === 0)('words of PDFs beside those of pdftotext', () => {
  it('are 98 in a hundred in every file, and 99.8 in all', { timeout: 300_000 }, async () => {
    let [total, lost] = [0, 0];
    const low: string[] = [];
    for (const file of pdfs) {
      const name = path.basename(file);
      const found = await compare(file).catch((error: Error) => {
        low.push(`${name}: ${error.message}`);
      });
      if (!found || name in readBetter) continue;
      total += found.total;
      lost += found.total * (1 - found.recall);
      if (found.recall < 0.98 && !(name in faults))
        low.push(`${name}: ${found.recall.toFixed(3)} of ${found.total}`);
    }
    expect(low).toEqual([]);
    expect(total).toBeGreaterThan(10_000);
    expect(1 - lost / total).toBeGreaterThan(0.998);
  });
});
