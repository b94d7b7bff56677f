/** How is the page put together and drawn for the first time? */
import { StrictMode, startTransition } from 'react';
import type { Root } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { App } from '../app.tsx';
import type { Connection } from '../engine/connection.ts';
import { EngineProvider } from '../engine/engine-context.tsx';
import { createLanguage, systemLanguage } from '../language/language.ts';
import { followPreferences } from '../settings/appearance.ts';
import { PreferenceStore } from '../settings/preferences.ts';
import { LiveRegion } from '../shell/live-region.tsx';
import { loadLaterParts } from './later-parts.ts';

export function drawPage(root: Root, connection: Connection): void {
  const store = new PreferenceStore(window.localStorage);
  const language = createLanguage(systemLanguage(navigator.languages));
  followPreferences(store, language);
  // As a transition the first drawing falls into small pieces too.
  startTransition(() =>
    root.render(
      <StrictMode>
        <I18nextProvider i18n={language}>
          <EngineProvider connection={connection}>
            <LiveRegion>
              <App store={store} />
            </LiveRegion>
          </EngineProvider>
        </I18nextProvider>
      </StrictMode>,
    ),
  );
  loadLaterParts();
}
