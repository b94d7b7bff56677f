/** Where and how is a question asked? */
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { questionMaxLength } from '../../../api/question.ts';
import type { Folder, Scope } from '../../../api/types.ts';
import { isApple } from '../shell/platform.ts';

export interface AskFieldProps {
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  /** A question to be put into the field; a new object each time. */
  recalled: { question: string } | undefined;
  scope: Scope;
  onScope(scope: Scope): void;
  folders: Folder[];
  isRunning: boolean;
  onAsk(question: string, isSearchOnly: boolean): void;
  onStop(): void;
}

/** Holds what is being typed, so that a letter draws nothing but the field. */
export function AskField(props: AskFieldProps) {
  const { fieldRef, recalled, isRunning } = props;
  const { t } = useTranslation();
  const [question, setQuestion] = useState('');
  useEffect(() => {
    if (recalled !== undefined) setQuestion(recalled.question);
  }, [recalled]);
  const isTooLong = question.length > questionMaxLength;
  const canAsk = question.trim() !== '' && !isTooLong;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (!isRunning) fieldRef.current?.blur();
      return;
    }
    // A key that ends the composition of a character is not yet an Enter.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canAsk) props.onAsk(question, event.altKey);
  };
  return (
    <form
      className="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk) props.onAsk(question, false);
      }}
    >
      <div className="field">
        <textarea
          ref={fieldRef}
          id="question"
          rows={1}
          value={question}
          aria-label={t('ask.label')}
          aria-describedby={isTooLong ? 'question-problem' : 'question-hint'}
          aria-invalid={isTooLong || undefined}
          placeholder={t('ask.placeholder')}
          spellCheck
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <FieldFoot {...props} canAsk={canAsk} onSearch={() => props.onAsk(question, true)} />
      </div>
      {isTooLong && (
        <p className="problem" id="question-problem" role="alert">
          {t('ask.tooLong', { max: questionMaxLength, count: question.length })}
        </p>
      )}
    </form>
  );
}

function FieldFoot(props: AskFieldProps & { canAsk: boolean; onSearch(): void }) {
  const { isRunning, canAsk, onSearch, onStop } = props;
  const { t } = useTranslation();
  return (
    <div className="field-foot">
      <ScopeChips {...props} />
      <span className="hint" id="question-hint">
        {t(isApple() ? 'ask.hintApple' : 'ask.hint')}
      </span>
      {isRunning ? (
        <button type="button" className="go" onClick={onStop}>
          {t('ask.stop')}
        </button>
      ) : (
        <>
          <button
            type="button"
            className="icon"
            disabled={!canAsk}
            aria-label={t('keys.search')}
            title={t('keys.search')}
            onClick={onSearch}
          >
            <Search size={16} aria-hidden />
          </button>
          <button type="submit" className="go" disabled={!canAsk}>
            {t('ask.answer')}
          </button>
        </>
      )}
    </div>
  );
}

/** One chip per thing that narrows the question; each can be taken off. */
function ScopeChips({ scope, onScope, folders }: Pick<AskFieldProps, 'scope' | 'onScope' | 'folders'>) {
  const { t } = useTranslation();
  const chips: { key: keyof Scope; text: string }[] = [];
  const folder = folders.find(({ id }) => id === scope.folderId);
  if (folder !== undefined) chips.push({ key: 'folderId', text: t('ask.in', { name: folder.name }) });
  if (scope.kinds?.length) {
    chips.push({ key: 'kinds', text: scope.kinds.map((kind) => t(`kind.${kind}`)).join(', ') });
  }
  if (scope.after) chips.push({ key: 'after', text: t('ask.afterDay', { day: scope.after }) });
  if (scope.before) chips.push({ key: 'before', text: t('ask.beforeDay', { day: scope.before }) });
  if (scope.includeArchived) chips.push({ key: 'includeArchived', text: t('ask.withArchived') });
  return chips.map(({ key, text }) => (
    <span className="scope" key={key}>
      <span className="clip">{text}</span>
      <button
        type="button"
        aria-label={t('ask.remove', { what: text })}
        onClick={() => onScope({ ...scope, [key]: undefined })}
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  ));
}
