/** How are the models that a person chose, and the devices that proved themselves, kept from one start to the next? */
import type { DeviceNotes } from './device-lessons.ts';
import type { DeviceMemory } from './embed/encoder-spec.ts';
import type { ModelChoices } from './installed-models.ts';
import type { StoreApi } from './store/types.ts';

type Settings = Pick<StoreApi, 'setting' | 'setSetting'>;

const devicesKey = 'model-devices';

/** Choices in the library's settings. */
export function settingsChoices(store: Settings): ModelChoices {
  return {
    get: (kind) => store.setting(`model-${kind}`),
    set: (kind, id) => store.setSetting(`model-${kind}`, id),
  };
}

/** Lessons of devices in the library's settings, read once; what can't be understood is forgotten. */
export async function settingsNotes(store: Settings): Promise<DeviceNotes> {
  const notes = new Map(Object.entries(parse(await store.setting(devicesKey))));
  return {
    read: (id) => notes.get(id),
    write: (id, memory) => {
      notes.set(id, memory);
      // A lesson that is lost is learnt again.
      store.setSetting(devicesKey, JSON.stringify(Object.fromEntries(notes))).catch(() => {});
    },
  };
}

function parse(text: string | undefined): Record<string, DeviceMemory> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, DeviceMemory>) : {};
  } catch {
    return {};
  }
}
