/** Is the rail folded away, and is there room for two columns? */
import { useState } from 'react';
import { type PreferenceStore, usePreferences } from '../settings/preferences.ts';
import { useMedia } from '../shell/use-media.ts';

export interface RailFold {
  isFolded: boolean;
  fold(): void;
  /** The document slides over the answer. */
  isNarrow: boolean;
}

/** Where there is little room the rail begins folded, and its being opened there is not remembered. */
export function useRailFold(store: PreferenceStore): RailFold {
  const { isRailFolded } = usePreferences(store);
  const isTight = useMedia('(max-width: 1100px)');
  const isNarrow = useMedia('(max-width: 900px)');
  const [isTightOpen, setTightOpen] = useState(false);
  return {
    isFolded: isTight ? !isTightOpen : isRailFolded,
    fold: () => {
      if (isTight) setTightOpen(!isTightOpen);
      else store.set({ isRailFolded: !isRailFolded });
    },
    isNarrow,
  };
}
