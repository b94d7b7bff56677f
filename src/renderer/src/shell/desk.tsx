/** How do the three parts share the window? */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';

export interface DeskProps {
  rail: ReactNode;
  middle: ReactNode;
  document: ReactNode;
  /** Too narrow for two columns: the document slides over the answer. */
  isNarrow: boolean;
}

export function Desk({ rail, middle, document, isNarrow }: DeskProps) {
  return (
    <div className="desk">
      {rail}
      <main className={isNarrow ? 'one-column' : 'columns'}>
        <Columns middle={middle} document={document} isNarrow={isNarrow} />
      </main>
    </div>
  );
}

/** The same elements at every width: what is typed, opened and scrolled survives a change of the window's size. */
function Columns({ middle, document, isNarrow }: Omit<DeskProps, 'rail'>) {
  const { t } = useTranslation();
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: 'lectern.columns',
    storage: window.localStorage,
    onlySaveAfterUserInteractions: true,
  });
  return (
    <Group orientation="horizontal" defaultLayout={defaultLayout} onLayoutChanged={onLayoutChanged}>
      <Panel id="answer-column" className="column" minSize={340} defaultSize="47">
        {middle}
      </Panel>
      <Separator className="split" disabled={isNarrow} aria-label={t('doc.resize')} />
      <Panel id="document-column" className="column" minSize={340} defaultSize="53">
        {document}
      </Panel>
    </Group>
  );
}
