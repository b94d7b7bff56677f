/** How is a question narrowed to some kinds of document or some days? */
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { documentKinds } from '../../../api/question.ts';
import type { DocumentKind, Scope } from '../../../api/types.ts';

export interface NarrowDownProps {
  scope: Scope;
  onScope(scope: Scope): void;
}

export function NarrowDown({ scope, onScope }: NarrowDownProps) {
  const { t } = useTranslation();
  const headingId = useId();
  const kinds = scope.kinds ?? [];
  const toggle = (kind: DocumentKind): void => {
    const next = kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind];
    onScope({ ...scope, kinds: next.length > 0 ? next : undefined });
  };
  const only = kinds[0];
  const kindWords =
    only === undefined
      ? t('narrow.any')
      : kinds.length === 1
        ? t(`kind.${only}`)
        : t('narrow.kinds', { count: kinds.length });
  return (
    <section className="rail-part" aria-labelledby={headingId}>
      <h2 id={headingId}>{t('narrow.title')}</h2>
      <Fold title={t('narrow.kind')} value={kindWords}>
        {documentKinds.map((kind) => (
          <label key={kind} className="check">
            <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
            {t(`kind.${kind}`)}
          </label>
        ))}
      </Fold>
      <Fold title={t('narrow.date')} value={datesInWords(scope, t)}>
        <DayField
          label={t('narrow.from')}
          day={scope.after}
          onDay={(after) => onScope({ ...scope, after })}
        />
        <DayField
          label={t('narrow.until')}
          day={scope.before}
          onDay={(before) => onScope({ ...scope, before })}
        />
        {(scope.after || scope.before) && (
          <button
            type="button"
            className="link"
            onClick={() => onScope({ ...scope, after: undefined, before: undefined })}
          >
            {t('narrow.clear')}
          </button>
        )}
      </Fold>
      <Fold
        title={t('narrow.archived')}
        value={t(scope.includeArchived ? 'narrow.included' : 'narrow.leftOut')}
      >
        <label className="check">
          <input
            type="checkbox"
            checked={scope.includeArchived === true}
            onChange={(event) => onScope({ ...scope, includeArchived: event.target.checked || undefined })}
          />
          {t('narrow.includeArchived')}
        </label>
      </Fold>
    </section>
  );
}

function datesInWords({ after, before }: Scope, t: ReturnType<typeof useTranslation>['t']): string {
  if (after && before) return t('narrow.between', { after, before });
  if (after) return `${t('narrow.after')} ${after}`;
  if (before) return `${t('narrow.before')} ${before}`;
  return t('narrow.any');
}

function Fold({ title, value, children }: { title: string; value: string; children: ReactNode }) {
  return (
    <details className="fold">
      <summary className="row">
        <ChevronDown size={14} aria-hidden />
        <span className="clip">{title}</span>
        <span className="n">{value}</span>
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}

interface DayFieldProps {
  label: string;
  day: string | undefined;
  onDay(day: string | undefined): void;
}

function DayField({ label, day, onDay }: DayFieldProps) {
  const [text, setText] = useState(day ?? '');
  useEffect(() => setText(day ?? ''), [day]);
  return (
    <label className="day">
      <span>{label}</span>
      <input
        type="date"
        value={text}
        onChange={(event) => {
          const { value } = event.target;
          setText(value);
          if (value === '') onDay(undefined);
          // A year that is still being typed reads 0002, then 0020, then 0202.
          else if (/^(19|20)\d{2}-\d{2}-\d{2}$/.test(value)) onDay(value);
        }}
      />
    </label>
  );
}
