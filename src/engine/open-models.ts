/** How do models come up: with an engine and its library, or alone, for commands that need none? */
import path from 'node:path';
import { DeviceNotesFile } from './device-notes.ts';
import type { EngineOptions } from './engine.ts';
import { type Entries, sourceEntries } from './entries.ts';
import { driverStamp } from './machine-devices.ts';
import { createModels, type ModelHost } from './model-host.ts';
import { ModelManager } from './model-manager.ts';
import { settingsChoices } from './model-settings.ts';
import type { StoreApi } from './store/types.ts';

export type ModelsPlace = Omit<EngineOptions, 'libraryPath' | 'samplePath' | 'refreshAtStart'>;

/** Name of the file of device lessons in the user's models folder; names with a dot are no models. */
const notesName = '.devices.json';

/** @param store keeps what was chosen; without one the models stand in their own order */
export function openModels(options: ModelsPlace, entries: Entries, store?: StoreApi): ModelHost {
  const [folder] = options.modelFolders;
  return createModels({
    folders: options.modelFolders,
    entry: entries.modelProcess,
    starterEntry: entries.starterThread,
    ...(store === undefined ? {} : { choices: settingsChoices(store) }),
    ...(folder === undefined
      ? {}
      : { devices: new DeviceNotesFile(path.join(folder, notesName), driverStamp(options.version)) }),
    ...(options.modelMemoryBytes === undefined ? {} : { memoryBytes: options.modelMemoryBytes }),
    ...(options.modelThreads === undefined ? {} : { threads: options.modelThreads }),
    ...(options.modelEnvironment === undefined ? {} : { environment: options.modelEnvironment }),
  });
}

/** @param folder that models go to */
export function openModelManager(
  options: ModelsPlace,
  folder: string,
  parts: { host: ModelHost; store?: StoreApi; onChanged(): void },
): ModelManager {
  return new ModelManager({
    ...parts,
    ...{ folder, version: options.version },
    ...(options.cataloguePath === undefined ? {} : { cataloguePath: options.cataloguePath }),
    ...(options.network === undefined ? {} : { network: options.network }),
  });
}

/** The models without a library, which another process may hold meanwhile. */
export interface ModelDesk {
  modelManager: ModelManager;
  close(): Promise<void>;
}

export function openModelDesk(options: ModelsPlace & { modelFolders: [string, ...string[]] }): ModelDesk {
  const host = openModels(options, options.entries ?? sourceEntries);
  const modelManager = openModelManager(options, options.modelFolders[0], { host, onChanged: () => {} });
  return {
    modelManager,
    close: async () => {
      await modelManager.close();
      await host.close();
    },
  };
}
