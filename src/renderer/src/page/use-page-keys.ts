/** What do the keys do on this page? */
import { useMemo, useRef } from 'react';
import { isRunning } from '../ask/answer-state.ts';
import type { Keys } from '../shell/key-actions.ts';
import { useKeys } from '../shell/keys.ts';
import type { Page } from './use-page.ts';

export function usePageKeys(page: Page): void {
  const latest = useRef(page);
  latest.current = page;
  // One object for the life of the page, which reads the latest state when a key comes.
  const keys = useMemo<Keys>(
    () => ({
      focusQuestion: () => latest.current.field.current?.select(),
      showShortcuts: () => latest.current.setWindow({ what: 'shortcuts' }),
      foldRail: () => latest.current.rail.fold(),
      walk: (step) => latest.current.stops.walk(step),
      travel: (step) => latest.current.documents.dispatch({ type: 'travel', step }),
      zoom: (step) => latest.current.documents.dispatch({ type: 'zoom', step }),
      find: () => latest.current.find.open(),
      panes: movePane,
      escape: () => leave(latest.current),
    }),
    [],
  );
  useKeys(keys);
}

function leave({ asking, documents, rail }: Page): void {
  if (isRunning(asking.state)) asking.stop();
  else if (rail.isNarrow && documents.active && !documents.state.isAside)
    documents.dispatch({ type: 'step-aside' });
}

/** Moves the focus to the next of: question, answer, document, library. */
function movePane(step: 1 | -1): void {
  const panes = ['#question', '.scroll', '#document [role=tab][aria-selected=true]', '#rail button']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .filter((element) => element !== null);
  const regions = ['.ask', '.scroll', '#document', '#rail'].map((selector) =>
    document.querySelector(selector),
  );
  const here = regions
    .filter((region) => region !== null)
    .find((region) => region.contains(document.activeElement));
  const at = panes.findIndex((pane) => here?.contains(pane));
  panes[(Math.max(at, step === 1 ? -1 : 0) + step + panes.length) % panes.length]?.focus();
}
