/** How fast do embedders read, beside the bare runtime and beside each other? Ratios in one run, see DESIGN §10. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import { embed } from '../../src/engine/config.ts';
import type { Embedder } from '../../src/engine/document.ts';
import { batchByLength } from '../../src/engine/embed/batch-by-length.ts';
import { EncoderTokenizer } from '../../src/engine/embed/encoder-tokenizer.ts';
import { FeaturesEmbedder } from '../../src/engine/embed/features-embedder.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels, type ModelHost } from '../../src/engine/model-host.ts';
import { readManifest } from '../../src/engine/models/manifest.ts';
import { type BenchContext, compare, processorMs as ownMs, scaled, timed } from './bench-context.ts';
import { median, type Row } from './report.ts';
import { createRandom, readVocabulary, syntheticPassages } from './synthetic.ts';

const section = 'models';
const LAYERS = 12;
const WIDTH = 384;
/** Words of a passage; the targets are stated for passages of 100. */
const WORDS = 100;
/** Passages of the comparison with the bare session, of a tenth to twice the length. */
const COMPARED = 48;
/** Passages that the cost of many is extrapolated from. */
const MEASURED = 2_000;
const MANY = 100_000;
/** Words with a token of their own; the others fall into pairs of letters, so a word takes as many tokens as with real vocabularies. */
const WHOLE_WORDS = 3_000;

const starterFolder = fileURLToPath(new URL('../../models/starter-embedder', import.meta.url));

/** Passages of words drawn by Zipf's law from the vocabulary of the test data, else from made words. */
function makePassages(): {
  vocabulary: string[];
  of: (count: number, length: number, seed: number) => string[];
} {
  const vocabulary = readVocabulary() ?? Array.from({ length: 20_000 }, (_, index) => `word${index}`);
  return {
    vocabulary,
    of: (count, length, seed) => [...syntheticPassages({ vocabulary, passages: count, length, seed })],
  };
}

/** Tokens of a run that the bare session is tried with; the fastest is compared with. */
const BARE_BATCHES = [256, 512, 1024, 4096];

