/** Which keys are there? */
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { isApple } from './platform.ts';

type Row = { words: string; keys: string[][] };

export function ShortcutSheet({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const command = isApple() ? '⌘' : 'Ctrl';
  const alt = isApple() ? '⌥' : 'Alt';
  const rows: Row[] = [
    { words: 'keys.ask', keys: [['/'], [command, 'K']] },
    { words: 'keys.answer', keys: [['Enter']] },
    { words: 'keys.search', keys: [[alt, 'Enter']] },
    { words: 'keys.line', keys: [['Shift', 'Enter']] },
    { words: 'keys.cancel', keys: [['Esc']] },
    { words: 'keys.walk', keys: [['n'], ['p']] },
    {
      words: 'keys.history',
      keys: [
        [alt, '←'],
        [alt, '→'],
      ],
    },
    { words: 'keys.zoom', keys: [['+'], ['−'], ['0']] },
    { words: 'keys.find', keys: [[command, 'F']] },
    { words: 'keys.panes', keys: [['F6']] },
    { words: 'keys.rail', keys: [[command, 'B']] },
    { words: 'keys.sheet', keys: [['?']] },
  ];
  return (
    <Dialog title={t('keys.title')} closeLabel={t('keys.close')} onClose={onClose}>
      <dl className="shortcuts">
        {rows.map((row) => (
          <div key={row.words}>
            <dt>{t(row.words)}</dt>
            <dd>
              {row.keys.map((chord, index) => (
                <span key={chord.join()}>
                  {index > 0 && <span className="soft"> {t('keys.or')} </span>}
                  {chord.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
