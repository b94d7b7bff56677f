/** Which words were said when, by a file of subtitles or a transcript (SubRip, WebVTT)? */
import { transcript as limits } from '../../config.ts';
import type { SourceFile } from '../../document.ts';
import { decodeText, readLines } from './decode-text.ts';

/** One stretch of speech. */
export interface Cue {
  fromMs: number;
  toMs: number;
  /** On one line, without markup; begins with "Name: " where another speaker begins. */
  text: string;
  /** Empty where the file names nobody. */
  speaker: string;
}

export interface Cues {
  cues: Cue[];
  encoding: string;
  /** The file has more than are read. */
  isCut: boolean;
}

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}`);
const SPEAKER = /^<v(?:\.[\w.-]+)?\s+([^>]+)>/;
const characters: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  lrm: '',
  rlm: '',
};

/** Throws ParseFailure for what is no text. */
export async function readCues(file: SourceFile, signal: AbortSignal): Promise<Cues> {
  const { encoding, pieces } = await decodeText(file, signal);
  const cues: Cue[] = [];
  let open: { fromMs: number; toMs: number; lines: string[] } | undefined;
  let speaker = '';
  const end = (): void => {
    const cue = open && toCue(open, speaker);
    open = undefined;
    if (!cue) return;
    speaker = cue.speaker;
    cues.push(cue);
  };
  for await (const lines of readLines(pieces())) {
    for (const { text } of lines) {
      const timing = TIMING.exec(text);
      if (timing) {
        // Files without blank lines between cues have the next one's number at the end of the last.
        if (open && open.lines.length > 1 && /^\s*\d+\s*$/.test(open.lines.at(-1)!)) open.lines.pop();
        end();
        if (cues.length >= limits.maxCues) return { cues, encoding, isCut: true };
        open = { fromMs: toMs(timing, 1), toMs: toMs(timing, 5), lines: [] };
      } else if (text.trim() === '') end();
      else open?.lines.push(text.trim());
    }
  }
  end();
  return { cues, encoding, isCut: false };
}

function toMs(match: RegExpExecArray, at: number): number {
  const [hours, minutes, seconds] = [match[at] ?? '0', match[at + 1]!, match[at + 2]!].map(Number);
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + Number(match[at + 3]!.padEnd(3, '0'));
}

/** Undefined where nothing is said. */
function toCue(
  { fromMs, toMs: endMs, lines }: { fromMs: number; toMs: number; lines: string[] },
  before: string,
): Cue | undefined {
  const raw = lines.join(' ');
  const speaker = SPEAKER.exec(raw)?.[1]?.trim() ?? '';
  const words = raw
    .replaceAll(/<\/?[a-z\d][^<>]*>/gi, '')
    .replaceAll(/\{\\[^}]*\}/g, '')
    .replaceAll(/&([a-z]+);/g, (all, name: string) => characters[name] ?? all)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (words === '') return undefined;
  const text = speaker !== '' && speaker !== before ? `${speaker}: ${words}` : words;
  return { fromMs, toMs: Math.max(fromMs, endMs), text, speaker };
}
