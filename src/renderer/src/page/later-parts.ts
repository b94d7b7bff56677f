/** Which parts of the page are loaded after it stands? */
import { lazy } from 'react';

const parts = {
  ledger: () => import('../ledger/ledger-dialog.tsx'),
  settings: () => import('../settings/settings-dialog.tsx'),
  models: () => import('../models/models-dialog.tsx'),
};

export const LedgerDialog = lazy(async () => ({ default: (await parts.ledger()).LedgerDialog }));
export const SettingsDialog = lazy(async () => ({ default: (await parts.settings()).SettingsDialog }));
export const ModelsDialog = lazy(async () => ({ default: (await parts.models()).ModelsDialog }));

/** Loads them one by one while nothing else is to be done, so that they open at once, also when the engine is away by then. */
export function loadLaterParts(): void {
  const waiting = Object.values(parts);
  const next = (): void => {
    const load = waiting.shift();
    // What could not be loaded now is asked for again when it is opened.
    if (load !== undefined) load().then(() => requestIdleCallback(next), next);
  };
  requestIdleCallback(next);
}
