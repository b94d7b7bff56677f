import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Parser } from '../../src/engine/document.ts';
import { parseDocx } from '../../src/engine/parse/docx/parse-docx.ts';
import { parseCsv } from '../../src/engine/parse/sheet/parse-csv.ts';
import { parseXlsx } from '../../src/engine/parse/sheet/parse-xlsx.ts';
import { readAll, sourceFile } from '../e2e/read-parts.ts';

const folder = path.dirname(fileURLToPath(import.meta.url));
const isUpdate = process.env.UPDATE === '1';
const parsers: Record<string, Parser> = { docx: parseDocx, xlsx: parseXlsx, csv: parseCsv };

const cases: { name: string; kind: string }[] = [];
for (const kind of Object.keys(parsers)) {
  for (const name of await readdir(path.join(folder, kind))) {
    if (!name.endsWith('.json')) cases.push({ kind, name: path.join(kind, name) });
  }
}

describe('office files', () => {
  it.each(cases)('give the same text, blocks, anchors and tables: $name', async ({ name, kind }) => {
    const file = path.join(folder, name);
    const { text, blocks, tables, metadata, warnings } = await readAll(
      parsers[kind]!,
      await sourceFile(file),
    );
    const found = {
      text,
      blocks: blocks.map(({ kind: block, level, offset, text: own, spans, row }) => ({
        kind: block,
        ...(level === undefined ? {} : { level }),
        start: offset,
        end: offset + own.length,
        anchors: spans.map((span) => [span.start, span.end, span.anchor]),
        ...(row ? { row } : {}),
      })),
      tables,
      metadata,
      warnings,
    };
    const golden = `${file}.json`;
    if (isUpdate || !existsSync(golden)) await writeFile(golden, `${JSON.stringify(found, undefined, 1)}\n`);
    expect(found).toEqual(JSON.parse(await readFile(golden, 'utf8')));
  });
});
