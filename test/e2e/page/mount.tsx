/** How does one document view run alone in a page, told what to show by a test? */
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import type { DocumentViewProps } from '../../../src/renderer/src/document/view-props.ts';

type View = ComponentType<DocumentViewProps>;

/** By the name of their file under the document folder. */
const views: Record<string, () => Promise<{ default: View }>> = {
  'image/image-view': async () => ({
    default: (await import('../../../src/renderer/src/document/image/image-view.tsx')).ImageView as View,
  }),
  'pdf/pdf-view': async () => ({
    default: (await import('../../../src/renderer/src/document/pdf/pdf-view.tsx')).PdfView as View,
  }),
  'docx/docx-view': async () => ({
    default: (await import('../../../src/renderer/src/document/docx/docx-view.tsx')).DocxView as View,
  }),
  'sheet/sheet-view': async () => ({
    default: (await import('../../../src/renderer/src/document/sheet/sheet-view.tsx')).SheetView as View,
  }),
  'html/html-view': async () => ({
    default: (await import('../../../src/renderer/src/document/html/html-view.tsx')).HtmlView as View,
  }),
  'mail/mail-view': async () => ({
    default: (await import('../../../src/renderer/src/document/mail/mail-view.tsx')).MailView as View,
  }),
  'slides/slides-view': async () => ({
    default: (await import('../../../src/renderer/src/document/slides/slides-view.tsx')).SlidesView as View,
  }),
  'markdown/markdown-view': async () => ({
    default: (await import('../../../src/renderer/src/document/markdown/markdown-view.tsx'))
      .MarkdownView as View,
  }),
  'text/text-view': async () => ({
    default: (await import('../../../src/renderer/src/document/text/text-view.tsx')).TextView as View,
  }),
  'transcript/transcript-view': async () => ({
    default: (await import('../../../src/renderer/src/document/transcript/transcript-view.tsx'))
      .TranscriptView as View,
  }),
};

type PlainProps = Pick<DocumentViewProps, 'view' | 'anchors' | 'quote' | 'visit' | 'zoom' | 'find'>;

const listeners = new Set<() => void>();
const given = (await (await fetch('/mount/props.json')).json()) as { component: string; props: PlainProps };
const load = views[given.component];
if (!load) throw new Error(`view not mounted: ${given.component}: name it in mount.tsx`);
const View = lazy(load);
const mounted = {
  props: given.props,
  places: [] as string[],
  lit: [] as boolean[],
  members: [] as string[],
  found: undefined as number | undefined,
  setProps(changed: Partial<PlainProps>): void {
    mounted.props = { ...mounted.props, ...changed };
    mounted.lit = [];
    mounted.found = undefined;
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
const onFound = (count: number, isWhole: boolean): void => {
  if (isWhole) mounted.found = count;
};
const onLit = (isLit: boolean) => void mounted.lit.push(isLit);
const onMember = (name: string) => void mounted.members.push(name);

function Mount() {
  const props = useSyncExternalStore(subscribe, () => mounted.props);
  return (
    <Suspense>
      <View
        {...props}
        loadRows={loadRows}
        onPlace={onPlace}
        onLit={onLit}
        onMember={onMember}
        onFound={onFound}
      />
    </Suspense>
  );
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<Mount />);
