/** Which shapes does a page of an OpenDocument presentation hold? */
import { slides as limits } from '../../../config.ts';
import type { Line, Outline, Paint, Picture, Shape } from '../deck.ts';
import { outlineOf } from '../outlines.ts';
import type { XmlNode } from '../xml-tree.ts';
import { readChart } from './charts.ts';
import { placeOf } from './place.ts';
import { cssColor, type DeckStyles, lengthOf } from './styles.ts';
import { readTable } from './tables.ts';
import { frameOf, type OdpText, readParagraphs } from './text.ts';

export interface PageContext {
  styles: DeckStyles;
  /** Name of the page's master, whose styles carry it. */
  master: string;
  fields: ReadonlyMap<string, string>;
  /** Trees of embedded charts, by the folder that they stand in. */
  objects: ReadonlyMap<string, XmlNode>;
  picture(address: string | undefined, label: string): Picture;
}

/** Shapes that hold text of their own; the others are frames around something. */
const drawn: Record<string, string> = {
  rect: 'rect',
  ellipse: 'ellipse',
  circle: 'ellipse',
  line: 'line',
  connector: 'line',
  polyline: 'rect',
  polygon: 'rect',
  path: 'rect',
  caption: 'rect',
  'custom-shape': 'rect',
};
/** Names of LibreOffice's shapes in ECMA-376's words. */
const presets: Record<string, string> = {
  'round-rectangle': 'roundRect',
  'isosceles-triangle': 'triangle',
  'right-triangle': 'rtTriangle',
  ellipse: 'ellipse',
  diamond: 'diamond',
  hexagon: 'hexagon',
  octagon: 'octagon',
  parallelogram: 'parallelogram',
  trapezoid: 'trapezoid',
  cross: 'plus',
  star5: 'star5',
  'right-arrow': 'rightArrow',
  'left-arrow': 'leftArrow',
  'up-arrow': 'upArrow',
  'down-arrow': 'downArrow',
  chevron: 'chevron',
  'pentagon-right': 'homePlate',
};
const roles: Record<string, Shape['role']> = {
  title: 'title',
  subtitle: 'subtitle',
  footer: 'margin',
  header: 'margin',
  'date-time': 'margin',
  'page-number': 'margin',
};

/** The shapes of a page in their drawn order; `isBackdrop`: those of a master, without what is only a place for something. */
export function readShapes(page: XmlNode, context: PageContext, isBackdrop: boolean): Shape[] {
  let count = 0;
  return read(page);

  function read(holder: XmlNode): Shape[] {
    const shapes: Shape[] = [];
    for (const node of holder.children) {
      count += 1;
      if (count > limits.maxShapes) break;
      if (node.name === 'g' || node.name === 'a') {
        const children = read(node);
        if (children.length > 0) shapes.push({ ...bare('text', isBackdrop), ...around(children), children });
      } else if (node.name === 'frame' || drawn[node.name])
        shapes.push(...readShape(node, context, isBackdrop));
    }
    return shapes;
  }
}

function readShape(node: XmlNode, context: PageContext, isBackdrop: boolean): Shape[] {
  const kind = node.get('class');
  const role = roles[kind ?? ''] ?? 'text';
  // A master's place for a title or an outline holds words that say so; its running lines are shown where a page wants them.
  if (isBackdrop && kind !== undefined && role !== 'margin') return [];
  if (isBackdrop && role === 'margin' && !context.fields.has(kind ?? '')) return [];
  if (!isBackdrop && node.isOn('placeholder')) return [];
  const { styles } = context;
  const chain = chainOf(node, styles);
  const place = placeOf(node);
  const base: Shape = { ...bare(role, isBackdrop && role !== 'margin'), ...place };
  if (node.name !== 'frame')
    return [withText(withOutline(base, node, chain, context), node, node, chain, context)];
  const box = node.child('text-box');
  if (box) return [withText(withOutline(base, node, chain, context), box, node, chain, context)];
  const grid = node.child('table');
  if (grid) return [{ ...base, table: readTable(grid, context.styles, context.fields) }];
  const chart = context.objects.get(objectPath(node.child('object')?.get('href')));
  const made = chart && readChart(chart);
  if (made) return [{ ...base, ...made }];
  const image = node.child('image');
  if (!image || !place) return [];
  const label = node.child('desc')?.text ?? node.child('title')?.text ?? '';
  return [{ ...base, picture: context.picture(image.get('href'), label.trim()) }];
}

