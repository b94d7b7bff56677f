/** Which window is open over the page? */
import { LedgerDialog } from '../ledger/ledger-dialog.tsx';
import { AddFolderDialog } from '../library/add-folder-dialog.tsx';
import type { PreferenceStore } from '../settings/preferences.ts';
import { SettingsDialog } from '../settings/settings-dialog.tsx';
import { ShortcutSheet } from '../shell/shortcut-sheet.tsx';
import type { Page } from './use-page.ts';

export function Windows({ page, store }: { page: Page; store: PreferenceStore }) {
  const { library, folders, window, closeWindow, stops } = page;
  switch (window.what) {
    case 'none':
      return null;
    case 'add':
      return (
        <AddFolderDialog folders={folders} samplePath={library.status?.samplePath} onClose={closeWindow} />
      );
    case 'settings':
      return <SettingsDialog store={store} status={library.status} onClose={closeWindow} />;
    case 'shortcuts':
      return <ShortcutSheet onClose={closeWindow} />;
    case 'ledger':
      return (
        <LedgerDialog
          initialState={window.state}
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
