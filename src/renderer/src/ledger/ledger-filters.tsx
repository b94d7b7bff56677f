/** To which documents is the ledger narrowed? */
import { useTranslation } from 'react-i18next';
import { countOf, type LedgerCounts, type LedgerFilter, statesOf } from '../../../api/ledger.ts';

interface LedgerFiltersProps {
  state: LedgerFilter | undefined;
  onState(state: LedgerFilter | undefined): void;
  /** Undefined until they are there. */
  counts: LedgerCounts | undefined;
}

const groups = [undefined, 'indexed', 'incomplete', 'partly', 'waiting', 'failed', 'excluded'] as const;
/** Those that are always offered; the others only while something is in them. */
const lasting: readonly (LedgerFilter | undefined)[] = [undefined, 'indexed'];

/** What became of them; for those that were not read also why, where there are several causes. */
export function LedgerFilters({ state, onState, counts }: LedgerFiltersProps) {
  const { t } = useTranslation();
  const group = groups.find((one) => one === state) ?? groupOf(state);
  const shown = groups.filter(
    (one) => lasting.includes(one) || one === group || (counts !== undefined && countOf(counts, one) > 0),
  );
  const causes = statesOf('failed').filter((one) => one === state || (counts?.[one] ?? 0) > 0);
  return (
    <>
      <div className="choices" role="radiogroup" aria-label={t('ledger.show')}>
        {shown.map((one) => (
          <Choice
            key={one ?? 'all'}
            name="ledger-group"
            isChosen={one === group}
            label={t(`ledger.group.${one ?? 'all'}`)}
            count={counts && countOf(counts, one)}
            onChoose={() => onState(one)}
          />
        ))}
      </div>
      {group === 'failed' && causes.length > 1 && (
        <div className="choices" role="radiogroup" aria-label={t('ledger.showNotRead')}>
          {(['failed', ...causes] as const).map((one) => (
            <Choice
              key={one}
              name="ledger-cause"
              isChosen={one === state}
              label={one === 'failed' ? t('ledger.anyCause') : t(`ledger.state.${one}`)}
              count={one === 'failed' ? undefined : counts?.[one]}
              onChoose={() => onState(one)}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** The group that holds a state which is no group of its own. */
function groupOf(state: LedgerFilter | undefined): LedgerFilter | undefined {
  if (state === 'scan-waiting') return 'waiting';
  return statesOf('failed').some((one) => one === state) ? 'failed' : undefined;
}

interface ChoiceProps {
  name: string;
  isChosen: boolean;
  label: string;
  count: number | undefined;
  onChoose(): void;
}

function Choice({ name, isChosen, label, count, onChoose }: ChoiceProps) {
  const { i18n } = useTranslation();
  return (
    <label>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        {label}
        {count !== undefined && (
          <>
            {' '}
            <small>{new Intl.NumberFormat(i18n.language).format(count)}</small>
          </>
        )}
      </span>
    </label>
  );
}
