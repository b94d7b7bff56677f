/** What does the window show: the way in, or the reading room? */
import { SourcesProvider } from './ask/sources.tsx';
import { FirstStart } from './library/first-start.tsx';
import { ReadingRoom } from './page/reading-room.tsx';
import { usePage } from './page/use-page.ts';
import { usePageKeys } from './page/use-page-keys.ts';
import { Windows } from './page/windows.tsx';
import type { PreferenceStore } from './settings/preferences.ts';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { Footer } from './shell/footer.tsx';

export function App({ store }: { store: PreferenceStore }) {
  const page = usePage(store);
  usePageKeys(page);
  const { library, folders, stops, setWindow } = page;
  return (
    <SourcesProvider hits={stops.hits} citations={stops.citations} current={stops.current} open={stops.open}>
      <div className="page">
        <ConnectionBanner />
        {library.isKnown && library.folders.length === 0 ? (
          <FirstStart
            status={library.status}
            failure={page.window.what === 'add' ? undefined : folders.failure}
            onChoose={folders.choose}
            onSample={(path) => void folders.add(path)}
            onModels={() => setWindow({ what: 'models' })}
            onAction={page.act}
          />
        ) : (
          <ReadingRoom page={page} />
        )}
        <Footer
          status={library.status}
          downloads={page.downloads}
          onLedger={(state) => setWindow({ what: 'ledger', state })}
          onModels={() => setWindow({ what: 'models' })}
          onShortcuts={() => setWindow({ what: 'shortcuts' })}
        />
        <Windows page={page} store={store} />
      </div>
    </SourcesProvider>
  );
}
