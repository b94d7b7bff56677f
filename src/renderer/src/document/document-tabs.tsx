/** Which documents are open beside the answer? */
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { fileNameBeside } from './file-name.ts';
import type { OpenDocument } from './open-documents.ts';

export interface DocumentTabsProps {
  tabs: OpenDocument[];
  activeId: number | undefined;
  colourOf(documentId: number): string;
  onActivate(id: number): void;
  onClose(id: number): void;
}

export const tabId = (id: number): string => `document-tab-${id}`;

/** Arrow keys change the document, Delete closes it. */
export function DocumentTabs({ tabs, activeId, colourOf, onActivate, onClose }: DocumentTabsProps) {
  const { t } = useTranslation();
  useEffect(() => {
    const tab = activeId === undefined ? null : document.getElementById(tabId(activeId));
    tab?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = tabs.findIndex(({ id }) => id === activeId);
    if (event.key === 'Delete' && activeId !== undefined) {
      onClose(activeId);
      return;
    }
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onActivate(next.id);
    document.getElementById(tabId(next.id))?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={t('doc.tabs')} onKeyDown={onKeyDown}>
      {tabs.map((tab) => {
        const isActive = tab.id === activeId;
        const { title, path } = tab.place.document;
        const fileName = fileNameBeside(title, path);
        return (
          <div className="tab" key={tab.id} role="presentation" data-active={isActive || undefined}>
            <button
              type="button"
              role="tab"
              id={tabId(tab.id)}
              aria-selected={isActive}
              aria-controls="document-panel"
              tabIndex={isActive ? 0 : -1}
              title={path}
              onClick={() => onActivate(tab.id)}
              onAuxClick={(event) => {
                if (event.button === 1) onClose(tab.id);
              }}
            >
              <span className="dot" style={{ background: colourOf(tab.id) }} aria-hidden />
              <span className="clip">{title}</span>
              {fileName && <bdi className="clip tab-file">{fileName}</bdi>}
            </button>
            {/* For the pointer; the keyboard has Delete and the button in the tools. */}
            <button
              type="button"
              className="icon"
              aria-hidden="true"
              tabIndex={-1}
              title={t('doc.close', { title })}
              onClick={() => onClose(tab.id)}
            >
              <X size={12} aria-hidden />
            </button>
          </div>
        );
      })}
    </div>
  );
}
