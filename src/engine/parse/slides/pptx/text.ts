/** Which paragraphs does a text body hold, with what they inherit? After ECMA-376, part 21.1.2. */

import { ListLabels, type ListLevel, type NumberFormat } from '../../flow/list-label.ts';
import type { Paragraph, Run, TextFrame } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { colorOf, fontOf, type Palette, themeColor } from './theme.ts';

/** Pixels in a unit of the format, 1/914400 inch. */
export const EMU = 1 / 9525;
/** Sides of a text frame that says nothing of them, in the format's units. */
const INSET_X = 91_440;
const INSET_Y = 45_720;
const MAX_LEVEL = 8;
const DEFAULT_SIZE = 18;

/** Styles by level, the strongest first; each holds `lvl1pPr` to `lvl9pPr`. */
export interface TextStyles {
  lists: readonly (XmlNode | undefined)[];
  /** Colour that the shape's style gives its letters. */
  color?: string | undefined;
  font?: string | undefined;
  /** Body properties, the strongest first. */
  bodies: readonly (XmlNode | undefined)[];
  palette: Palette;
}

const formats: [string, NumberFormat][] = [
  ['arabic', 'decimal'],
  ['alphaLc', 'lower-letter'],
  ['alphaUc', 'upper-letter'],
  ['romanLc', 'lower-roman'],
  ['romanUc', 'upper-roman'],
];

export function readTextFrame(body: XmlNode, styles: TextStyles): TextFrame {
  const bodies = [body.child('bodyPr'), ...styles.bodies];
  const first = (name: string): string | undefined =>
    bodies.map((one) => one?.get(name)).find((value) => value !== undefined);
  const inset = (name: string, otherwise: number): number => Number(first(name) ?? otherwise) * EMU || 0;
  const fit = bodies.find((one) => one?.children.some(({ name }) => /Auto[fF]it$/.test(name)));
  const scale = (fit?.child('normAutofit')?.number('fontScale') ?? 100_000) / 100_000;
  const turn = first('vert') ?? 'horz';
  return {
    paragraphs: readParagraphs(body, styles),
    vertical: first('anchor') === 'ctr' ? 'middle' : first('anchor') === 'b' ? 'bottom' : 'top',
    insets: {
      left: inset('lIns', INSET_X),
      top: inset('tIns', INSET_Y),
      right: inset('rIns', INSET_X),
      bottom: inset('bIns', INSET_Y),
    },
    isUnwrapped: first('wrap') === 'none',
    turn: turn === 'vert270' ? 270 : turn === 'vert' || turn === 'eaVert' ? 90 : 0,
    columns: Math.min(16, Math.max(1, Number(first('numCol') ?? 1) || 1)),
    scale: scale > 0.1 && scale <= 1 ? scale : 1,
  };
}

export function readParagraphs(body: XmlNode, styles: TextStyles): Paragraph[] {
  const labels = new ListLabels();
  const lists = [body.child('lstStyle'), ...styles.lists];
  return body.all('p').map((node) => readParagraph(node, { ...styles, lists }, labels));
}

function readParagraph(node: XmlNode, styles: TextStyles, labels: ListLabels): Paragraph {
  const own = node.child('pPr');
  const level = Math.min(MAX_LEVEL, Math.max(0, own?.number('lvl') ?? 0));
  const chain = [
    own,
    ...styles.lists.map((list) => list?.child(`lvl${level + 1}pPr`) ?? list?.child('defPPr')),
  ].filter((one) => one !== undefined);
  const value = (name: string): string | undefined =>
    chain.map((one) => one.get(name)).find((found) => found !== undefined);
  const marked = chain.find((one) =>
    one.children.some(({ name }) => /^bu(None|Char|AutoNum|Blip)$/.test(name)),
  );
  const auto = marked?.child('buAutoNum');
  const runs = readRuns(node, chain, styles);
  const isBlank = runs.every(({ text }) => text.trim() === '');
  const label = auto && !isBlank ? numberOf(auto, level, labels) : '';
  if (!auto && !isBlank) labels.restart('list');
  const bullet = isBlank ? '' : bulletOf(marked);
  const bulletColor = chain.map((one) => colorOf(one.child('buClr'), styles.palette)).find((one) => one);
  const align = value('algn');
  const indent = Number(value('marL') ?? 0) * EMU || 0;
  return {
    runs,
    level,
    isItem: label !== '' || bullet !== '' || (level > 0 && !isBlank),
    label,
    bullet,
    bulletColor,
    align:
      align === 'ctr' ? 'center' : align === 'r' ? 'right' : align?.startsWith('just') ? 'justify' : 'left',
    isRightToLeft: value('rtl') === '1',
    indent,
    firstIndent: Number(value('indent') ?? 0) * EMU || 0,
    lineHeight: spacing(chain, 'lnSpc')?.share ?? 1,
    spaceBefore: points(spacing(chain, 'spcBef'), runs),
    spaceAfter: points(spacing(chain, 'spcAft'), runs),
  };
}

