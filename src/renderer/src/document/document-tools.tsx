/** What can be done with the open document? */
import { ChevronLeft, ChevronRight, Download, ExternalLink, Minus, Plus, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { desktop } from '../shell/platform.ts';
import { KindBadge } from './kind-badge.tsx';
import type { OpenDocument } from './open-documents.ts';

export interface DocumentToolsProps {
  tab: OpenDocument;
  folderName: string | undefined;
  /** 1-based place of what is lit among the answer's sources, and their number. */
  stop: { index: number; count: number } | undefined;
  onWalk(step: 1 | -1): void;
  onZoom(step: 1 | -1 | 0): void;
  onFind(): void;
  onClose(): void;
}

export function DocumentTools(props: DocumentToolsProps) {
  const { tab, folderName, stop, onWalk, onZoom, onFind, onClose } = props;
  const { t, i18n } = useTranslation();
  const { document } = tab.place;
  const row = tab.view?.document;
  const kind = row?.kind ?? document.kind;
  const parts = [folderName, ...document.path.split(/\/| » /)].filter(Boolean);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  return (
    <div className="tools" role="toolbar" aria-label={document.title}>
      <span className="tools-path" title={tab.view?.absolutePath ?? document.path}>
        <bdi>{parts.join(' › ')}</bdi>
      </span>
      <span className="tools-kind">{kind && <KindBadge kind={kind} />}</span>
      {(row?.isArchived ?? document.isArchived) && <span className="badge old">{t('doc.archived')}</span>}
      {stop && stop.count > 0 && (
        <span className="tools-group">
          <Tool
            words={t('doc.previous')}
            icon={<ChevronLeft size={15} aria-hidden />}
            onClick={() => onWalk(-1)}
          />
          {stop.index > 0 && <span className="tools-text">{t('doc.place', stop)}</span>}
          <Tool
            words={t('doc.next')}
            icon={<ChevronRight size={15} aria-hidden />}
            onClick={() => onWalk(1)}
          />
        </span>
      )}
      {saysPlace(tab.placeText) && <span className="tools-text">{tab.placeText}</span>}
      <span className="tools-group tools-zoom">
        <Tool words={t('doc.zoomOut')} icon={<Minus size={14} aria-hidden />} onClick={() => onZoom(-1)} />
        <button type="button" className="tool-text" title={t('doc.zoomFit')} onClick={() => onZoom(0)}>
          {percent.format(tab.zoom)}
        </button>
        <Tool words={t('doc.zoomIn')} icon={<Plus size={14} aria-hidden />} onClick={() => onZoom(1)} />
      </span>
      <Tool words={t('find.label')} icon={<Search size={14} aria-hidden />} onClick={onFind} />
      <OpenOriginal tab={tab} />
      <Tool words={t('doc.closePane')} icon={<X size={15} aria-hidden />} onClick={onClose} />
    </div>
  );
}

/** A share of the whole says little of where one stands, and reads like the zoom beside it. */
const saysPlace = (text: string): boolean => text !== '' && !text.endsWith('%');

function Tool({ words, icon, onClick }: { words: string; icon: ReactNode; onClick(): void }) {
  return (
    <button type="button" className="icon" aria-label={words} title={words} onClick={onClick}>
      {icon}
    </button>
  );
}

/** The desktop shows the file in its folder; a browser opens a PDF itself and saves everything else. */
function OpenOriginal({ tab }: { tab: OpenDocument }) {
  const { t } = useTranslation();
  const { view } = tab;
  if (view === undefined) return null;
  const shell = desktop();
  const isShown = shell !== undefined || view.document.kind === 'pdf';
  const icon = isShown ? <ExternalLink size={14} aria-hidden /> : <Download size={14} aria-hidden />;
  if (shell !== undefined) {
    return (
      <Tool words={t('doc.openLong')} icon={icon} onClick={() => void shell.showFile(view.document.id)} />
    );
  }
  const words = t(isShown ? 'doc.openOriginal' : 'doc.saveOriginal');
  return (
    <a
      className="icon"
      href={view.originalUrl}
      target="_blank"
      rel="noreferrer"
      aria-label={words}
      title={words}
    >
      {icon}
    </a>
  );
}
