/** How is a folder named where no picker can be opened? */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureWords } from '../failure-words.ts';
import { Dialog } from '../shell/dialog.tsx';
import { cleanPath, examplePath, isFullPath } from '../shell/typed-path.ts';
import type { FolderActions } from './use-folders.ts';

export interface AddFolderDialogProps {
  folders: FolderActions;
  samplePath: string | undefined;
  onClose(): void;
}

export function AddFolderDialog({ folders, samplePath, onClose }: AddFolderDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [isAdding, setAdding] = useState(false);
  const example = examplePath('Documents');
  const path = cleanPath(text);
  const isRelative = path !== '' && !isFullPath(path);
  const problem = isRelative
    ? t('add.relative', { path: example })
    : folders.failure && failureWords(folders.failure, t).text;
  const onText = (next: string): void => {
    setText(next);
    folders.dismiss();
  };
  const add = async (from: string): Promise<void> => {
    setAdding(true);
    const isAdded = await folders.add(from);
    setAdding(false);
    if (isAdded) onClose();
  };
  return (
    <Dialog title={t('add.title')} closeLabel={t('add.cancel')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (path !== '' && !isRelative) void add(path);
        }}
      >
        <label htmlFor="folder-path">{t('add.label')}</label>
        <PathInput text={text} example={example} hasProblem={problem !== undefined} onText={onText} />
        {problem && (
          <p className="problem" id="folder-problem" role="alert">
            {problem}
          </p>
        )}
        <p className="soft" id="folder-help">
          {t('add.help')}
        </p>
        <div className="form-foot">
          {samplePath !== undefined && (
            <button
              type="button"
              className="button left"
              disabled={isAdding}
              onClick={() => void add(samplePath)}
            >
              {t('first.sample')}
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            {t('add.cancel')}
          </button>
          <button type="submit" className="go" disabled={path === '' || isRelative || isAdding}>
            {t(isAdding ? 'add.adding' : 'add.add')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PathInputProps {
  text: string;
  example: string;
  hasProblem: boolean;
  onText(text: string): void;
}

function PathInput({ text, example, hasProblem, onText }: PathInputProps) {
  return (
    <input
      id="folder-path"
      data-first
      type="text"
      autoComplete="off"
      spellCheck={false}
      value={text}
      placeholder={example}
      aria-describedby={hasProblem ? 'folder-problem folder-help' : 'folder-help'}
      aria-invalid={hasProblem || undefined}
      onChange={(event) => onText(event.target.value)}
    />
  );
}
