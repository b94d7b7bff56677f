/** How does a test reach the engine: directly, over a message port, over the browser shell's socket? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { WebSocket } from 'ws';
import type { Contract } from '../../src/api/contract.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type BrowserShell, startBrowserShell } from '../../src/server/server.ts';

export type Client = ContractRouterClient<Contract>;

export interface Connection {
  client: Client;
  close(): Promise<void>;
}

export interface TestLibrary {
  engine: Engine;
  /** Folder of documents, not yet added. */
  folder: string;
  close(): Promise<void>;
}

/** A fresh engine and a folder with a few small documents. */
export async function openTestLibrary(): Promise<TestLibrary> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'lectern-contract-'));
  const folder = path.join(root, 'папка');
  const { mkdir } = await import('node:fs/promises');
  await mkdir(folder);
  await writeFile(
    path.join(folder, 'lease.txt'),
    'The rent of the mill is 900 crowns a month.\n\nThe lease ends in May 2031.\n',
  );
  await writeFile(
    path.join(folder, 'аренда.md'),
    '# Аренда\n\nПлата за мельницу составляет 900 крон в месяц.\n',
  );
  await writeFile(path.join(folder, 'prices.csv'), 'Article,Price\nLamp,12.50\nChair,80\n');
  await writeFile(path.join(folder, 'empty.txt'), '');
  await writeFile(path.join(folder, '.draft.txt'), 'left out');
  const engine = await createEngine({
    libraryPath: path.join(root, 'library'),
    modelFolders: [path.join(root, 'models')],
    cataloguePath: path.join(import.meta.dirname, '../../resources/models.json'),
    // Nobody listens at this port: a test that connected would fail.
    network: { origin: 'http://127.0.0.1:9', limits: { retryDelayMs: 1 } },
    modelThreads: 1,
    version: '0.0.0-test',
  });
  return {
    engine,
    folder,
    close: async () => {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export async function connectDirectly(engine: Engine): Promise<Connection> {
  return { client: createRouterClient(engine.router) as Client, close: async () => {} };
}

export async function connectByPort(engine: Engine): Promise<Connection> {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(engine.router).upgrade(port1);
  port1.start();
  port2.start();
  return {
    client: createORPCClient(new PortLink({ port: port2 })) as Client,
    close: async () => {
      port2.close();
    },
  };
}

/** Signs in as a browser does: launch address, cookie, socket with the page's origin. */
export async function connectByBrowser(
  engine: Engine,
): Promise<Connection & { shell: BrowserShell; cookie: string }> {
  const pagePath = await mkdtemp(path.join(os.tmpdir(), 'lectern-page-'));
  await writeFile(path.join(pagePath, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(path.join(pagePath, 'frame.html'), '<!doctype html><title>frame</title>');
  const shell = await startBrowserShell({ engine, pagePath, port: 0 });
  const launched = await fetch(shell.launchUrl());
  const cookie = (launched.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const origin = `http://127.0.0.1:${shell.port}`;
  const socket = new WebSocket(`ws://127.0.0.1:${shell.port}/rpc`, { headers: { cookie, origin } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    client: createORPCClient(
      new SocketLink({ websocket: socket as unknown as globalThis.WebSocket }),
    ) as Client,
    shell,
    cookie,
    close: async () => {
      socket.close();
      await shell.close();
      await rm(pagePath, { recursive: true });
    },
  };
}
