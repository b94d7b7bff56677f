/** How much do tokenising, pooling, processes and messages cost beside the bare runtimes? Ratios in one run, see DESIGN §10. */
import path from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { makeTinyQwen } from '../../build/make-tiny-qwen.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels } from '../../src/engine/model-host.ts';
import { compare, processorMs as ownMs, ROUNDS, type Section, timed } from './bench-context.ts';
import { measureStarter, measureTransformer } from './measure-embedding.ts';
import { median, type Row } from './report.ts';

const TOKENS = 48;

const section = 'models';

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
  ...(await measureStarter(context)),
  ...(await measureTransformer(context)),
  ...(await measureStreaming(context.folder('models'))),
];
