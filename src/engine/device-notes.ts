/** Where are the lessons about devices kept from one start to the next? Beside the user's models: they belong to the machine, not to a library. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { models as limits } from './config.ts';
import type { DeviceNotes } from './device-lessons.ts';
import { type DeviceMemory, deviceKinds } from './embed/encoder-spec.ts';

const kind = z.enum(deviceKinds);
const memory = z.object({
  worked: kind.optional(),
  crashed: z.array(kind).max(20).optional(),
  tried: z
    .array(z.object({ kind, outcome: z.string().max(1000) }))
    .max(20)
    .optional(),
});
const notesFile = z.object({ stamp: z.string(), models: z.record(z.string(), memory) });

type Notes = Record<string, DeviceMemory>;

/** Notes in a file, read anew each time: a model is loaded seldom, and another Lectern may have written it meanwhile. */
export class DeviceNotesFile implements DeviceNotes {
  readonly #file: string;
  readonly #stamp: string;

  /**
   * @param file absolute path; made with the first lesson
   * @param stamp names the drivers and the version of the program: what was learnt with others counts no more
   */
  constructor(file: string, stamp: string) {
    this.#file = file;
    this.#stamp = stamp;
  }

  read(id: string): DeviceMemory | undefined {
    return this.#readAll()[id];
  }

  write(id: string, lesson: DeviceMemory): void {
    const text = JSON.stringify({ stamp: this.#stamp, models: { ...this.#readAll(), [id]: lesson } });
    const unfinished = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(unfinished, text);
      renameSync(unfinished, this.#file);
    } catch {
      // A lesson that can't be kept is learnt again.
    }
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  #readAll(): Notes {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size > limits.maxManifestBytes) return {};
    try {
      const { stamp, models } = notesFile.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return stamp === this.#stamp ? (models as Notes) : {};
    } catch {
      return {};
    }
  }
}
