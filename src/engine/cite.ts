/** Which place does a citation open, and which words stand there? */
import type { Citation, Hit, Range } from '../api/types.ts';
import {
  type EvidencePassage,
  type EvidenceUnit,
  evidenceUnits,
  oneLine,
} from './generate/evidence-units.ts';
import { detectLanguage } from './language/detect-language.ts';
import { anchorsOfRange } from './retrieve/anchors.ts';
import type { StoredBlock, StoreReader } from './store/types.ts';

/** A found passage with the blocks beneath it and the pieces that can be cited. */
export interface Evidence extends EvidencePassage {
  passage: Hit;
  blocks: StoredBlock[];
  units: EvidenceUnit[];
}

/** Loads the blocks of the passages that an answer is made from; anchors of anything else are never read. */
export async function loadEvidence(store: StoreReader, hits: Hit[]): Promise<Evidence[]> {
  return Promise.all(
    hits.map(async (passage, index) => {
      const blocks = await store.blocks(passage.document.id, passage.start, passage.end);
      const evidence = { passage, blocks, language: detectLanguage(passage.text) };
      return { ...evidence, units: evidenceUnits(evidence, index) };
    }),
  );
}

/** A citation of a range of the passage, with the anchors of exactly that range. */
export function cite(number: number, evidence: Evidence, range: Range): Citation {
  const { passage, units } = evidence;
  const blocks = withoutMargins(evidence.blocks, range);
  const anchors = anchorsOfRange(blocks, range.start, range.end);
  const shown = anchors.length > 0 ? anchors : passage.anchors;
  const rows = units.filter(
    (unit) => unit.kind === 'row' && unit.start < range.end && range.start < unit.end,
  );
  return {
    number,
    document: passage.document,
    start: range.start,
    end: range.end,
    quote: rows.length > 0 ? rows.map(({ text }) => text).join('\n') : oneLine(textOf(blocks, range)),
    anchor: shown[0]!,
    anchors: shown,
  };
}

/** A sentence that goes over a page's end is cited without the foot and head between its parts. */
function withoutMargins(blocks: StoredBlock[], { start, end }: Range): StoredBlock[] {
  const inside = blocks.filter((block) => block.start < end && start < block.start + block.text.length);
  const text = inside.filter(({ kind }) => kind !== 'margin');
  return text.length > 0 ? text : inside;
}

function textOf(blocks: StoredBlock[], { start, end }: Range): string {
  return blocks
    .map((block) => block.text.slice(Math.max(0, start - block.start), Math.max(0, end - block.start)))
    .join('');
}
