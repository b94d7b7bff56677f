import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerEvent, SearchResult } from '../../src/api/types.ts';
import { answer } from '../../src/engine/answer.ts';
import type { ChatMessage, Embedder, Generator } from '../../src/engine/document.ts';
import { evaluate } from '../../src/engine/evaluate.ts';
import { search } from '../../src/engine/search.ts';
import { openTestLibrary, type TestLibrary } from '../quality/library.ts';

const documents: Record<string, string> = {
  'lease.txt':
    'Lease of the office in Gdansk. The monthly rent is 4,200 EUR. The notice period is 30 days for both parties. The lease ends on 12 March 2026.',
  'handbook.md':
    '# Handbook\n\n## Leave\n\nEmployees have 26 days of paid leave a year. Unused leave moves to the next year.\n\n## Travel\n\nTravel costs are paid within 14 days. See section § 7 for limits.',
  'договор.txt':
    'Договор № 12 с компанией «Орион». Срок поставки составляет 45 дней. Штраф за просрочку — 0,5 % в день.',
  'другой.txt': 'Договор № 15 с компанией «Сириус». Срок поставки составляет 60 дней.',
  'Mail/Travel Policy/claim.txt':
    'Receipts above EUR 26 must be kept. A lost receipt is explained in writing to the accountant.',
  'Письма/Архив Ёлка/старое.txt': 'Склад закрыт на переучёт до понедельника.',
  'prices.csv': 'Product,Price,Stock\nLamp,19.90,120\nDesk,249.00,14\nChair,89.50,33\n',
};

let home: string;
let library: TestLibrary;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'lectern-search-'));
  await Promise.all(
    Object.entries(documents).map(async ([name, text]) => {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true });
      await writeFile(path.join(home, name), text);
    }),
  );
  library = await openTestLibrary(home);
}, 60_000);

afterAll(async () => {
  await library.close();
  await rm(home, { recursive: true, force: true });
});

const find = (
  question: string,
  more: { limit?: number; embedders?: Embedder[] } = {},
): Promise<SearchResult> =>
  search(
    {
      store: library.store,
      embedders: (more.embedders ?? []).map((embedder) => ({
        embedder,
        keywordWeight: 0.7,
        vectorWeight: 0.3,
      })),
    },
    { question, limit: more.limit },
  );