interface Spacing {
  /** Of the letters' size. */
  share?: number;
  points?: number;
}

function spacing(chain: readonly XmlNode[], name: string): Spacing | undefined {
  const node = chain.map((one) => one.child(name)).find((one) => one);
  const share = node?.child('spcPct')?.number('val');
  if (share !== undefined) return { share: Math.min(4, Math.max(0, share / 100_000)) };
  const fixed = node?.child('spcPts')?.number('val');
  return fixed === undefined ? undefined : { points: Math.min(400, Math.max(0, fixed / 100)) };
}

function points(space: Spacing | undefined, runs: readonly Run[]): number {
  if (space?.points !== undefined) return space.points;
  return (space?.share ?? 0) * (runs[0]?.size ?? DEFAULT_SIZE);
}

function numberOf(auto: XmlNode, level: number, labels: ListLabels): string {
  const type = auto.get('type') ?? 'arabicPeriod';
  const format = formats.find(([start]) => type.startsWith(start))?.[1] ?? 'decimal';
  const digit = `%${level + 1}`;
  const text = type.endsWith('ParenBoth')
    ? `(${digit})`
    : type.endsWith('ParenR')
      ? `${digit})`
      : type.endsWith('Plain')
        ? digit
        : `${digit}.`;
  const levels: ListLevel[] = [];
  for (let at = 0; at <= level; at++) levels.push({ start: auto.number('startAt') ?? 1, format, text });
  return labels.next('list', levels, level);
}

function bulletOf(marked: XmlNode | undefined): string {
  if (!marked || marked.child('buAutoNum')) return '';
  if (marked.child('buBlip')) return '•';
  const sign = marked.child('buChar')?.get('char') ?? '';
  // Signs of symbol faces stand in the private area or mean something else in a common face.
  const font = marked.child('buFont')?.get('typeface') ?? '';
  if (/[\ue000-\uf8ff]/.test(sign) || /wingdings|symbol|webdings/i.test(font)) return '•';
  return sign.slice(0, 2);
}

function readRuns(node: XmlNode, chain: readonly XmlNode[], styles: TextStyles): Run[] {
  const inherited = chain.map((one) => one.child('defRPr'));
  const runs: Run[] = [];
  const add = (text: string, properties: XmlNode | undefined): void => {
    if (text !== '') runs.push({ text, ...readLetters([properties, ...inherited], styles) });
  };
  for (const child of node.children) {
    if (child.name === 'r' || child.name === 'fld') add(child.child('t')?.text ?? '', child.child('rPr'));
    else if (child.name === 'br') add('\n', child.child('rPr'));
    else if (child.name !== 'pPr' && child.name !== 'endParaRPr') add(formulaText(child), undefined);
  }
  if (runs.length === 0)
    runs.push({ text: '', ...readLetters([node.child('endParaRPr'), ...inherited], styles) });
  return runs;
}

/** A formula stands as a choice of its own; its fallback is left. */
function formulaText(node: XmlNode): string {
  const holder = node.name === 'AlternateContent' ? (node.child('Choice') ?? node) : node;
  return [...holder.deep('t')].map(({ text }) => text).join('');
}

function readLetters(chain: readonly (XmlNode | undefined)[], styles: TextStyles): Omit<Run, 'text'> {
  const value = (name: string): string | undefined =>
    chain.map((one) => one?.get(name)).find((found) => found !== undefined);
  const isOn = (name: string): boolean => /^(1|true|on)$/.test(value(name) ?? '');
  const size = Number(value('sz'));
  const baseline = Number(value('baseline') ?? 0);
  const [own, ...rest] = chain.map((one) => colorOf(one?.child('solidFill'), styles.palette));
  const link = chain[0]?.child('hlinkClick') && !own ? `#${themeColor('hlink', styles.palette)}` : undefined;
  const typeface = chain.map((one) => one?.child('latin')?.get('typeface')).find((one) => one);
  return {
    size: size > 0 ? Math.min(400, size / 100) : undefined,
    color: own ?? link ?? styles.color ?? rest.find((one) => one) ?? `#${themeColor('tx1', styles.palette)}`,
    font: fontOf(typeface, styles.palette) ?? styles.font,
    isBold: isOn('b'),
    isItalic: isOn('i'),
    isUnderlined: !/^(none)?$/.test(value('u') ?? '') || link !== undefined,
    isStruck: /^(sng|dbl)Strike$/.test(value('strike') ?? ''),
    shift: baseline > 0 ? 'up' : baseline < 0 ? 'down' : 'none',
  };
}
