/** What is a presentation, whichever format keeps it? Lengths are CSS pixels (1/96 inch), sizes of letters points. */
import type { DocumentMetadata } from '../../document.ts';

/** An open presentation. */
export interface Deck {
  /** Size of each slide. */
  width: number;
  height: number;
  metadata: DocumentMetadata;
  /** In the order of the show, each read when asked for. Throws ParseFailure. */
  slides(): AsyncIterable<Slide>;
  close(): void;
}

export interface Slide {
  /** 1-based, hidden slides counted. */
  number: number;
  /** Left out of the show. */
  isHidden: boolean;
  /** Some of it could not be read. */
  isDamaged: boolean;
  background?: Paint;
  /** From back to front. */
  shapes: Shape[];
  /** What the speaker wrote beneath. */
  notes: Paragraph[];
  comments: Paragraph[];
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Shape {
  /** margin: date, footer, number of the slide. */
  role: 'title' | 'subtitle' | 'text' | 'margin';
  /** Of the layout or the master: drawn on many slides, said on the first. */
  isBackdrop: boolean;
  /** Before its rotation; absent where no place is known. */
  box?: Box;
  /** Clockwise, in degrees around the middle. */
  rotation: number;
  isFlippedX: boolean;
  isFlippedY: boolean;
  outline?: Outline;
  picture?: Picture;
  text?: TextFrame;
  table?: SlideTable;
  /** Of a group: in the slide's own coordinates, as all boxes are. */
  children?: Shape[];
}

/** CSS colour, or a gradient of colours at their share of the way, or a picture. */
export type Paint =
  | { type: 'color'; color: string }
  | { type: 'gradient'; stops: { at: number; color: string }[]; angle: number }
  | { type: 'picture'; picture: Picture };

/** How a shape is filled and bordered. */
export interface Outline {
  /** Path in SVG's language, in pixels from the box's corner. */
  path: string;
  fill?: Paint;
  line?: Line;
}

export interface Line {
  color: string;
  width: number;
  isDashed: boolean;
  hasHead: boolean;
  hasTail: boolean;
}

export interface Picture {
  /** As `PictureShelf` names it; undefined for a picture that no browser shows. */
  name: string | undefined;
  /** Words that describe it. */
  label: string;
  /** Shares of the picture's sides that are cut off. */
  crop: { left: number; top: number; right: number; bottom: number };
}

export interface TextFrame {
  paragraphs: Paragraph[];
  vertical: 'top' | 'middle' | 'bottom';
  insets: { left: number; top: number; right: number; bottom: number };
  /** Lines end only where the writer ended them. */
  isUnwrapped: boolean;
  /** Clockwise turn of the text alone, in degrees. */
  turn: 0 | 90 | 270;
  columns: number;
  /** What the program made the letters smaller by, to let them fit; 1 for none. */
  scale: number;
}

export interface Paragraph {
  runs: Run[];
  /** Depth in a list, from 0. */
  level: number;
  isItem: boolean;
  /** Number of the item, part of its text. */
  label: string;
  /** Sign of the item, drawn only. */
  bullet: string;
  bulletColor: string | undefined;
  align: 'left' | 'center' | 'right' | 'justify';
  isRightToLeft: boolean;
  /** Left edge of the lines, and of the first against them. */
  indent: number;
  firstIndent: number;
  /** Of the size of the letters. */
  lineHeight: number;
  /** In points. */
  spaceBefore: number;
  spaceAfter: number;
  /** Identifier of its block; given when blocks are made. */
  block?: string;
}

export interface Run {
  text: string;
  /** Points. */
  size: number | undefined;
  color: string | undefined;
  font: string | undefined;
  isBold: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
  isStruck: boolean;
  /** Raised or lowered. */
  shift: 'none' | 'up' | 'down';
}

export interface SlideTable {
  /** Pixels. */
  columns: number[];
  rows: SlideRow[];
  name: string;
  /** Values are drawn as bars, as a chart's are. */
  isChart: boolean;
}

export interface SlideRow {
  height: number;
  isHeader: boolean;
  cells: SlideCell[];
}

export interface SlideCell {
  paragraphs: Paragraph[];
  span: number;
  rowSpan: number;
  /** on: covered by the cell above. */
  merge: 'none' | 'start' | 'on';
  fill?: string | undefined;
  vertical: 'top' | 'middle' | 'bottom';
  /** Share of the chart's largest value, for its bar, with the colour of its series. */
  bar?: { share: number; color: string };
  /** Its text, or the pieces of it where a table was no table: identifiers with ranges in the drawn text. */
  blocks?: string[];
}

/** Letters as nothing says otherwise. */
export function plainRun(text: string): Run {
  return {
    text,
    size: undefined,
    color: undefined,
    font: undefined,
    isBold: false,
    isItalic: false,
    isUnderlined: false,
    isStruck: false,
    shift: 'none',
  };
}

export function plainParagraph(text: string): Paragraph {
  return {
    runs: [plainRun(text)],
    level: 0,
    isItem: false,
    label: '',
    bullet: '',
    bulletColor: undefined,
    align: 'left',
    isRightToLeft: false,
    indent: 0,
    firstIndent: 0,
    lineHeight: 1,
    spaceBefore: 0,
    spaceAfter: 0,
  };
}

export function textOf(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .map(({ label, runs }) => (label === '' ? '' : `${label} `) + runs.map(({ text }) => text).join(''))
    .join('\n');
}