function bare(role: Shape['role'], isBackdrop: boolean): Shape {
  return { role, isBackdrop, rotation: 0, isFlippedX: false, isFlippedY: false };
}

/** A frame's presentation style, else its drawing style. */
function chainOf(node: XmlNode, styles: DeckStyles): XmlNode[] {
  const name = node.attributes['presentation:style-name'];
  if (name !== undefined) return styles.chain('presentation', name);
  return styles.chain('graphic', node.attributes['draw:style-name'] ?? node.get('style-name'));
}

function withText(
  shape: Shape,
  holder: XmlNode,
  node: XmlNode,
  chain: readonly XmlNode[],
  context: PageContext,
): Shape {
  const { styles, master, fields } = context;
  const isOutline = node.get('class') === 'outline';
  const inherited = isOutline ? [...chain, ...styles.chain('presentation', `${master}-outline1`)] : chain;
  const text: OdpText = {
    styles,
    shape: inherited,
    outline: isOutline ? `${master}-outline` : undefined,
    fields,
  };
  const paragraphs = readParagraphs(holder, text);
  if (paragraphs.length === 0) return shape;
  return { ...shape, text: frameOf(paragraphs, inherited, styles) };
}

function withOutline(shape: Shape, node: XmlNode, chain: readonly XmlNode[], context: PageContext): Shape {
  if (!shape.box) return shape;
  const { styles } = context;
  const fill = readFill(chain, 'graphic-properties', context);
  const line = readLine(chain, styles);
  if (!fill && !line) return shape;
  const type = node.child('enhanced-geometry')?.get('type') ?? '';
  const name = node.name === 'custom-shape' ? (presets[type] ?? 'rect') : (drawn[node.name] ?? 'rect');
  const isRound = node.name === 'rect' && (lengthOf(node.get('corner-radius')) ?? 0) > 0;
  const path = outlineOf(isRound ? 'roundRect' : name, shape.box.width, shape.box.height);
  const outline: Outline = { path, ...(fill && name !== 'line' ? { fill } : {}), ...(line ? { line } : {}) };
  return { ...shape, outline };
}

/** Of a shape, or of the page itself. */
export function readFill(
  chain: readonly XmlNode[],
  properties: 'graphic-properties' | 'drawing-page-properties',
  { styles, picture }: PageContext,
): Paint | undefined {
  const value = (name: string): string | undefined => styles.value(chain, properties, name);
  switch (value('fill')) {
    case 'solid': {
      const color = cssColor(value('fill-color'));
      return color === undefined ? undefined : { type: 'color', color };
    }
    case 'gradient': {
      const gradient = styles.fill(value('fill-gradient-name'));
      const [from, to] = [cssColor(gradient?.get('start-color')), cssColor(gradient?.get('end-color'))];
      if (!from || !to) return undefined;
      const stops = [from, to].map((color, at) => ({ at, color }));
      return { type: 'gradient', stops, angle: 90 };
    }
    case 'bitmap':
      return { type: 'picture', picture: picture(styles.fill(value('fill-image-name'))?.get('href'), '') };
    default:
      return undefined;
  }
}

function readLine(chain: readonly XmlNode[], styles: DeckStyles): Line | undefined {
  const value = (name: string): string | undefined => styles.value(chain, 'graphic-properties', name);
  const stroke = value('stroke') ?? 'none';
  if (stroke === 'none') return undefined;
  return {
    color: cssColor(value('stroke-color')) ?? '#000000',
    width: Math.min(100, Math.max(0.75, lengthOf(value('stroke-width')) ?? 1)),
    isDashed: stroke === 'dash',
    hasHead: (value('marker-start') ?? '') !== '',
    hasTail: (value('marker-end') ?? '') !== '',
  };
}

function around(children: readonly Shape[]): Pick<Shape, 'box'> {
  const boxes = children.flatMap(({ box }) => box ?? []);
  if (boxes.length === 0) return {};
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { box: { x, y, width: right - x, height: bottom - y } };
}

export function objectPath(address: string | undefined): string {
  return (address ?? '').replace(/^\.\//, '').replace(/\/$/, '');
}
