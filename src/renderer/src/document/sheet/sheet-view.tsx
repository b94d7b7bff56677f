/** How is a workbook or a delimited file shown with its cited cells lit? */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Anchor } from '../../../../api/anchor.ts';
import type { DocumentViewProps } from '../view-props.ts';
import { type CellRange, fromRangeName } from './a1.ts';
import { SheetGrid } from './sheet-grid.tsx';
import { SheetTabs } from './sheet-tabs.tsx';
import './sheet-view.css';

export function SheetView(props: DocumentViewProps) {
  const { view, anchors, visit, zoom, loadRows, onPlace, onLit } = props;
  const { t } = useTranslation();
  const { sheets } = view;
  const cited = useMemo(() => firstSheet(anchors), [anchors]);
  const [chosen, setChosen] = useState<string>();
  // Where nothing is cited any more, the sheet that was looked at stays.
  const lastCited = useRef(cited);
  lastCited.current = cited ?? lastCited.current;
  const name =
    chosen ?? lastCited.current ?? sheets.find((sheet) => !sheet.isHidden)?.name ?? sheets[0]?.name;
  const sheet = sheets.find((one) => one.name === name);

  // Each visit returns to the cited sheet, whichever was looked at since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit of the same anchors counts
  useEffect(() => {
    if (anchors.length > 0) setChosen(undefined);
    if (cited !== undefined && !sheets.some((one) => one.name === cited)) onLit(false);
  }, [anchors, visit]);

  const lit = useMemo(() => rangesOn(anchors, name), [anchors, name]);
  if (!sheet) return <p className="doc-note">{t('doc.noRows')}</p>;
  return (
    <div className="sheet-view">
      <SheetGrid
        key={`${view.document.id} ${sheet.name}`}
        sheet={sheet}
        lit={lit}
        visit={visit}
        zoom={zoom}
        loadRows={loadRows}
        onPlace={onPlace}
        onLit={onLit}
        find={props.find}
        onFound={props.onFound}
      />
      <SheetTabs sheets={sheets} active={sheet.name} cited={cited} onChoose={setChosen} />
    </div>
  );
}

function firstSheet(anchors: Anchor[]): string | undefined {
  return anchors.find((anchor) => anchor.kind === 'cells')?.sheet;
}

function rangesOn(anchors: Anchor[], sheet: string | undefined): CellRange[] {
  return anchors.flatMap((anchor) => {
    if (anchor.kind !== 'cells' || anchor.sheet !== sheet) return [];
    return fromRangeName(anchor.range) ?? [];
  });
}
