/** Which text do the parts of a run show: letters, breaks, signs, marks of notes, drawings? */
import { type Attributes, attribute } from '../zip/read-xml.ts';
import { type RunProperties, toTag } from './paragraph-builder.ts';
import { toSymbol } from './symbols.ts';
import type { Alternate, Entered, Frame, Mode, Sink, WalkState } from './walk-state.ts';

/** Name of the bookmark before each mark of a note; the view knows the mark by it. */
const NOTE_BOOKMARK = 'lectern-note';

export function enterRun(state: WalkState, local: string, name: string, attributes: Attributes): Entered {
  if (local === 'fldChar') {
    turnField(state, attribute(attributes, 'fldCharType'));
    return 'skip';
  }
  if (local === 'rPr') return enterRunProperties(state);
  if (state.fields.includes('code')) return 'skip';
  // Words with a reading aid above them, and runs in runs.
  if (local === 'ruby' || local === 'rubyBase' || local === 'r') return { mode: 'run', end: '' };
  if (local === 'drawing' || local === 'pict' || local === 'object')
    return enterDrawing(state, name, attributes);
  return state.choiceDepth > 0 ? 'skip' : enterText(state, local, name, attributes);
}

function enterText(state: WalkState, local: string, name: string, attributes: Attributes): Entered {
  const { builder, run } = state.paragraph;
  switch (local) {
    case 't':
      state.text = '';
      return { mode: 'text', end: '', leave: () => builder.addText(state.text, run) };
    case 'tab':
    case 'ptab':
      builder.addTab(run);
      break;
    case 'br':
      if (attribute(attributes, 'type') === 'page') builder.addPageBreak(run);
      else builder.addText('\n', run);
      break;
    case 'cr':
      builder.addText('\n', run);
      break;
    case 'noBreakHyphen':
      builder.addText('\u2011', run);
      break;
    case 'sym':
      builder.addText(
        toSymbol(attribute(attributes, 'font') ?? '', attribute(attributes, 'char') ?? ''),
        run,
      );
      break;
    case 'footnoteReference':
    case 'endnoteReference': {
      const kind = local === 'footnoteReference' ? 'footnote' : 'endnote';
      state.context.notes.add(`${kind} ${attribute(attributes, 'id') ?? ''}`);
      builder.addNoteMark(toTag(name, attributes, true), NOTE_BOOKMARK, run);
      break;
    }
  }
  return 'skip';
}

/** A field has a code, which is not shown, and a result. */
function turnField(state: WalkState, kind: string | undefined): void {
  const { fields } = state;
  if (kind === 'begin') fields.push('code');
  else if (kind === 'separate' && fields.length > 0) fields[fields.length - 1] = 'result';
  else if (kind === 'end') fields.pop();
}

function enterRunProperties(state: WalkState): Frame {
  const properties: RunProperties = { isBold: undefined, isHidden: false, xml: '' };
  state.paragraph.run = properties;
  state.capture();
  return {
    mode: 'run-properties',
    end: '',
    leave: () => {
      properties.xml = state.release();
    },
  };
}

function enterDrawing(state: WalkState, name: string, attributes: Attributes): Frame {
  const { boxes, builder, run } = state.paragraph;
  const boxesBefore = boxes.length;
  state.capture();
  return state.pass('drawing', name, attributes, () => {
    const xml = state.release();
    // A shape that held only text is replaced by the frame below its paragraph.
    const isDrawn = boxes.length === boxesBefore || /<(?:\w+:)?(?:blip|imagedata)\b/.test(xml);
    if (!isDrawn) return;
    if (state.choiceDepth > 0) state.write(xml);
    else builder.addDrawing(xml, run);
  });
}

export function enterDrawingPart(
  state: WalkState,
  local: string,
  name: string,
  attributes: Attributes,
): Entered {
  if (local === 'txbxContent') return enterTextBox(state);
  if (local === 'textbox' || local === 'txbx') return { mode: 'drawing', end: '' };
  return state.pass('drawing', name, attributes);
}

/** The paragraphs of a text box wait until the paragraph that it hangs on is written. */
function enterTextBox(state: WalkState): Frame {
  const box: Sink = { events: [], xml: [] };
  const { choiceDepth, fields } = state;
  state.paragraph.boxes.push(box);
  state.sinks.push(box);
  state.capture(box.xml);
  state.choiceDepth = 0;
  state.fields = [];
  return {
    mode: 'block',
    end: '',
    leave: () => {
      state.release();
      state.sinks.pop();
      state.choiceDepth = choiceDepth;
      state.fields = fields;
    },
  };
}

/** Text boxes are read from the modern way of drawing, all else from the older one: only that one is drawn by the view. */
export function enterAlternate(state: WalkState, inner: Mode): Entered {
  if (inner !== 'block' && inner !== 'paragraph' && inner !== 'run' && inner !== 'drawing') return 'skip';
  const alternate: Alternate = { inner, hasChoice: false, hasFallback: false, hasBox: false, choiceXml: '' };
  state.alternates.push(alternate);
  return {
    mode: 'alternate',
    end: '',
    leave: () => {
      state.alternates.pop();
      if (alternate.hasFallback || alternate.choiceXml === '') return;
      if (inner === 'drawing' || inner === 'block' || state.choiceDepth > 0) state.write(alternate.choiceXml);
      else state.paragraph.builder.addDrawing(alternate.choiceXml, state.paragraph.run);
    },
  };
}

export function enterAlternatePart(state: WalkState, local: string): Entered {
  const alternate = state.alternates.at(-1)!;
  const { inner } = alternate;
  if (local === 'Fallback') {
    if (alternate.hasBox) return 'skip';
    alternate.hasFallback = true;
    return { mode: inner, end: '' };
  }
  if (local !== 'Choice' || alternate.hasChoice) return 'skip';
  alternate.hasChoice = true;
  const boxes = inner === 'block' ? [] : state.paragraph.boxes;
  const boxesBefore = boxes.length;
  state.choiceDepth += 1;
  state.capture();
  return {
    mode: inner,
    end: '',
    leave: () => {
      state.choiceDepth -= 1;
      alternate.choiceXml = state.release();
      alternate.hasBox = boxes.length > boxesBefore;
    },
  };
}
