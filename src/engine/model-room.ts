/** Which models does one process hold, and what becomes of them when it ends? */
import type { AppError } from '../api/errors.ts';
import { DeviceLessons, type DeviceNotes, temporaryNotes } from './device-lessons.ts';
import type { DeviceKind, DeviceMemory, DeviceTry } from './embed/encoder-spec.ts';
import { type Death, failure, type LinkOptions, ModelLink, type Rpc } from './model-link.ts';
import type { Loaded, Reply } from './model-protocol.ts';

/** A death while a file is being loaded is that file's fault, unless it came from outside. */
const explainLoad =
  (name: string) =>
  (death: Death): AppError =>
    failure(`${name} (while loading)`, death, death.isFromOutside ? 'MODEL_FAILED' : 'MODEL_INVALID');

/** How the processes are started. */
export type ProcessOptions = Pick<LinkOptions, 'entry' | 'environment'> & {
  /** Where devices that worked or crashed are remembered. Default: as long as the program runs. */
  devices?: DeviceNotes | undefined;
  /** Asked before a model is loaded, each time, and told when that is over. Default: nobody. */
  guard?: { before(id: string): Promise<void>; after(id: string): void };
};

type LoadCall = (rpc: Rpc, devices: DeviceMemory) => Promise<Reply<Loaded>>;

/** A process and the models that are loaded in its present life. */
export class ModelRoom {
  readonly link: ModelLink;
  private readonly loaded = new Map<string, Promise<Loaded>>();
  private readonly onLoaded: (id: string, loaded: Loaded) => void;
  private readonly lessons: DeviceLessons;
  private readonly guard: ProcessOptions['guard'];
  /** Models that are being loaded. */
  private readonly pending = new Set<string>();
  /** Calls that run on a model, and when the last one ended. */
  private readonly uses = new Map<string, { running: number; endedAt: number }>();

  constructor(options: ProcessOptions, onLoaded: (id: string, loaded: Loaded) => void) {
    this.lessons = new DeviceLessons(options.devices ?? temporaryNotes());
    this.guard = options.guard;
    this.link = new ModelLink({
      ...options,
      onDeath: () => this.loaded.clear(),
      onTrying: (id, device) => this.lessons.isTrying(id, device),
    });
    this.onLoaded = onLoaded;
  }

  /** Loads a model once per life of the process. */
  load(id: string, name: string, make: LoadCall): Promise<Loaded> {
    const known = this.loaded.get(id);
    if (known) return known;
    const loading = this.guarded(id, () => this.attempt(id, name, make));
    this.loaded.set(id, loading);
    loading.then(
      (loaded) => {
        // The death of a process that a device ended has cleared the list while the model was loaded again without it.
        if (!this.loaded.has(id)) this.loaded.set(id, loading);
        this.onLoaded(id, loaded);
      },
      () => this.forget(id, loading),
    );
    return loading;
  }

  private async guarded(id: string, load: () => Promise<Loaded>): Promise<Loaded> {
    this.pending.add(id);
    try {
      await this.guard?.before(id);
      return await load();
    } finally {
      this.pending.delete(id);
      this.guard?.after(id);
    }
  }

  /** A process that ended by itself on a device other than the processor loads the model again without that device. */
  private async attempt(id: string, name: string, make: LoadCall): Promise<Loaded> {
    let isOwnFault = false;
    const explain = (death: Death) => {
      isOwnFault = !death.isFromOutside;
      return explainLoad(name)(death);
    };
    try {
      return await this.link.call({ name, make: (rpc) => make(rpc, this.lessons.of(id)), explain });
    } catch (error) {
      if (!isOwnFault || !this.lessons.hasDied(id)) throw error;
      return this.attempt(id, name, make);
    }
  }

  /** Remembers the device that an encoder was loaded on. */
  learn(id: string, reply: Reply<Loaded>): Reply<Loaded> {
    if (reply.ok) {
      const { device, tried } = reply.value;
      this.lessons.hasWorked(id, device as DeviceKind, tried as DeviceTry[]);
    }
    return reply;
  }

  /** Lets what earlier loads taught about devices go, with the models that rest: each is tried on every device at its next call. */
  async forgetDevices(): Promise<string[]> {
    this.lessons.forget();
    const resting = this.resting().map(({ id }) => id);
    for (const id of resting) await this.unload(id);
    return resting;
  }

  private forget(id: string, loading: Promise<Loaded>): void {
    if (this.loaded.get(id) === loading) this.loaded.delete(id);
  }

  /** Counts a call, so that a model is not unloaded under it to make room. */
  async inUse<T>(id: string, work: () => Promise<T>): Promise<T> {
    const use = this.uses.get(id) ?? { running: 0, endedAt: 0 };
    this.uses.set(id, use);
    use.running += 1;
    try {
      return await work();
    } finally {
      use.running -= 1;
      use.endedAt = performance.now();
    }
  }

  isLoaded(id: string): boolean {
    return this.loaded.has(id);
  }

  /** Loaded models on which nothing runs, with the time of their last call. */
  resting(): { id: string; endedAt: number }[] {
    return [...this.loaded.keys()]
      .map((id) => ({ id, ...(this.uses.get(id) ?? { running: 0, endedAt: 0 }) }))
      .filter(({ id, running }) => running === 0 && !this.pending.has(id));
  }

  async unload(id: string): Promise<void> {
    if (!this.loaded.delete(id)) return;
    // Freed memory stays with a process that lives on, so one that holds nothing else is ended.
    if (this.loaded.size === 0 && (await this.link.rest())) return;
    await this.link.ask((rpc) => rpc.unload(id));
  }
}
