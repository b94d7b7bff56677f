/** What does the document pane hand to the view of one kind of document? */
import type { Anchor } from '../../../api/anchor.ts';
import type { DocumentView, SheetRows } from '../../../api/types.ts';
import type { FindRequest } from './find/find-all.ts';

export interface DocumentViewProps {
  view: DocumentView;
  /** Places to light; empty when the document is only being read. */
  anchors: Anchor[];
  /** The words that the lit places hold, for views that prove or refine them. */
  quote: string;
  /** Rises each time the place must be scrolled into view again, also to the same anchors. */
  visit: number;
  /** 1 is the size that suits the pane: pages fill its width, text has its natural size. */
  zoom: number;
  /** Rows of a sheet, from row number `from` (1-based). */
  loadRows(sheet: string, from: number, count: number): Promise<SheetRows>;
  /** Human words for where the view stands now, such as "7 / 22"; shown in the toolbar. */
  onPlace(text: string): void;
  /** The lit place is on screen (true) or can't be shown (false). */
  onLit(isLit: boolean): void;
  /** Opens a document inside this one, by its name. */
  onMember?: ((name: string) => void) | undefined;
  /** What the reader looks for; undefined: nothing. */
  find?: FindRequest | undefined;
  /** How many places were found so far; `isWhole`: the whole document was looked through. */
  onFound?: ((count: number, isWhole: boolean) => void) | undefined;
}
