/** How much do tokenising, pooling, processes and messages cost beside the bare runtimes? Ratios in one run, see DESIGN §10. */
import path from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import { randomNumbers } from '../../build/random-numbers.ts';
import { embed } from '../../src/engine/config.ts';
import { batchByLength } from '../../src/engine/embed/batch-by-length.ts';
import { EncoderTokenizer } from '../../src/engine/embed/encoder-tokenizer.ts';
import { OnnxEmbedder } from '../../src/engine/embed/onnx-embedder.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels } from '../../src/engine/model-host.ts';
import { processorMs as ownMs, type Section, timed } from './bench-context.ts';
import { median, type Row } from './report.ts';

const ROUNDS = 5;
const PASSAGES = 24;
const WORDS = 119;
const TOKENS = 48;

const section = 'models';

async function computed(work: () => Promise<unknown>): Promise<number> {
  const before = ownMs();
  await work();
  return ownMs() - before;
}

/** Alternates the two, so that a busy machine hits both alike; the ratio is the median of the pairs'. */
async function compare(bare: () => Promise<number>, whole: () => Promise<number>) {
  await bare();
  await whole();
  const pairs: { bare: number; whole: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) pairs.push({ bare: await bare(), whole: await whole() });
  return {
    bareMs: median(pairs.map((pair) => pair.bare)),
    wholeMs: median(pairs.map((pair) => pair.whole)),
    ratio: median(pairs.map((pair) => pair.bare / pair.whole)),
  };
}

/** Passages of 119 words, a tenth to twice as long, from a vocabulary of 2,000 made words. */
function makePassages(): { words: string[]; passages: string[] } {
  const random = randomNumbers(7);
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)]!;
  const words = Array.from({ length: 2000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick('bdfgklmnprstvz') + pick('aeiou')).join(
      '',
    ),
  );
  const passages = Array.from({ length: PASSAGES }, () =>
    Array.from(
      { length: Math.ceil(WORDS * (0.1 + 1.9 * random())) },
      () => words[Math.floor(random() ** 2 * 2000)]!,
    ).join(' '),
  );
  return { words, passages };
}

async function measureEmbedding(folder: string): Promise<Row[]> {
  const { words, passages } = makePassages();
  makeTinyEncoder(folder, { layers: 6, width: 384, words, maxTokens: 256 });
  const spec = {
    name: 'bench',
    modelPath: path.join(folder, 'model.onnx'),
    tokenizerPath: path.join(folder, 'tokenizer.json'),
    maxTokens: 256,
    threads: 1,
    fingerprint: 'bench',
    pooling: 'mean' as const,
    queryPrefix: '',
    passagePrefix: '',
    dimensions: 384,
    normalise: true,
  };
  const embedder = await OnnxEmbedder.load(spec);
  const session = await InferenceSession.create(spec.modelPath, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const tokenizer = await EncoderTokenizer.load(spec.tokenizerPath, undefined, 256);
  const inputs = passages.map((passage) => tokenizer.encode(passage).ids);
  const lengths = inputs.map((ids) => ids.length);
  const feeds = batchByLength(lengths, embed.batchTokens, embed.batchTexts).map((batch) => {
    const width = lengths[batch[0]!]!;
    const fill = (value: (id: number) => number) =>
      batch.flatMap((index) =>
        Array.from({ length: width }, (_, at) =>
          BigInt(at < lengths[index]! ? value(inputs[index]![at]!) : 0),
        ),
      );
    const tensor = (values: bigint[]) =>
      new Tensor('int64', BigInt64Array.from(values), [batch.length, width]);
    return { input_ids: tensor(fill((id) => id)), attention_mask: tensor(fill(() => 1)) };
  });
  const bare = async () => {
    for (const feed of feeds) await session.run(feed);
  };
  const result = await compare(
    () => computed(bare),
    () => computed(() => embedder.embed(passages, 'passage')),
  );
  const tokens = lengths.reduce((sum, length) => sum + length, 0);
  await embedder.close();
  return [
    {
      section,
      what: 'embedding against the bare ONNX session',
      value: result.ratio,
      unit: 'x',
      atLeast: 0.9,
      note: `6 layers of 384, ${PASSAGES} passages, ${tokens} tokens, ${feeds.length} runs, one thread, processor time: ${result.bareMs.toFixed(0)} and ${result.wholeMs.toFixed(0)} ms`,
    },
  ];
}

async function measureStreaming(folder: string): Promise<Row[]> {
  const file = path.join(folder, 'qwen.gguf');
  const parameters = makeTinyQwen(file, { width: 512, layers: 9, heads: 8, inner: 1536 });
  const models = createModels({ folders: [folder], entry: sourceEntries.modelProcess, threads: 1 });
  const generator = (await models.generator())!;
  await generator.countTokens('load');
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: 1,
  });
  const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: 4096, threads: 1 });
  const sequence = context.getSequence();
  const prompt = model.tokenize('What does the contract say?');
  // Both are counted from the first token on, for how long a prompt takes is another question, and in processor time of every
  // process that takes part.
  const bare = async () => {
    await sequence.clearHistory();
    let count = 0;
    let before = 0;
    for await (const _ of sequence.evaluate(prompt)) {
      if (count === 0) before = ownMs();
      count += 1;
      if (count >= TOKENS) break;
    }
    return ownMs() - before;
  };
  const allMs = async () => ownMs() + (await models.remote.use()).writers!.cpuMs;
  const question = [{ role: 'user' as const, content: 'What does the contract say?' }];
  const ask = () => generator.generate(question, { maxTokens: TOKENS, temperature: 0 });
  const whole = async () => {
    let before = 0;
    for await (const _ of ask()) before ||= await allMs();
    return (await allMs()) - before;
  };
  const result = await compare(bare, whole);
  const waitMs = await cancelWait(ask);
  await models.close();
  await llama.dispose();
  const perToken = (ms: number) => (ms / TOKENS).toFixed(1);
  return [
    {
      section,
      what: 'streaming against bare llama.cpp',
      value: result.ratio,
      unit: 'x',
      atLeast: 0.95,
      note: `${(parameters / 1e6).toFixed(0)} M parameters, ${TOKENS} tokens, one thread, processor time from the first token on: ${perToken(result.bareMs)} and ${perToken(result.wholeMs)} ms a token`,
    },
    {
      section,
      what: 'a cancel delays the next answer by',
      value: waitMs,
      unit: 'ms',
      note: `one token takes ${perToken(result.bareMs)} ms`,
    },
  ];
}

/** What a cancel leaves running delays the next answer; so the next answer's wait is the cancel's latency. */
async function cancelWait(ask: () => AsyncIterable<string>): Promise<number> {
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms: first } = await timed(async () => {
      for await (const _ of ask()) break;
    });
    for await (const _ of ask()) break;
    const { ms: after } = await timed(async () => {
      for await (const _ of ask()) break;
    });
    waits.push(after - first);
  }
  return median(waits);
}

export const measureModels: Section = async (context) => [
  ...(await measureEmbedding(context.folder('encoder'))),
  ...(await measureStreaming(context.folder('models'))),
];
