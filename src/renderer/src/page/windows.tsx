/** Which window is open over the page? */
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AddFolderDialog } from '../library/add-folder-dialog.tsx';
import type { PreferenceStore } from '../settings/preferences.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { Notice } from '../shell/notice.tsx';
import { ShortcutSheet } from '../shell/shortcut-sheet.tsx';
import { LedgerDialog, ModelsDialog, SettingsDialog } from './later-parts.ts';
import type { Page } from './use-page.ts';

interface WindowsProps {
  page: Page;
  store: PreferenceStore;
}

export function Windows(props: WindowsProps) {
  const { window, closeWindow } = props.page;
  return (
    <Boundary key={window.what} fallback={<NotLoaded onClose={closeWindow} />}>
      <Suspense>
        <Open {...props} />
      </Suspense>
    </Boundary>
  );
}

/** Its program could not be fetched, for the engine serves it too. */
function NotLoaded({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('app.name')} closeLabel={t('settings.close')} onClose={onClose}>
      <Notice
        tone="amber"
        action={{ label: t('failureAction.reload'), run: () => globalThis.location.reload() }}
      >
        {t('banner.unreachable')}
      </Notice>
    </Dialog>
  );
}

function Open({ page, store }: WindowsProps) {
  const { library, folders, window, closeWindow, stops, setWindow } = page;
  switch (window.what) {
    case 'none':
      return null;
    case 'add':
      return (
        <AddFolderDialog folders={folders} samplePath={library.status?.samplePath} onClose={closeWindow} />
      );
    case 'settings':
      return (
        <SettingsDialog
          store={store}
          status={library.status}
          onModels={() => setWindow({ what: 'models' })}
          onClose={closeWindow}
        />
      );
    case 'models':
      return <ModelsDialog downloads={page.downloads} onChanged={library.refresh} onClose={closeWindow} />;
    case 'shortcuts':
      return <ShortcutSheet onClose={closeWindow} />;
    case 'ledger':
      return (
        <LedgerDialog
          initialState={window.state}
          initialScope={window.scope}
          onOpen={(row) => {
            closeWindow();
            stops.open({ document: row, start: 0, end: 0, anchors: [], quote: '' });
          }}
          onRead={library.refresh}
          onClose={closeWindow}
        />
      );
  }
}
