import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { find, read as readContainer, write as writeContainer } from 'cfb';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { DocumentKind } from '../../../../src/api/types.ts';
import { ParseFailure, type SourceFile } from '../../../../src/engine/document.ts';
import { makeView } from '../../../../src/engine/parse/make-view.ts';
import { kindOf, parseDocument } from '../../../../src/engine/parse/parse-document.ts';
import { type ReadDocument, readAll, sourceFile, withFile } from '../../../e2e/read-parts.ts';
import { testData } from '../../../test-data.ts';
import {
  docbookSample,
  encryptedOdt,
  epubSample,
  mhtmlSample,
  notebookSample,
  odtSample,
  protectedEpub,
  rtfSample,
  srtSample,
} from './samples.ts';

const never = new AbortController().signal;

/** Text of every element that carries an identifier, read by another reader than the one that drew the page. */
function elementsOf(html: string): Map<string, string> {
  const found = new Map<string, string>();
  const textOf = (node: Tree.ChildNode): string =>
    node.nodeName === '#text'
      ? (node as Tree.TextNode).value
      : 'childNodes' in node
        ? node.childNodes.map(textOf).join('')
        : '';
  const visit = (node: Tree.ChildNode | Tree.Document): void => {
    if ('attrs' in node) {
      const id = node.attrs.find(({ name }) => name === 'data-block')?.value;
      if (id !== undefined) {
        expect(found.has(id), `${id} stands once`).toBe(false);
        found.set(id, textOf(node));
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return found;
}

async function proveAnchors(file: SourceFile, kind: DocumentKind, read: ReadDocument): Promise<void> {
  const view = await makeView(kind, file, never);
  const elements = elementsOf(Buffer.from(view!.bytes).toString('utf8'));
  for (const { text, spans } of read.blocks) {
    let covered = 0;
    for (const { start, end, anchor } of spans) {
      expect(text.slice(covered, start).trim(), 'no word without a place').toBe('');
      covered = end;
      if (anchor.kind !== 'element') throw new Error(`unexpected place: ${anchor.kind}`);
      const shown = elements.get(anchor.path)?.slice(anchor.start, anchor.end);
      expect(shown?.replaceAll(/\s+/g, ' ').normalize('NFC')).toBe(
        text.slice(start, end).replaceAll(/\s+/g, ' '),
      );
    }
    expect(text.slice(covered).trim()).toBe('');
  }
}

interface Expected {
  kind: DocumentKind;
  lines: string[];
  metadata?: Record<string, string>;
  absent?: string[];
}

async function check(name: string, bytes: Uint8Array, expected: Expected): Promise<void> {
  await withFile(name, bytes, async (file) => {
    expect(await kindOf(file)).toBe(expected.kind);
    const read = await readAll(parseDocument, file);
    const lines = read.blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text.trimEnd()}`);
    expect(lines).toEqual(expected.lines);
    expect(read.metadata).toMatchObject({ kind: expected.kind, ...expected.metadata });
    for (const word of expected.absent ?? []) expect(read.text).not.toContain(word);
    await proveAnchors(file, expected.kind, read);
  });
}

const oldWord = testData('fixtures/docling/legacy_sample.doc');

describe.skipIf(!oldWord)('an old Word document', () => {
  it('gives its title, headings, numbered lists and tables', async () => {
    const read = await readAll(parseDocument, await sourceFile(oldWord!));
    const lines = read.blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text.trimEnd()}`);
    expect(lines).toEqual(
      expect.arrayContaining([
        'title: Swimming in the lake',
        'heading1: Let’s swim!',
        'list-item: Paddle about',
        'list-item: 2. Don’t forget to drink water',
        'heading2: Let’s eat',
      ]),
    );
    expect(read.tables).toHaveLength(1);
    expect(read.metadata).toMatchObject({ kind: 'doc', author: 'Christoph Auer', pages: 2 });
  });

  it('is refused with a reason where it is under a password', async () => {
    const container = readContainer(readFileSync(oldWord!), { type: 'buffer' });
    const stream = find(container, 'WordDocument')!;
    const content = Buffer.from(stream.content as Uint8Array);
    content[0x0b]! |= 1;
    stream.content = content;
    const bytes = writeContainer(container, { type: 'buffer' }) as Buffer;
    await withFile('locked.doc', bytes, async (file) => {
      await expect(readAll(parseDocument, file)).rejects.toMatchObject({ reason: 'encrypted' });
    });
  });
});

