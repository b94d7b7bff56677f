/** How is a place on this computer named: by its path, or by the system's picker? */
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cleanPath, examplePath, isFullPath } from '../shell/typed-path.ts';

export interface PathFormProps {
  label: string;
  help: string;
  /** Name of the thing in the example path. */
  exampleName: string;
  /** Words of the button that begins. */
  go: string;
  /** Words while it is being done; undefined when nothing is. */
  doing: string | undefined;
  onPath(path: string): void;
  onClose(): void;
  /** Buttons of the shell's own pickers. */
  children?: ReactNode;
}

export function PathForm(props: PathFormProps) {
  const { label, help, go, doing, onPath, onClose, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const path = cleanPath(text);
  const example = examplePath(props.exampleName);
  const isRelative = path !== '' && !isFullPath(path);
  const isBusy = doing !== undefined;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (path !== '' && !isRelative && !isBusy) onPath(path);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        data-first
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={example}
        aria-describedby={`${id}-help`}
        aria-invalid={isRelative || undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div id={`${id}-help`}>
        {isRelative && <p className="problem">{t('add.relative', { path: example })}</p>}
        <p className="soft">{help}</p>
      </div>
      <div className="form-foot">
        {children && <span className="left with-icon">{children}</span>}
        <button type="button" className="button" onClick={onClose}>
          {t('models.cancel')}
        </button>
        <button type="submit" className="go" disabled={path === '' || isRelative || isBusy}>
          {doing ?? go}
        </button>
      </div>
    </form>
  );
}
