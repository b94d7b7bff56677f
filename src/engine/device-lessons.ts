/** Which devices are worth a try for a model, as its earlier loads taught? */
import type { DeviceKind, DeviceMemory, DeviceTry } from './embed/encoder-spec.ts';

/** Where lessons are kept from one start to the next, by the model's identifier. */
export interface DeviceNotes {
  read(id: string): DeviceMemory | undefined;
  write(id: string, memory: DeviceMemory): void;
  /** Forgets everything. */
  clear(): void;
}

/** Notes that last as long as the program runs. */
export function temporaryNotes(): DeviceNotes {
  const notes = new Map<string, DeviceMemory>();
  return {
    read: (id) => notes.get(id),
    write: (id, memory) => notes.set(id, memory),
    clear: () => notes.clear(),
  };
}

/** Learns from devices that worked and from devices on which the process ended. */
export class DeviceLessons {
  private readonly notes: DeviceNotes;
  /** Device that a model is being loaded on. */
  private readonly current = new Map<string, DeviceKind>();

  constructor(notes: DeviceNotes) {
    this.notes = notes;
  }

  of(id: string): DeviceMemory {
    return this.notes.read(id) ?? {};
  }

  isTrying(id: string, device: DeviceKind): void {
    this.current.set(id, device);
  }

  hasWorked(id: string, worked: DeviceKind, tried: DeviceTry[]): void {
    this.current.delete(id);
    const known = this.of(id);
    if (known.worked === worked) return;
    this.notes.write(id, { ...known, worked, tried });
  }

  /** @returns whether a device is to blame, so that loading again without it makes sense */
  hasDied(id: string): boolean {
    const device = this.current.get(id);
    this.current.delete(id);
    if (device === undefined || device === 'CPU') return false;
    this.notes.write(id, { crashed: [...(this.of(id).crashed ?? []), device] });
    return true;
  }

  /** Every device is worth a try again. */
  forget(): void {
    this.notes.clear();
  }
}
