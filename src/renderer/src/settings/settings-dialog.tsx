/** What can be chosen? */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Status } from '../../../api/types.ts';
import { interfaceLanguages, languageNames } from '../language/language.ts';
import { Dialog } from '../shell/dialog.tsx';
import { type PreferenceStore, readingSizes, themes, usePreferences } from './preferences.ts';

export interface SettingsDialogProps {
  store: PreferenceStore;
  status: Status | undefined;
  /** Opens the models page. */
  onModels(): void;
  onClose(): void;
}

export function SettingsDialog({ store, status, onModels, onClose }: SettingsDialogProps) {
  const { t } = useTranslation();
  const preferences = usePreferences(store);
  return (
    <Dialog title={t('settings.title')} closeLabel={t('settings.close')} onClose={onClose}>
      <Choices
        title={t('settings.language')}
        value={preferences.language}
        options={[
          { value: 'system', words: t('settings.system') },
          ...interfaceLanguages.map((value) => ({ value, words: languageNames[value] })),
        ]}
        onChoose={(language) => store.set({ language: language as typeof preferences.language })}
      />
      <Choices
        title={t('settings.theme')}
        value={preferences.theme}
        options={themes.map((value) => ({ value, words: t(`settings.${value}`) }))}
        onChoose={(theme) => store.set({ theme: theme as typeof preferences.theme })}
      />
      <Choices
        title={t('settings.size')}
        value={preferences.readingSize}
        options={readingSizes.map((value) => ({ value, words: t(`settings.${value}`) }))}
        onChoose={(size) => store.set({ readingSize: size as typeof preferences.readingSize })}
      />
      <section className="setting">
        <h3>{t('settings.models')}</h3>
        <p className="soft">{t('settings.modelsHelp')}</p>
        <button type="button" className="button" onClick={onModels}>
          {t('settings.openModels')}
        </button>
      </section>
      {status && (
        <section className="setting">
          <h3>{t('settings.library')}</h3>
          <p className="soft">
            {t('settings.libraryAt')} <span className="path">{status.libraryPath}</span>
          </p>
          <p className="soft">{t('settings.version', { version: status.version })}</p>
        </section>
      )}
    </Dialog>
  );
}

interface ChoicesProps {
  title: string;
  value: string;
  options: { value: string; words: string }[];
  onChoose(value: string): void;
}

function Choices({ title, value, options, onChoose }: ChoicesProps) {
  const id = useId();
  return (
    <section className="setting">
      <h3 id={id}>{title}</h3>
      <div className="choices" role="radiogroup" aria-labelledby={id}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.words}</span>
          </label>
        ))}
      </div>
    </section>
  );
}
