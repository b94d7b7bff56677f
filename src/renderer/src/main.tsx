/** How does the page start? */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/source-serif-4/opsz.css';
import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { App } from './app.tsx';
import { EngineProvider } from './engine/engine-context.tsx';
import { openConnection } from './engine/transport.ts';
import { createLanguage, systemLanguage } from './language/language.ts';
import { followPreferences, loadFaces } from './settings/appearance.ts';
import { PreferenceStore } from './settings/preferences.ts';
import { LiveRegion } from './shell/live-region.tsx';

function start(root: HTMLElement): void {
  const store = new PreferenceStore(window.localStorage);
  const language = createLanguage(systemLanguage(navigator.languages));
  followPreferences(store, language);
  loadFaces();
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={language}>
        <EngineProvider connection={openConnection()}>
          <LiveRegion>
            <App store={store} />
          </LiveRegion>
        </EngineProvider>
      </I18nextProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root !== null) start(root);