describe('search', () => {
  const cases: [question: string, document: string][] = [
    ['what is the notice period of the lease', 'lease.txt'],
    ['How many days of leave do employees have?', 'handbook.md'],
    ['Какой штраф за просрочку?', 'договор.txt'],
    ['срок поставки по договору № 15', 'другой.txt'],
    ['договор номер 12', 'договор.txt'],
    ['§ 7', 'handbook.md'],
    ['компания «Сириус»', 'другой.txt'],
    ['price of a desk', 'prices.csv'],
    ['rent type:text', 'lease.txt'],
    ['inhfa pf ghjchjxre', 'договор.txt'],
    ['дoгoвop cpoк пocтaвки Opиoн', 'договор.txt'],
  ];
  for (const [question, document] of cases) {
    it(`finds ${document} for "${question}"`, async () => {
      const found = await find(question);
      expect(found.judgement).toBe('relevant');
      expect(found.hits[0]?.document.path).toBe(document);
      expect(found.hits[0]?.anchors.length).toBeGreaterThan(0);
    });
  }

  const mistyped: [typed: string, meant: string][] = [
    ['inhfa pf ghjchjxre', 'штраф за просрочку'],
    ['дуфыу тщешсу зукшщв', 'lease notice period'],
    ['дoгoвop cpoк пocтaвки Opиoн', 'договор срок поставки орион'],
  ];
  for (const [typed, meant] of mistyped) {
    it(`reads "${typed}" as "${meant}" and says so`, async () => {
      const found = await find(typed);
      expect(found.readAs).toBe(meant);
      expect(found.hits[0]?.why.moves).toContain(`repaired: ${meant}`);
    });
  }

  it('reads a question that the library knows as it was typed', async () => {
    expect((await find('notice period')).readAs).toBeUndefined();
    expect((await find('срок поставки')).readAs).toBeUndefined();
  });

  it('finds words in quotation marks that stand in a heading or a title, after those in a text', async () => {
    const heading = await find('"leave" unused');
    expect(heading.hits[0]?.document.path).toBe('handbook.md');
    const travel = await find('"handbook" limits');
    expect(travel.judgement).toBe('relevant');
    expect(new Set(travel.hits.map(({ document }) => document.path))).toEqual(new Set(['handbook.md']));
  });

  it('takes words in quotation marks as they stand', async () => {
    const ask = async (question: string): Promise<string | undefined> => {
      for await (const event of answer({ store: library.store, embedders: [] }, { question, isKept: false }))
        if (event.type === 'done') return event.answer.mode;
      return undefined;
    };
    expect((await find('"lost receipt above EUR 26"')).judgement).toBe('nothing');
    expect(await ask('"lost receipt above EUR 26"')).toBe('refused');
    expect(await ask('What about a "lost receipt"?')).toBe('extractive');
    const all = await find('"notice period" of the lease "30 days"');
    expect(all.hits.map(({ document }) => document.path)).toEqual(['lease.txt']);
    const one = await find('days "notice period" "no such words here"');
    expect(one.judgement).toBe('relevant');
    expect(one.hits.map(({ document }) => document.path)).toEqual(['lease.txt']);
  });

  const places: [filter: string, document: string | undefined][] = [
    ['in:mail receipt', 'Mail/Travel Policy/claim.txt'],
    ['in:"travel policy" receipt', 'Mail/Travel Policy/claim.txt'],
    ['in:MAIL/travel receipt', 'Mail/Travel Policy/claim.txt'],
    ['in:архив склад', 'Письма/Архив Ёлка/старое.txt'],
    ['in:ЕЛКА склад', 'Письма/Архив Ёлка/старое.txt'],
    [`in:"${'Архив Ёлка'.normalize('NFD')}" склад`, 'Письма/Архив Ёлка/старое.txt'],
    ['in:100% receipt', undefined],
    ['in:nowhere receipt', undefined],
  ];
  for (const [question, document] of places) {
    it(`looks where "${question}" says`, async () => {
      const found = await find(question);
      expect([...new Set(found.hits.map((hit) => hit.document.path))]).toEqual(document ? [document] : []);
      expect(found.coverage.total).toBe(document ? 1 : 0);
    });
  }

  it('says that no document lies in an empty place', async () => {
    const texts: string[] = [];
    for (const question of ['in:nowhere What is the notice period?', 'in:нигде Какой срок поставки?'])
      for await (const event of answer({ store: library.store, embedders: [] }, { question, isKept: false }))
        if (event.type === 'done') texts.push(event.answer.answer);
    expect(texts).toEqual(['No document lies in the chosen place.', 'В выбранном месте нет документов.']);
  });

  it('says which words match, which lists held the passage, and how long each stage took', async () => {
    const found = await find('notice period');
    const [hit] = found.hits;
    expect(hit!.matches.map(({ start, end }) => hit!.text.slice(start, end))).toEqual(['notice', 'period']);
    expect(hit!.why.lists[0]).toMatchObject({ name: 'keywords', rank: 1 });
    expect(found.method).toBe('keywords');
    expect(found.coverage).toEqual({ searched: 7, total: 7, failed: 0, waiting: 0, partly: 0 });
    expect(found.stages.length).toBeGreaterThan(3);
  });

  it('lights the cells of a table row', async () => {
    const { hits } = await find('price of a desk');
    expect(hits[0]!.anchors.every((anchor) => anchor.kind === 'cells')).toBe(true);
  });

  const hopeless = [
    '',
    '   ',
    '?!…',
    '🙂',
    '"',
    '""',
    'zxqw vbnm plkj',
    'AND OR NOT NEAR(',
    '*',
    '" OR 1=1 --',
  ];
  for (const question of hopeless) {
    it(`finds nothing for ${JSON.stringify(question)} and does not fail`, async () => {
      const found = await find(question);
      expect(found.judgement).toBe('nothing');
      expect(found.hits.length).toBeLessThanOrEqual(3);
    });
  }

  it('takes 10,000 characters', async () => {
    const found = await find(`notice period ${'and so on '.repeat(1000)}`.slice(0, 10_000));
    expect(found.hits[0]?.document.path).toBe('lease.txt');
  });

  it('uses meaning where an embedder is installed, and widens over neighbours that mean the same', async () => {
    const topics = [
      'rent lease notice office',
      'leave employees vacation',
      'travel costs',
      'договор поставки штраф',
      'price product',
    ];
    const vectorOf = (text: string) => {
      const own = new Set(text.toLowerCase().match(/\p{L}+/gu));
      const counts = topics.map((topic) => topic.split(' ').filter((word) => own.has(word)).length + 0.01);
      const length = Math.hypot(...counts);
      return Float32Array.from(counts, (count) => count / length);
    };
    const embedder: Embedder = {
      fingerprint: 'by topic',
      dimensions: topics.length,
      maxTokens: 100,
      embed: async (texts) => texts.map(vectorOf),
    };
    const documents = await library.store.documentsWithoutVectors(embedder.fingerprint, 100);
    const waiting = await library.store.chunksWithoutVector(embedder.fingerprint, documents, 100);
    const rows = waiting.map(({ chunkId, text }) => ({ chunkId, vector: vectorOf(text) }));
    await library.store.addVectors(embedder.fingerprint, topics.length, rows);
    const found = await find('vacation', { embedders: [embedder] });
    expect(found.method).toBe('hybrid');
    expect(found.hits[0]?.document.path).toBe('handbook.md');
    expect(found.hits[0]?.why.lists[0]?.name).toBe('meaning');
    const parts = { store: library.store, embedders: [{ embedder, keywordWeight: 0.7, vectorWeight: 0.3 }] };
    const wide = await search(parts, { question: 'vacation', isWidened: true });
    expect(wide.hits.map(({ rank }) => rank)).toEqual(found.hits.map(({ rank }) => rank));
    expect(wide.hits[0]!.text.length).toBeGreaterThanOrEqual(found.hits[0]!.text.length);
  });

  it('goes on by words when the embedder fails, and says so', async () => {
    const broken: Embedder = {
      fingerprint: 'broken',
      dimensions: 4,
      maxTokens: 8,
      embed: () => Promise.reject(new Error('gone')),
    };
    const found = await find('notice period', { embedders: [broken] });
    expect(found.method).toBe('keywords');
    expect(found.hits[0]?.document.path).toBe('lease.txt');
  });
});