/** What the bare session reads: the same token numbers in batches of like length, made before the clock runs. */
async function bareSession(modelPath: string, inputs: number[][]) {
  const session = await InferenceSession.create(modelPath, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const lengths = inputs.map((ids) => ids.length);
  const feedsOf = (tokens: number) =>
    [...batchByLength(lengths, () => tokens, embed.batchTexts)].map((batch) => {
      const width = lengths[batch[0]!]!;
      const tensor = (value: (id: number) => number) => {
        const values = batch.flatMap((index) =>
          Array.from({ length: width }, (_, at) =>
            BigInt(at < lengths[index]! ? value(inputs[index]![at]!) : 0),
          ),
        );
        return new Tensor('int64', BigInt64Array.from(values), [batch.length, width]);
      };
      return { input_ids: tensor((id) => id), attention_mask: tensor(() => 1) };
    });
  const run = async (feeds: ReturnType<typeof feedsOf>) => {
    const before = ownMs();
    for (const feed of feeds) await session.run(feed);
    return ownMs() - before;
  };
  const tried: { tokens: number; ms: number }[] = [];
  for (const tokens of BARE_BATCHES) tried.push({ tokens, ms: await run(feedsOf(tokens)) });
  const { tokens } = tried.toSorted((a, b) => a.ms - b.ms)[0]!;
  const best = feedsOf(tokens);
  return { tokens, run: () => run(best), close: () => session.release() };
}

/** Processor time of this process and of the encoders' process. */
async function allMs(models: ModelHost): Promise<number> {
  return ownMs() + ((await models.remote.use()).encoders?.cpuMs ?? 0);
}

async function againstBare(models: ModelHost, embedder: Embedder, modelPath: string): Promise<Row> {
  const make = makePassages();
  const random = createRandom(5);
  const passages = Array.from(
    { length: COMPARED },
    (_, index) => make.of(1, Math.ceil(WORDS * (0.1 + 1.9 * random())), index + 1)[0]!,
  );
  const tokenizer = await EncoderTokenizer.load(
    path.join(path.dirname(modelPath), 'tokenizer.json'),
    undefined,
    embedder.maxTokens,
  );
  const inputs = passages.map((passage) => tokenizer.encode(passage).ids);
  const bare = await bareSession(modelPath, inputs);
  const result = await compare(bare.run, async () => {
    const before = await allMs(models);
    await embedder.embed(passages, 'passage');
    return (await allMs(models)) - before;
  });
  await bare.close();
  const tokens = inputs.reduce((sum, ids) => sum + ids.length, 0);
  return {
    section,
    what: 'embedding against the bare ONNX session',
    value: result.ratio,
    unit: 'x',
    atLeast: 0.9,
    note: `${LAYERS} layers of ${WIDTH}, ${COMPARED} passages, ${tokens} tokens, the bare one in runs of ${bare.tokens}, its fastest; one thread, processor time of both processes: ${result.bareMs.toFixed(0)} and ${result.wholeMs.toFixed(0)} ms`,
  };
}

/** Embeds passages and asks questions meanwhile. */
async function manyPassages(models: ModelHost, embedder: Embedder, context: BenchContext): Promise<Row[]> {
  const passages = makePassages().of(scaled(MEASURED, context, COMPARED), WORDS, 3);
  const waits: number[] = [];
  const signs: number[] = [];
  let isDone = false;
  const before = await allMs(models);
  const work = embedder.embed(passages, 'passage').finally(() => {
    isDone = true;
  });
  const asking = async () => {
    for (let question = 0; !isDone && question < 20; question += 1) {
      await sleep(400);
      if (isDone) return;
      waits.push((await timed(() => embedder.embed(['When is the rent due?'], 'query'))).ms);
      signs.push((await timed(() => models.remote.use())).ms);
    }
  };
  await Promise.all([work, asking()]);
  const msEach = ((await allMs(models)) - before) / passages.length;
  const hours = (msEach * MANY) / 3_600_000;
  const what = `${LAYERS} layers of ${WIDTH}, random weights, 32-bit floats, ${WORDS} words a passage`;
  return [
    {
      section,
      what: 'passages a second on one core, transformer',
      value: 1000 / msEach,
      unit: '1/s',
      note: `${what}, ${passages.length} passages`,
    },
    {
      section,
      what: `${MANY.toLocaleString('en')} passages on one core, transformer`,
      value: hours * 3600,
      unit: 's',
      note: `extrapolated from ${passages.length}: ${hours.toFixed(1)} hours`,
    },
    {
      section,
      what: 'a question meanwhile has its vector after',
      value: median(waits),
      unit: 'ms',
      note: `${waits.length} questions, at most ${Math.max(...waits).toFixed(0)} ms; a run of passages is bounded to some ${embed.runMs} ms`,
    },
    {
      section,
      what: 'a sign of life meanwhile comes after',
      value: median(signs),
      unit: 'ms',
      note: `at most ${Math.max(...signs).toFixed(0)} ms`,
    },
  ];
}

export async function measureTransformer(context: BenchContext): Promise<Row[]> {
  const folder = context.folder('encoder');
  const words = makePassages().vocabulary.slice(0, WHOLE_WORDS);
  makeTinyEncoder(path.join(folder, 'm'), { layers: LAYERS, width: WIDTH, words, maxTokens: 512 });
  const models = createModels({ folders: [folder], entry: sourceEntries.modelProcess, threads: 1 });
  try {
    const { embedder } = (await models.embedder())!;
    return [
      await againstBare(models, embedder, path.join(folder, 'm', 'model.onnx')),
      ...(await manyPassages(models, embedder, context)),
    ];
  } finally {
    await models.close();
  }
}

/** Everything that a passage costs: features from its plain text, graph, vectors. */
export async function measureStarter(context: BenchContext): Promise<Row[]> {
  const what = 'passages a second on one core, built-in embedder';
  const file = path.join(starterFolder, 'manifest.json');
  if (!existsSync(file)) return [{ section, what, unit: '1/s', note: 'models/starter-embedder is absent' }];
  const manifest = readManifest(JSON.parse(readFileSync(file, 'utf8')), file);
  if (manifest.kind !== 'embedder' || manifest.encoder !== 'features') {
    return [{ section, what, unit: '1/s', note: 'models/starter-embedder is of another kind' }];
  }
  const { name, dimensions, hashedRows, commonRows, maxWords } = manifest;
  const embedder = await FeaturesEmbedder.open({
    ...{ name, dimensions, hashedRows, commonRows, maxWords },
    modelPath: path.join(starterFolder, manifest.model),
    vocabularyPath: path.join(starterFolder, manifest.vocabulary),
  });
  const passages = makePassages().of(scaled(20_000, context, 2_000), WORDS, 9);
  const inParts = async () => {
    for (let start = 0; start < passages.length; start += embed.requestTexts) {
      await embedder.embed(passages.slice(start, start + embed.requestTexts));
    }
  };
  await embedder.embed(passages.slice(0, 500));
  const before = ownMs();
  await inParts();
  const msEach = (ownMs() - before) / passages.length;
  await embedder.close();
  return [
    {
      section,
      what,
      value: 1000 / msEach,
      unit: '1/s',
      atLeast: 5000,
      note: `${passages.length} passages of ${WORDS} words, features included, processor time`,
    },
    {
      section,
      what: `${MANY.toLocaleString('en')} passages on one core, built-in embedder`,
      value: (msEach * MANY) / 1000,
      unit: 's',
      note: `extrapolated from ${passages.length}`,
    },
  ];
}
