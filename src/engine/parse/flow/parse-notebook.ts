/** Which blocks does a Jupyter notebook hold, and where do they stand? Its cells are read as one page. */
import { readFile } from 'node:fs/promises';
import markdownIt from 'markdown-it';
import { notebook as limits } from '../../config.ts';
import { ParseFailure, type Parser, type SourceFile } from '../../document.ts';
import { parseHtml } from '../html/parse-html.ts';
import { viewHtml } from '../html/view-html.ts';
import { escapeHtml } from './flow-page.ts';

export const parseNotebook: Parser = async function* (file, signal) {
  const page = await readNotebook(file);
  yield { type: 'metadata', metadata: { kind: 'notebook' } };
  for await (const part of parseHtml(page, signal)) if (part.type !== 'metadata') yield part;
};

export async function viewNotebook(file: SourceFile, signal: AbortSignal): Promise<string> {
  return viewHtml(await readNotebook(file), signal);
}

const style =
  'body{max-width:60em;margin:24px auto;padding:0 28px;font:16px/1.55 Georgia,serif}pre{white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace;background:#f4f1ea;padding:8px 12px}.output{background:none;border-left:3px solid #d8d2c6}td,th{padding:3px 8px;border:1px solid #cfc9bd}table{border-collapse:collapse}';

async function readNotebook(file: SourceFile): Promise<SourceFile> {
  if (file.sizeBytes > limits.maxBytes)
    throw failure('too-large', file, 'it is larger than the limit for notebooks: clear its outputs');
  const text = file.bytes ? Buffer.from(file.bytes).toString('utf8') : await readFile(file.path, 'utf8');
  const notebook = parseJson(text.replace(/^\ufeff/, ''));
  const cells =
    listOf(notebook, 'cells') ??
    listOf(notebook, 'worksheets')?.flatMap((sheet) => listOf(sheet, 'cells') ?? []);
  if (!cells) throw failure('damaged', file, 'it holds no cells: save it again');
  const body = cells.slice(0, limits.maxCells).map(drawCell).join('\n');
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${body}</body></html>`;
  const bytes = Buffer.from(html, 'utf8');
  return { path: file.path, name: file.name, sizeBytes: bytes.length, bytes };
}

function drawCell(cell: unknown): string {
  const source = textOf(field(cell, 'source') ?? field(cell, 'input'));
  const kind = field(cell, 'cell_type');
  if (kind === 'markdown') return markdownIt({ html: false }).render(source);
  if (kind === 'heading') {
    const level = Math.min(6, Math.max(1, Number(field(cell, 'level')) || 1));
    return `<h${level}>${escapeHtml(source)}</h${level}>`;
  }
  const outputs = (listOf(cell, 'outputs') ?? []).map(drawOutput);
  return [drawCode(source, ''), ...outputs].join('\n');
}

/** Text only: pictures and what needs a program to be seen are left out. */
function drawOutput(output: unknown): string {
  const data = field(output, 'data');
  const html = textOf(field(data, 'text/html'));
  if (html.includes('<table')) return html;
  const trace = listOf(output, 'traceback');
  const plain = trace
    ? trace.map((line) => String(line)).join('\n')
    : textOf(field(output, 'text') ?? field(data, 'text/markdown') ?? field(data, 'text/plain'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals colour text with control characters
  return drawCode(plain.replaceAll(/\u001b\[[\d;]*m/g, ''), ' class="output"');
}

function drawCode(text: string, attributes: string): string {
  return text.trim() === '' ? '' : `<pre${attributes}>\n${escapeHtml(text)}</pre>`;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown, name: string): unknown[] | undefined {
  const list = field(value, name);
  return Array.isArray(list) ? list : undefined;
}

/** Notebooks write text as one string or as its lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((line) => (typeof line === 'string' ? line : '')).join('');
  return typeof value === 'string' ? value : '';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(reason: 'too-large' | 'damaged', file: SourceFile, what: string): ParseFailure {
  return new ParseFailure(reason, `The notebook could not be read: ${file.name}: ${what}.`);
}