/** A model that says what it is told; written by hand, deterministic. */
function scripted(pieces: string[], failAfter?: number): Generator & { prompts: ChatMessage[][] } {
  const prompts: ChatMessage[][] = [];
  return {
    name: 'scripted',
    contextTokens: 4000,
    prompts,
    countTokens: async (text) => Math.ceil(text.length / 4),
    async *generate(messages) {
      prompts.push(messages);
      for (const [index, piece] of pieces.entries()) {
        if (index === failAfter) throw new Error('the process died');
        yield piece;
      }
      if (failAfter === pieces.length) throw new Error('the process died');
    },
  };
}

async function ask(question: string, generator?: Generator) {
  const events: AnswerEvent[] = [];
  const parts = { store: library.store, embedders: [], generator };
  for await (const event of answer(parts, { question })) events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no answer');
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { events, text, ...last };
}

describe('answer without a language model', () => {
  it('quotes the best sentence, cites exactly it, and gives the bare figure', async () => {
    const { answer: written, text, conversationId } = await ask('What is the monthly rent?');
    expect(written.mode).toBe('extractive');
    expect(written.short).toBe('4,200 EUR');
    expect(written.citations[0]!.quote).toBe('The monthly rent is 4,200 EUR.');
    expect(documents['lease.txt']!.slice(written.citations[0]!.start, written.citations[0]!.end).trim()).toBe(
      'The monthly rent is 4,200 EUR.',
    );
    expect(text).toBe(written.answer);
    expect(conversationId).toBeGreaterThan(0);
    expect(await library.store.conversation(conversationId)).toMatchObject({
      answer: { short: '4,200 EUR' },
    });
  });

  it('answers from a table row with its cells', async () => {
    const { answer: written } = await ask('What is the price of the Desk?');
    expect(written.sentences[0]!.text).toBe('Desk — Price: 249.00');
    expect(written.citations[0]!.quote).toBe('Product: Desk · Price: 249.00 · Stock: 14');
    expect(written.citations[0]!.anchors).toEqual([
      { kind: 'cells', sheet: expect.any(String), range: 'A3:C3' },
    ]);
    expect(written.short).toBe('249.00');
  });

  const refusals: [string, string][] = [
    ['Who won the chess championship in Norway?', 'The documents do not answer this question.'],
    ['Кто изобрёл паровую машину?', 'В документах нет ответа на этот вопрос.'],
  ];
  for (const [question, sentence] of refusals) {
    it(`refuses "${question}" in its language`, async () => {
      const { answer: written } = await ask(question);
      expect(written).toMatchObject({ mode: 'refused', answer: sentence, citations: [], sentences: [] });
    });
  }
});

