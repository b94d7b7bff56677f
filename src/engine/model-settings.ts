/** How are the models that a person chose kept from one start to the next? */
import type { ModelChoices } from './installed-models.ts';
import type { StoreApi } from './store/types.ts';

/** Choices in the library's settings. */
export function settingsChoices(store: Pick<StoreApi, 'setting' | 'setSetting'>): ModelChoices {
  return {
    get: (kind) => store.setting(`model-${kind}`),
    set: (kind, id) => store.setSetting(`model-${kind}`, id),
  };
}