describe('rich text', () => {
  it('gives headings, lists, tables, notes and margins, and leaves hidden and deleted words out', async () => {
    await check('sample.rtf', rtfSample, {
      kind: 'rtf',
      metadata: { title: 'Договор', author: 'A. Petrova', date: '2023-04-07' },
      absent: ['hidden', 'deleted', '8950', 'HYPERLINK'],
      lines: [
        'heading1: 1. Delivery',
        'paragraph: Срок поставки — ten days.',
        'footnote: Calendar days.',
        'list-item: a) the first item',
        'row: Year\tSum',
        'row: 2023\t1 450',
        'row: 2023\t2 300',
        'paragraph: After the table. Linked words',
        'paragraph: α',
        'margin: Running head',
      ],
    });
  });

  it('survives groups without end, pictures without size and nesting without bottom', async () => {
    const broken = [
      '{\\rtf1 open {\\b words',
      `{\\rtf1 ${'{'.repeat(200_000)}deep words`,
      '{\\rtf1 before\\bin99999999 rest',
    ];
    for (const text of broken) {
      await withFile('broken.rtf', text, async (file) => {
        const read = await readAll(parseDocument, file);
        expect(read.text).toMatch(/words|before/);
      });
    }
  });
});

describe('an OpenDocument text', () => {
  it('gives numbered headings and lists, tables with merged cells, notes, comments, boxes and margins', async () => {
    await check('sample.odt', odtSample, {
      kind: 'odt',
      metadata: { title: 'Supply rules', author: 'Анна Петрова', date: '2023-04-07', language: 'ru' },
      absent: ['hidden', 'deleted'],
      lines: [
        'title: Supply rules',
        'heading1: 1. Delivery',
        'paragraph: Срок поставки ten  days.',
        'footnote: Calendar days.',
        'footnote: Ask the lawyer.',
        'list-item: a) the first item',
        'list-item: b) the second item',
        'row: Year\tSum',
        'row: 2023\t1 450',
        'row: 2023\t2 300',
        'paragraph: After the table.',
        'paragraph: Words in a box.',
        'margin: Running head',
      ],
    });
  });
});

describe('an e-book', () => {
  it('is read in the order of its spine, with titles from its contents', async () => {
    await check('sample.epub', epubSample, {
      kind: 'epub',
      metadata: { title: 'Winter tales', author: 'E. Benson', date: '2019-08-23', language: 'en' },
      lines: [
        'heading2: First tale',
        'paragraph: The snow fell for nine days.',
        'heading1: Ice',
        'paragraph: The lake was frozen & silent.',
      ],
    });
  });
});

describe('a web archive', () => {
  it('gives the words of its page, decoded', async () => {
    await check('sample.mhtml', mhtmlSample, {
      kind: 'mhtml',
      metadata: { title: 'Saved page', date: '2023-04-04' },
      lines: ['paragraph: The notice period is тридцать days.'],
    });
  });
});

describe('XML', () => {
  it('gives the structure of a known vocabulary and follows no entity of the file', async () => {
    await check('guide.xml', docbookSample, {
      kind: 'xml',
      metadata: { title: 'Field guide' },
      absent: ['lollollol', 'root:'],
      lines: [
        'title: Field guide',
        'heading2: Rivers',
        'paragraph: A river — &lol; &secret; runs to the sea.',
        'footnote: Mostly.',
        'list-item: the Volga',
        'row: River\tLength',
        'row: Volga\t3530',
        'code:   keep\n    this',
      ],
    });
  });
});

describe('a notebook', () => {
  it('gives its words, its code and what the code wrote', async () => {
    await check('sales.ipynb', notebookSample, {
      kind: 'notebook',
      lines: [
        'heading1: Sales',
        'paragraph: The mean of May.',
        'code: total = 1450\nprint(total)',
        'code: 1450',
      ],
    });
  });
});

describe('a transcript', () => {
  it('gives each stretch of speech its times, and its view the same words', async () => {
    await withFile('talk.srt', srtSample, async (file) => {
      const read = await readAll(parseDocument, file);
      expect(read.blocks.map(({ text }) => text)).toEqual([
        'The notice period is thirty days. So we said in May.\n',
        'Договор подписан.\n',
      ]);
      const view = await makeView('transcript', file, never);
      const cues = JSON.parse(Buffer.from(view!.bytes).toString('utf8')) as {
        fromMs: number;
        toMs: number;
        text: string;
      }[];
      for (const { text, spans } of read.blocks) {
        for (const { start, end, anchor } of spans) {
          if (anchor.kind !== 'time') throw new Error(`unexpected place: ${anchor.kind}`);
          const cue = cues.find(({ fromMs, toMs }) => fromMs === anchor.fromMs && toMs === anchor.toMs);
          expect(cue?.text).toBe(text.slice(start, end));
        }
      }
      expect(cues[2]).toMatchObject({ fromMs: 60_000, toMs: 62_000 });
    });
  });
});

