/** How does one document view run alone in a page, told what to show by a test? */

// Resolved by mount-view.ts to the component under test.
import { View } from 'virtual:view-under-test';
import { useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import type { DocumentViewProps } from '../../../src/renderer/src/document/view-props.ts';

type PlainProps = Pick<DocumentViewProps, 'view' | 'anchors' | 'quote' | 'visit' | 'zoom'>;

const listeners = new Set<() => void>();
const mounted = {
  props: (await (await fetch('/mount/props.json')).json()) as PlainProps,
  places: [] as string[],
  lit: [] as boolean[],
  setProps(changed: Partial<PlainProps>): void {
    mounted.props = { ...mounted.props, ...changed };
    mounted.lit = [];
    for (const listener of listeners) listener();
  },
};
Object.assign(globalThis, { mounted });

async function loadRows(sheet: string, from: number, count: number) {
  const query = new URLSearchParams({ sheet, from: String(from), count: String(count) });
  const response = await fetch(`/mount/rows?${query}`);
  if (!response.ok) throw new Error(`rows not loaded: ${sheet}: the test gave no rows`);
  return response.json();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const onPlace = (text: string) => void mounted.places.push(text);
const onLit = (isLit: boolean) => void mounted.lit.push(isLit);

function Mount() {
  const props = useSyncExternalStore(subscribe, () => mounted.props);
  return <View {...props} loadRows={loadRows} onPlace={onPlace} onLit={onLit} />;
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Mount />);
