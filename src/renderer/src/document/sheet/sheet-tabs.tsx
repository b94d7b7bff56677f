/** Which sheets does the workbook have, and which is shown? */
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SheetInfo } from '../../../../api/types.ts';

export interface SheetTabsProps {
  sheets: SheetInfo[];
  /** Name of the sheet that is shown. */
  active: string;
  /** Name of the sheet that holds the cited cells, if any. */
  cited: string | undefined;
  onChoose(name: string): void;
}

/** Nothing for a file with one sheet that is not hidden. */
export function SheetTabs({ sheets, active, cited, onChoose }: SheetTabsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  if (sheets.length < 2 && !sheets.some((sheet) => sheet.isHidden)) return null;

  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = sheets.findIndex((sheet) => sheet.name === active);
    const next = (at + step + sheets.length) % sheets.length;
    onChoose(sheets[next]!.name);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  return (
    <div className="sheet-tabs" role="tablist" aria-label={t('doc.sheets')} ref={list} onKeyDown={move}>
      {sheets.map((sheet) => (
        <button
          key={sheet.name}
          type="button"
          role="tab"
          className="sheet-tab"
          aria-selected={sheet.name === active}
          tabIndex={sheet.name === active ? 0 : -1}
          data-cited={sheet.name === cited || undefined}
          onClick={() => onChoose(sheet.name)}
        >
          {sheet.name}
          {sheet.isHidden && <span className="sheet-hidden">{t('doc.sheetHidden')}</span>}
        </button>
      ))}
    </div>
  );
}
