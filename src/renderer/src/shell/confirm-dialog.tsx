/** How is a person asked for a yes? */
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  cancelLabel: string;
  yesLabel: string;
  /** Button that has the focus at first; default: whatever the dialog chooses. */
  first?: 'cancel' | 'yes';
  /** What the yes is for. */
  children: ReactNode;
  onYes(): void;
  onClose(): void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, cancelLabel, yesLabel, first, children, onYes, onClose } = props;
  const focus = (button: 'cancel' | 'yes') => (first === button ? { 'data-first': true } : {});
  return (
    <Dialog title={title} closeLabel={cancelLabel} onClose={onClose}>
      {children}
      <div className="form-foot">
        <button type="button" className="button" {...focus('cancel')} onClick={onClose}>
          {cancelLabel}
        </button>
        <button
          type="button"
          className="go"
          {...focus('yes')}
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {yesLabel}
        </button>
      </div>
    </Dialog>
  );
}