describe('a note', () => {
  const cases = [
    {
      name: 'plan.org',
      text: '#+TITLE: Plan\n* Goals\nWords here.\n- one\n| A | B |\n|---+---|\n| 1 | 2 |\n#+BEGIN_SRC sh\nls\n#+END_SRC\n',
      lines: [
        'title1: Plan',
        'heading2: Goals',
        'paragraph3: Words here.',
        'list-item4: - one',
        'row5: A\tB',
        'row7: 1\t2',
        'code9: ls',
      ],
    },
    {
      name: 'plan.rst',
      text: 'Plan\n====\n\nGoals\n-----\n\nWords here.\n\n* one\n\n.. code:: sh\n\n   ls\n\nAfter.\n',
      lines: [
        'heading1: Plan',
        'heading4: Goals',
        'paragraph7: Words here.',
        'list-item9: * one',
        'code13:    ls',
        'paragraph15: After.',
      ],
    },
    {
      name: 'plan.adoc',
      text: '= Plan\n\n== Goals\nWords here.\n\n* one\n\n|===\n|A |B\n\n|1 |2\n|===\n----\nls\n----\n',
      lines: [
        'title1: Plan',
        'heading3: Goals',
        'paragraph4: Words here.',
        'list-item6: * one',
        'row9: A\tB',
        'row11: 1\t2',
        'code14: ls',
      ],
    },
    {
      name: 'plan.tex',
      text: '\\documentclass{article}\n\\title{Plan}\n\\begin{document}\n\\section{Goals \\label{g}}\nWords here.\n% no words\n\\item one\n\\begin{tabular}{ll}\nA & B \\\\\n\\hline\n1 & 2 \\\\\n\\end{tabular}\n\\end{document}\n',
      lines: [
        'margin1: \\documentclass{article}',
        'title2: Plan',
        'margin3: \\begin{document}',
        'heading4: Goals',
        'paragraph5: Words here.',
        'margin6: % no words',
        'list-item7: \\item one',
        'margin8: \\begin{tabular}{ll}',
        'row9: A\tB',
        'row11: 1\t2',
        'margin12: \\end{tabular}\n\\end{document}',
      ],
    },
  ];

  it.each(cases)(
    'gives headings, lists, tables and code with their lines: $name',
    async ({ name, text, lines }) => {
      await withFile(name, text, async (file) => {
        const read = await readAll(parseDocument, file);
        expect(read.metadata).toMatchObject({ kind: 'note', title: 'Plan' });
        const found = read.blocks.map(({ kind, spans, text: own }) => {
          const [span] = spans;
          return `${kind}${span?.anchor.kind === 'lines' ? span.anchor.from : '?'}: ${own.trimEnd()}`;
        });
        expect(found).toEqual(lines);
      });
    },
  );
});

describe('a document that may not be read', () => {
  const cases: [string, Uint8Array, string][] = [
    ['locked.odt', encryptedOdt, 'encrypted'],
    ['bought.epub', protectedEpub, 'encrypted'],
    ['cut.doc', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), 'damaged'],
    ['silent.srt', new TextEncoder().encode('no times here\n'), 'empty'],
    ['none.ipynb', new TextEncoder().encode('{"cells": 7}'), 'damaged'],
  ];

  it.each(cases)('says why: %s', async (name, bytes, reason) => {
    await withFile(name, bytes, async (file) => {
      const error = await readAll(parseDocument, file).then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(ParseFailure);
      expect((error as ParseFailure).reason).toBe(reason);
    });
  });
});

const fixtures = testData('fixtures');
const flowing = /\.(doc|rtf|odt|epub|nxml|xml)$/i;
/** Files with nothing to read, and why. */
const unread: Record<string, string> = {
  'clusterfuzz-testcase-minimized-POIHWPFFuzzer-5074346559012864.doc': 'damaged',
  'testWORD_multi_authors.doc': 'empty',
};

describe.skipIf(!fixtures)('every real document that flows', () => {
  const names = fixtures
    ? readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) => flowing.test(name))
    : [];

  it.each(names)('has a place for each of its words, or a reason: %s', async (name) => {
    const file = await sourceFile(path.join(fixtures!, name));
    const reason = unread[file.name];
    if (reason) {
      await expect(readAll(parseDocument, file)).rejects.toMatchObject({ reason });
      return;
    }
    const kind = await kindOf(file);
    const read = await readAll(parseDocument, file);
    expect(read.text.trim()).not.toBe('');
    // Workbooks in XML are shown as a grid.
    if (kind !== 'code' && kind !== 'xls') await proveAnchors(file, kind, read);
  });
});
