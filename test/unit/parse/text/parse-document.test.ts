/** Does content decide how a file is read, and is every file that can't be read told why? */
import { deflateRawSync } from 'node:zlib';
import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../../src/engine/parse/parse-document.ts';
import { withFile } from '../read-parts.ts';

const zip = (...names: string[]): Promise<Uint8Array> => {
  const archive = new JSZip();
  for (const name of names) archive.file(name, '<x/>');
  return archive.generateAsync({ type: 'uint8array' });
};

/** A compound file as old Office writes it: the directory stands in sector 1 and names its streams in UTF-16. */
function compoundFile(...streams: string[]): Uint8Array {
  const bytes = Buffer.alloc(512 * 4);
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.write('Root Entry', 1024, 'utf16le');
  for (const [at, name] of streams.entries()) bytes.write(name, 1024 + 128 * (at + 1), 'utf16le');
  return bytes;
}

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');
const sound = Buffer.from('664c614300000022100010000000000000000ac442f000000000', 'hex');
const rawPhoto = Buffer.from('49492a001000000043520200', 'hex');

describe('kindOf', () => {
  const kinds: { name: string; content: string | Uint8Array | Promise<Uint8Array>; kind: string }[] = [
    { name: 'a.txt', content: 'words', kind: 'text' },
    { name: 'no-extension', content: 'words', kind: 'text' },
    { name: 'a.unknown', content: 'words', kind: 'text' },
    { name: 'a.md', content: '# words', kind: 'markdown' },
    { name: 'a.py', content: 'x = 1', kind: 'code' },
    { name: 'a.csv', content: 'a,b\n1,2', kind: 'csv' },
    { name: 'a.htm', content: 'words', kind: 'html' },
    { name: 'a.txt', content: '%PDF-1.7\n', kind: 'pdf' },
    { name: 'a.pdf', content: 'junk before\n%PDF-1.4\n', kind: 'pdf' },
    {
      name: 'a.docx',
      content: Buffer.from('\u0001\u00ff\u00fe%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3', 'latin1'),
      kind: 'pdf',
    },
    { name: 'notes.txt', content: 'Every PDF begins with %PDF- and a version.', kind: 'text' },
    { name: 'page', content: '\ufeff<!-- saved -->\n<!DOCTYPE html><p>x', kind: 'html' },
    { name: 'report.pdf', content: '<html><body>Not found</body></html>', kind: 'html' },
    { name: 'utf16.txt', content: Buffer.from('\ufeff<html><body>x</body></html>', 'utf16le'), kind: 'html' },
    { name: 'a.zip', content: zip('[Content_Types].xml', 'word/document.xml'), kind: 'docx' },
    { name: 'a.docx', content: zip('[Content_Types].xml', 'xl/workbook.xml'), kind: 'xlsx' },
    { name: 'a.doc', content: compoundFile('WordDocument'), kind: 'doc' },
    { name: 'a.odt', content: zip('mimetype', 'content.xml'), kind: 'odt' },
    { name: 'a.zip', content: zip('ppt/presentation.xml'), kind: 'pptx' },
    { name: 'a.bin', content: zip('notes.txt'), kind: 'archive' },
    { name: 'a.odp', content: zip('mimetype', 'content.xml'), kind: 'odp' },
    { name: 'a.txt', content: compoundFile('PowerPoint Document'), kind: 'ppt' },
    { name: 'a.txt', content: '{\\rtf1 words}', kind: 'rtf' },
    { name: 'book.zip', content: zip('META-INF/container.xml', 'text/one.xhtml'), kind: 'epub' },
    { name: 'talk.txt', content: 'WEBVTT\n\n00:01.000 --> 00:02.000\nWords', kind: 'transcript' },
    { name: 'guide.txt', content: '<?xml version="1.0"?><FictionBook><body/></FictionBook>', kind: 'xml' },
    { name: 'pom.xml', content: '<project><version>1</version></project>', kind: 'code' },
    { name: 'a.txt', content: compoundFile('Workbook'), kind: 'xls' },
    { name: 'a.ppt', content: compoundFile('PowerPoint Document', 'Workbook'), kind: 'ppt' },
    { name: 'a.eml', content: 'From: a@b.c\n\nwords', kind: 'mail' },
    { name: 'a.txt', content: png, kind: 'image' },
    { name: 'BMW.txt', content: 'BM words that begin as a bitmap does', kind: 'text' },
    { name: 'MZ.txt', content: 'MZ words that begin as a program does', kind: 'text' },
  ];
  it.each(kinds)('reads $name as $kind', async ({ name, content, kind }) => {
    expect(await withFile(name, await content, kindOf)).toBe(kind);
  });

  const failures: {
    name: string;
    content: string | Uint8Array | Promise<Uint8Array>;
    reason: string;
    says: RegExp;
  }[] = [
    { name: 'a.txt', content: '', reason: 'empty', says: /no bytes/ },
    { name: 'a.flac', content: sound, reason: 'unsupported', says: /audio\/.*flac/ },
    { name: 'a.txt', content: sound, reason: 'unsupported', says: /audio\/.*flac/ },
    { name: 'a.tif', content: rawPhoto, reason: 'unsupported', says: /image\/x-canon-cr2/ },
    {
      name: 'a.bin',
      content: Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 251),
      reason: 'unsupported',
      says: /binary/,
    },
    {
      name: 'a.pdf',
      content: Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7919) % 251),
      reason: 'damaged',
      says: /no PDF/,
    },
    { name: 'a.docx', content: compoundFile('EncryptedPackage'), reason: 'encrypted', says: /password/ },
    {
      name: 'a.jar',
      content: zip('META-INF/MANIFEST.MF', 'a.class'),
      reason: 'unsupported',
      says: /package/,
    },
    {
      name: 'a.zip',
      content: Buffer.concat([Buffer.from('PK\x03\x04cut'), deflateRawSync('x')]),
      reason: 'damaged',
      says: /cut or damaged/,
    },
    { name: 'a.vsd', content: compoundFile('VisioDocument'), reason: 'unsupported', says: /Visio/ },
    { name: 'a.pages', content: zip('Index/Document.iwa'), reason: 'unsupported', says: /Pages/ },
  ];
  it.each(failures)('refuses $name: $reason', async ({ name, content, reason, says }) => {
    const failure = await withFile(name, await content, kindOf).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'DOCUMENT_UNREADABLE', reason });
    expect((failure as Error).message).toMatch(says);
    expect((failure as Error).message).toMatch(/^[^:]+: [^:]+: .+\.$/);
  });
});
