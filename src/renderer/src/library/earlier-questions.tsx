/** What was asked before? */
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../api/types.ts';

/** Shown until all are asked for. */
const shown = 8;

export interface EarlierQuestionsProps {
  conversations: Conversation[];
  currentId: number | undefined;
  onRecall(conversation: Conversation): void;
  onForget(id: number): void;
}

export function EarlierQuestions({ conversations, currentId, onRecall, onForget }: EarlierQuestionsProps) {
  const { t } = useTranslation();
  const headingId = useId();
  const [showsAll, setShowsAll] = useState(false);
  const visible = showsAll ? conversations : conversations.slice(0, shown);
  return (
    <section className="rail-part" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('rail.earlier')}</h2>
      {conversations.length === 0 && <p className="rail-note">{t('rail.noEarlier')}</p>}
      <ul>
        {visible.map((conversation) => (
          <li key={conversation.id} className="earlier">
            <button
              type="button"
              className="row"
              aria-current={conversation.id === currentId ? 'true' : undefined}
              title={conversation.question}
              onClick={() => onRecall(conversation)}
            >
              <span className="clip">{conversation.question}</span>
            </button>
            <button
              type="button"
              className="icon"
              aria-label={t('rail.forget', { question: conversation.question })}
              title={t('rail.forget', { question: conversation.question })}
              onClick={() => onForget(conversation.id)}
            >
              <X size={13} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {conversations.length > shown && (
        <button type="button" className="row quiet" onClick={() => setShowsAll(!showsAll)}>
          <span className="clip">{t(showsAll ? 'rail.fewerEarlier' : 'rail.moreEarlier')}</span>
        </button>
      )}
    </section>
  );
}