describe('answer with a language model', () => {
  it('maps numbers to narrow places, verifies each sentence and drops a source that was not given', async () => {
    const model = scripted([
      'The notice period is ',
      '30 days [1',
      ']. The rent is 5,000 EUR [1]. More [42].',
    ]);
    const { answer: written, text, events } = await ask('What is the notice period of the lease?', model);
    expect(events[0]!.type).toBe('passages');
    expect(written.mode).toBe('generated');
    expect(text).not.toContain('[42]');
    expect(written.sentences.map(({ support }) => support)).toEqual([
      'supported',
      'unsupported',
      'unsupported',
    ]);
    expect(written.sentences[1]!.missing).toEqual(['5,000 EUR']);
    expect(written.citations).toHaveLength(1);
    expect(written.citations[0]!.quote).toContain('The notice period is 30 days');
    expect(written.citations[0]!.quote).not.toContain('The lease ends');
  });

  it('keeps what streamed when the model dies, and says why', async () => {
    const { answer: written, text } = await ask(
      'notice period',
      scripted(['The notice period is 30 days [1].', 'x'], 1),
    );
    expect(text).toBe('The notice period is 30 days [1].');
    expect(written).toMatchObject({ mode: 'generated', failure: { code: 'MODEL_FAILED' } });
    expect(written.citations).toHaveLength(1);
  });

  it('quotes instead when the model dies before its first word', async () => {
    const { answer: written } = await ask('What is the notice period?', scripted([], 0));
    expect(written).toMatchObject({ mode: 'extractive', failure: { code: 'MODEL_FAILED' } });
    expect(written.answer).toContain('30 days');
  });

  it('knows the agreed refusal', async () => {
    const { answer: written } = await ask(
      'notice period',
      scripted(['The documents do not answer this question.']),
    );
    expect(written).toMatchObject({ mode: 'refused', citations: [] });
  });

  it('stops when asked to', async () => {
    const stop = new AbortController();
    const parts = { store: library.store, embedders: [], generator: scripted(['one ', 'two']) };
    const running = answer(parts, { question: 'notice period', signal: stop.signal });
    await running.next();
    stop.abort(new Error('stopped'));
    await expect(running.next()).rejects.toThrow('stopped');
  });
});

describe('evaluate', () => {
  it('measures search and answers, stores the run and compares it', async () => {
    const file = path.join(home, '..', `${path.basename(home)}.jsonl`);
    const lines = [
      {
        id: '1',
        question: 'What is the notice period?',
        answers: ['30 days'],
        evidence: [{ document: 'lease.txt', quote: '30 days' }],
      },
      { id: '2', question: 'Who rules the moon of Jupiter?', unanswerable: true, group: 'none' },
    ];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n\n'));
    const parts = { store: library.store, embedders: [] };
    const first = await evaluate(parts, { file, withAnswers: true, withReport: true });
    expect(first.result.measures).toMatchObject({
      'hit@1': 1,
      refusalAccuracy: 1,
      citationPrecision: 1,
      support: 1,
    });
    expect(first.result.groups).toMatchObject({ none: { questions: 1, refusalAccuracy: 1 } });
    expect(first.report!.details[0]!.hits[0]!.text).toContain('30 days');
    const second = await evaluate(parts, { file, isOracle: true, compareWith: first.result.run });
    expect(second.result.changes).toEqual([]);
    await expect(evaluate(parts, { file, compareWith: 'none' })).rejects.toMatchObject({
      code: 'RUN_NOT_FOUND',
    });
    await writeFile(file, '{"id": 1, "question": "a"}\nnot json');
    await expect(evaluate(parts, { file })).rejects.toThrow(/line 2/);
    await rm(file);
    await expect(evaluate(parts, { file })).rejects.toMatchObject({ code: 'QUESTIONS_INVALID' });
  });
});
