/** What was searched, what was not, and what can be done with the answer? */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, SearchResult } from '../../../api/types.ts';
import { answerWithSources } from './copy-with-sources.ts';

export interface CoverageLineProps {
  question: string;
  search: SearchResult;
  answer: Answer | undefined;
  showsWhy: boolean;
  onWhy(): void;
  /** Asks for the list of those that were not searched, or only in part. */
  onNotRead(): void;
}

/** How long "Copied" stands, in milliseconds. */
const copiedMs = 2000;

export function CoverageLine({ question, search, answer, showsWhy, onWhy, onNotRead }: CoverageLineProps) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const { searched, total, failed, waiting, partly = 0 } = answer?.coverage ?? search.coverage;
  const notSearched = failed + waiting;
  const seconds = answer && Math.max(0.1, Math.round(answer.elapsedMs / 100) / 10);
  return (
    <div className="meta">
      <span>{t('answer.searched', { searched, count: total })}</span>
      {notSearched + partly > 0 && (
        <button type="button" className="link" onClick={onNotRead}>
          {[
            notSearched > 0 && t('answer.notSearched', { count: notSearched }),
            partly > 0 && t('answer.inPart', { count: partly }),
          ]
            .filter(Boolean)
            .join(', ')}
        </button>
      )}
      {search.hits.length > 0 && (
        <button type="button" className="link" aria-expanded={showsWhy} onClick={onWhy}>
          {t(showsWhy ? 'answer.whyHide' : 'answer.why')}
        </button>
      )}
      {showsWhy && <span>{t(`answer.method.${search.method}`)}</span>}
      {answer && answer.citations.length > 0 && (
        <button
          type="button"
          className="link"
          onClick={() => {
            void navigator.clipboard
              .writeText(answerWithSources(question, answer, search.hits, t))
              .then(() => setCopied(true));
          }}
        >
          {t(isCopied ? 'answer.copied' : 'answer.copy')}
        </button>
      )}
      {seconds !== undefined && <span>{t('answer.took', { seconds })}</span>}
    </div>
  );
}
