/** The engine's own process in the desktop shell: it may block or die without taking the window along. */
import path from 'node:path';
import { RPCHandler } from '@orpc/server/message-port';
import { AppError } from '../api/errors.ts';
import { createEngine, type Engine, proxyFrom } from '../engine/engine.ts';
import type { EngineReply, EngineRequest, EngineStart } from './engine-messages.ts';

const beside = (name: string): string => path.join(import.meta.dirname, name);

/** Threads and processes as the bundler names them, beside this file. */
const entries = {
  indexWorker: beside('index-worker.js'),
  writerThread: beside('writer-thread.js'),
  readerThread: beside('reader-thread.js'),
  nearestThread: beside('nearest-thread.js'),
  modelProcess: beside('model-process.js'),
  starterThread: beside('starter-thread.js'),
};

const started = Promise.withResolvers<Engine>();

async function open(request: Extract<EngineRequest, { type: 'open' }>): Promise<EngineReply> {
  const engine = await started.promise;
  try {
    return { request: request.request, opened: await engine.openDocument(request.id, request.part) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { request: request.request, code: error.code, message: error.message };
  }
}

async function receive(
  message: EngineStart | EngineRequest,
  ports: Electron.MessagePortMain[],
): Promise<void> {
  switch (message.type) {
    case 'start': {
      const { libraryPath, modelFolders, samplePath, cataloguePath, languagesPath, version } = message;
      // Electron's own program starts the model processes, as Node.
      const modelEnvironment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
      const places = {
        libraryPath,
        modelFolders,
        samplePath,
        languagesPath,
        version,
        entries,
        modelEnvironment,
      };
      const network = { proxy: proxyFrom(process.env) };
      started.resolve(
        await createEngine({
          ...places,
          network,
          ...(cataloguePath ? { cataloguePath } : {}),
          refreshAtStart: true,
        }),
      );
      return;
    }
    case 'port': {
      const port = ports[0];
      if (!port) return;
      new RPCHandler((await started.promise).router).upgrade(port);
      port.start();
      return;
    }
    case 'open':
      process.parentPort.postMessage(await open(message));
      return;
    case 'close':
      await (await started.promise).close();
      process.exit(0);
  }
}

process.parentPort.on(
  'message',
  (event) => void receive(event.data as EngineStart | EngineRequest, event.ports),
);
