/** Which blocks do the paragraphs and tables make that a reader of a flowing document found? */
import type { Part } from '../../document.ts';
import type { FlowParts } from './flow-parts.ts';
import { type FlowTableRow, flowTable } from './flow-table.ts';

export interface FlowParagraph {
  type: 'paragraph';
  kind: 'title' | 'heading' | 'paragraph' | 'list-item' | 'code' | 'footnote' | 'margin';
  text: string;
  /** Of a heading, from 1. */
  level?: number;
}

/** What a document holds, in reading order. */
export type FlowItem = FlowParagraph | { type: 'table'; rows: FlowTableRow[]; name?: string };

export function* itemParts(flow: FlowParts, items: readonly FlowItem[]): Generator<Part> {
  for (const item of items) {
    if (item.type === 'table') yield* flowTable(flow, item.rows, item.name);
    else {
      const part = flow.block(item.kind, item.text, item.kind === 'heading' ? (item.level ?? 1) : undefined);
      if (part) yield part;
    }
  }
}
