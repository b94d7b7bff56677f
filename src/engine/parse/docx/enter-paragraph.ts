/** What do a paragraph's properties and parts mean for its text? */
import { type Attributes, attribute, isOn } from '../zip/read-xml.ts';
import { plainRun, toTag } from './paragraph-builder.ts';
import type { Entered, Frame, WalkState } from './walk-state.ts';

export function enterParagraph(
  state: WalkState,
  local: string,
  name: string,
  attributes: Attributes,
): Entered {
  const open = state.paragraph;
  switch (local) {
    case 'pPr':
      state.capture();
      return { mode: 'paragraph-properties', end: '', leave: () => leaveProperties(state) };
    case 'r':
      open.run = plainRun;
      return { mode: 'run', end: '' };
    case 'hyperlink':
      return enterLink(state, name, attributes);
    case 'bookmarkStart':
    case 'bookmarkEnd':
      // The view knows bookmarks outside links only; names of our own can't be told from those that we write.
      if (!open.isInLink && !attribute(attributes, 'name')?.startsWith('lectern-')) {
        open.builder.addRaw(toTag(name, attributes, true));
      }
      return 'skip';
    case 'oMathPara':
      return { mode: 'paragraph', end: '' };
    case 'oMath':
      return open.isInLink || state.choiceDepth > 0 ? 'skip' : enterFormula(state, name, attributes);
    default:
      return state.unwrapOrSkip(name, 'paragraph');
  }
}

function enterLink(state: WalkState, name: string, attributes: Attributes): Frame {
  const open = state.paragraph;
  if (open.isInLink) return { mode: 'paragraph', end: '' };
  open.isInLink = true;
  open.builder.addRaw(toTag(name, attributes, false));
  return {
    mode: 'paragraph',
    end: '',
    leave: () => {
      open.isInLink = false;
      open.builder.addRaw(`</${name}>`);
    },
  };
}

function enterFormula(state: WalkState, name: string, attributes: Attributes): Frame {
  state.capture();
  state.text = '';
  return state.pass('formula', name, attributes, () =>
    state.paragraph.builder.addFormula(state.text, state.release()),
  );
}

/** Signs that stand for the layout of a formula, so that a/b is not read as ab. */
const FORMULA_SIGNS: Record<string, string> = { den: '/', sup: '^', sub: '_' };

export function enterFormulaPart(
  state: WalkState,
  local: string,
  name: string,
  attributes: Attributes,
): Entered {
  if (local === 'rPr' || local === 'ctrlPr') return 'skip';
  state.text += FORMULA_SIGNS[local] ?? '';
  return state.pass('formula', name, attributes);
}

export function enterParagraphProperty(
  state: WalkState,
  local: string,
  name: string,
  attributes: Attributes,
): Entered {
  const { properties } = state.paragraph.builder;
  const value = attribute(attributes, 'val');
  if (local === 'numPr') return { mode: 'list-properties', end: '' };
  if (local === 'rPr' || local === 'pPrChange') return 'skip';
  if (local === 'pStyle' && value !== undefined) properties.style = value;
  if (local === 'outlineLvl') properties.outlineLevel = Number(value);
  if (local === 'ind') properties.hasIndent = true;
  return state.pass('raw', name, attributes);
}

export function enterListProperty(state: WalkState, local: string, attributes: Attributes): Entered {
  const { properties } = state.paragraph.builder;
  const value = attribute(attributes, 'val');
  if (local === 'numId' && value !== undefined) properties.numberingId = value;
  if (local === 'ilvl') properties.numberingLevel = Number(value);
  return 'skip';
}

/** Numbers count as soon as the properties are known, also for paragraphs that turn out empty: Word does the same. */
function leaveProperties(state: WalkState): void {
  const { builder } = state.paragraph;
  const { properties } = builder;
  properties.xml = state.release();
  const style = state.context.styles.get(properties.style);
  const id = properties.numberingId ?? style.numbering?.id;
  if (id === undefined || id === '0') return;
  const level = properties.numberingLevel ?? style.numbering?.level ?? 0;
  if (properties.numberingId === undefined && style.hasIndent) properties.hasIndent = true;
  builder.setLabel(state.context.lists?.next({ id, level }));
}

export function enterRunProperty(
  state: WalkState,
  local: string,
  name: string,
  attributes: Attributes,
): Entered {
  const { run } = state.paragraph;
  if (local === 'rPrChange' || local === 'ins' || local === 'del') return 'skip';
  if (local === 'b') run.isBold = isOn(attributes);
  if (local === 'vanish') run.isHidden = isOn(attributes);
  return state.pass('raw', name, attributes);
}
