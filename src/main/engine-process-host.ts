/** How does the desktop keep the engine's process alive, and hand each window a port to it? */
import { MessageChannelMain, type UtilityProcess, utilityProcess, type WebContents } from 'electron';
import { desktopChannels } from '../api/desktop.ts';
import { AppError } from '../api/errors.ts';
import type { DocumentPart, OpenedDocument } from '../engine/open-document.ts';
import type { DocumentOpener } from '../engine/serve-document.ts';
import type { EngineReply, EngineRequest, EngineStart } from './engine-messages.ts';

/** Restarts in a row before Lectern stops trying; a start that lasted longer than the period counts afresh. */
const maxRestarts = 5;
const restartPeriodMs = 60_000;

export interface EngineProcessOptions extends Omit<EngineStart, 'type'> {
  /** Path of the bundled engine process. */
  entry: string;
}

export class EngineProcess implements DocumentOpener {
  readonly #options: EngineProcessOptions;
  readonly #pages = new Set<WebContents>();
  readonly #waiting = new Map<number, PromiseWithResolvers<OpenedDocument>>();
  #process: UtilityProcess | undefined;
  #nextRequest = 1;
  #restarts = 0;
  #startedAtMs = 0;
  #isClosing = false;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
    this.#start();
  }

  /** Gives a page its port, now and after every restart. */
  connect(page: WebContents): void {
    if (!this.#pages.has(page)) {
      this.#pages.add(page);
      page.once('destroyed', () => this.#pages.delete(page));
    }
    this.#sendPort(page);
  }

  /** Asks the engine for a document's file. Errors as the engine's; ENGINE_GONE if it ends meanwhile. */
  openDocument(id: number, part: DocumentPart): Promise<OpenedDocument> {
    const waiting = Promise.withResolvers<OpenedDocument>();
    const request = this.#nextRequest++;
    this.#waiting.set(request, waiting);
    this.#post({ type: 'open', request, id, part });
    return waiting.promise;
  }

  /** Lets the engine finish its writes, then ends it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const ending = this.#process;
    if (!ending) return;
    const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
    this.#post({ type: 'close' });
    await ended;
  }

  #start(): void {
    const { entry, ...start } = this.#options;
    this.#startedAtMs = Date.now();
    const child = utilityProcess.fork(entry, [], {
      serviceName: 'Lectern engine',
      stdio: 'inherit',
      // One allocation arena: glibc's many keep hundreds of megabytes after large documents.
      env: { ...process.env, MALLOC_ARENA_MAX: '1' },
    });
    this.#process = child;
    child.on('message', (reply: EngineReply) => this.#receive(reply));
    child.once('exit', () => this.#onExit());
    child.postMessage({ type: 'start', ...start } satisfies EngineStart);
  }

  #receive(reply: EngineReply): void {
    const waiting = this.#waiting.get(reply.request);
    this.#waiting.delete(reply.request);
    if (reply.opened) waiting?.resolve(reply.opened);
    else waiting?.reject(new AppError(reply.code, reply.message));
  }

  #onExit(): void {
    this.#process = undefined;
    for (const waiting of this.#waiting.values()) {
      waiting.reject(new AppError('ENGINE_GONE', 'Opening a document failed: the engine ended: try again.'));
    }
    this.#waiting.clear();
    for (const page of this.#pages) page.send(desktopChannels.engineGone);
    if (this.#isClosing) return;
    this.#restarts = Date.now() - this.#startedAtMs > restartPeriodMs ? 1 : this.#restarts + 1;
    if (this.#restarts > maxRestarts) return;
    this.#start();
    for (const page of this.#pages) this.#sendPort(page);
  }

  #sendPort(page: WebContents): void {
    const { port1, port2 } = new MessageChannelMain();
    this.#process?.postMessage({ type: 'port' } satisfies EngineRequest, [port1]);
    page.postMessage(desktopChannels.port, undefined, [port2]);
  }

  #post(message: EngineRequest): void {
    this.#process?.postMessage(message);
  }
}
