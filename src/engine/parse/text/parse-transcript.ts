/** Which blocks does a transcript (srt, vtt) hold, and where do they stand? */
import { transcript as limits } from '../../config.ts';
import { type Block, ParseFailure, type Parser, type Part, type Span } from '../../document.ts';
import { type Cue, readCues } from './read-cues.ts';

const SENTENCE_END = /[.!?…]["»”’)]*$/u;
/** A paragraph this long ends with its sentence, in UTF-16 units. */
const LONG_ENOUGH = 300;

/** Cues make a paragraph until a speaker, a long silence or a sentence ends; each cue is a span with its times. */
export const parseTranscript: Parser = async function* (file, signal) {
  const { cues, encoding, isCut } = await readCues(file, signal);
  yield { type: 'metadata', metadata: { kind: 'transcript', encoding } };
  if (isCut) {
    const message = `${file.name}: over ${limits.maxCues} cues; the rest was left out.`;
    yield { type: 'warning', warning: { code: 'too-large', message } };
  }
  if (cues.length === 0)
    throw new ParseFailure('empty', `Nothing to read: ${file.name}: no words with times are in it.`);
  yield* paragraphs(cues);
};

function* paragraphs(cues: readonly Cue[]): Generator<Part> {
  let paragraph: Cue[] = [];
  let length = 0;
  for (const cue of cues) {
    const last = paragraph.at(-1);
    if (last && isNew(last, cue, length)) {
      yield { type: 'block', block: blockOf(paragraph) };
      paragraph = [];
      length = 0;
    }
    paragraph.push(cue);
    length += cue.text.length + 1;
  }
  if (paragraph.length > 0) yield { type: 'block', block: blockOf(paragraph) };
}

function isNew(last: Cue, cue: Cue, length: number): boolean {
  if (last.speaker !== cue.speaker || cue.fromMs - last.toMs > limits.pauseMs) return true;
  const isLong = length > LONG_ENOUGH && SENTENCE_END.test(last.text);
  return isLong || length + cue.text.length > limits.maxBlockLength;
}

function blockOf(cues: readonly Cue[]): Block {
  const spans: Span[] = [];
  let text = '';
  for (const cue of cues) {
    if (text !== '') text += ' ';
    const anchor = { kind: 'time', fromMs: cue.fromMs, toMs: cue.toMs } as const;
    spans.push({ start: text.length, end: text.length + cue.text.length, anchor });
    text += cue.text;
  }
  return { kind: 'paragraph', text: `${text}\n`, spans };
}
