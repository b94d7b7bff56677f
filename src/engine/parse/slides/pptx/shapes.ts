/** Which shapes does the tree of a slide, a layout or a master hold? */
import { slides as limits } from '../../../config.ts';
import type { Box, Shape, TextFrame } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { readChart } from './charts.ts';
import { diagramShapes } from './diagrams.ts';
import { type FindPicture, readOutline } from './fills.ts';
import { ancestors, isMarginType, isTitle, masterStyle, placeholderOf } from './placeholders.ts';
import { readTable } from './tables.ts';
import { readTextFrame, type TextStyles } from './text.ts';
import { colorOf, fontOf, type Palette } from './theme.ts';
import { childTransform, type Place, placeOf, type Transform } from './transform.ts';

/** What the shapes of one part are read with. */
export interface ShapeContext {
  palette: Palette;
  find: FindPicture;
  /** Trees of shapes that placeholders are made from; none for a master. */
  layout: XmlNode | undefined;
  master: XmlNode | undefined;
  /** The master's styles of text, and the presentation's own. */
  textStyles: XmlNode | undefined;
  defaultText: XmlNode | undefined;
  /** Charts, diagrams and drawings by the identifier of their relation. */
  related: ReadonlyMap<string, XmlNode>;
  tableStyles: ReadonlyMap<string, XmlNode>;
  /** Of a layout or master: only what stands on every slide. */
  isBackdrop: boolean;
}

/** The shapes of a tree, placed on the slide. One reader for each part. */
export class ShapeReader {
  readonly context: ShapeContext;
  #count = 0;

  constructor(context: ShapeContext) {
    this.context = context;
  }

  read(tree: XmlNode | undefined, transform: Transform): Shape[] {
    const shapes: Shape[] = [];
    for (const node of tree?.children ?? []) {
      this.#count += 1;
      if (this.#count > limits.maxShapes) break;
      shapes.push(...this.#shape(node, transform));
    }
    return shapes;
  }

  #shape(node: XmlNode, transform: Transform): Shape[] {
    if (isHidden(node)) return [];
    switch (node.name) {
      case 'sp':
      case 'cxnSp':
        return this.#plain(node, transform);
      case 'pic':
        return this.#picture(node, transform);
      case 'grpSp':
        return this.#group(node, transform);
      case 'graphicFrame':
        return this.#frame(node, transform);
      case 'AlternateContent': {
        const chosen = this.read(node.child('Choice'), transform);
        return chosen.length > 0 ? chosen : this.read(node.child('Fallback'), transform);
      }
      default:
        return [];
    }
  }

  #plain(node: XmlNode, transform: Transform): Shape[] {
    const { context } = this;
    const placeholder = placeholderOf(node);
    if (context.isBackdrop && placeholder) return [];
    const above = ancestors(placeholder, context.layout, context.master);
    const chain = [node, ...above].map((one) => one.child('spPr'));
    const place = placeOf(
      chain.map((one) => one?.child('xfrm')).find((one) => one),
      transform,
    );
    const look = chain.find((one) => one && hasLook(one)) ?? chain[0];
    const outline = place && readOutline(look, node.child('style'), place.box, context.palette, context.find);
    const body = node.child('txBody');
    const text = body && this.#text(body, node, above);
    const shape = this.#at(place, {
      role: body && isField(body) ? 'margin' : roleOf(placeholder?.type),
      ...(outline ? { outline } : {}),
      ...(text ? { text } : {}),
    });
    const textPlace = node.child('txXfrm');
    return textPlace && text ? splitText(shape, placeOf(textPlace, transform)) : [shape];
  }

  #text(body: XmlNode, node: XmlNode, above: readonly XmlNode[]): TextFrame {
    const { palette, textStyles, defaultText } = this.context;
    const placeholder = placeholderOf(node);
    const reference = node.child('style', 'fontRef');
    const styles: TextStyles = {
      lists: [
        ...above.map((one) => one.child('txBody', 'lstStyle')),
        ...(placeholder ? [textStyles?.child(masterStyle(placeholder))] : [defaultText]),
        textStyles?.child('otherStyle'),
        defaultText,
      ],
      bodies: above.map((one) => one.child('txBody', 'bodyPr')),
      color: placeholder ? undefined : colorOf(reference, palette),
      font: fontOf(isTitle(placeholder?.type) ? '+mj-lt' : '+mn-lt', palette),
      palette,
    };
    return readTextFrame(body, styles);
  }

  #picture(node: XmlNode, transform: Transform): Shape[] {
    const { context } = this;
    const placeholder = placeholderOf(node);
    const above = ancestors(placeholder, context.layout, context.master);
    const properties = node.child('spPr');
    const place = placeOf(
      [node, ...above].map((one) => one.child('spPr', 'xfrm')).find((one) => one),
      transform,
    );
    if (!place) return [];
    const fill = node.child('blipFill');
    const label = node.child('nvPicPr', 'cNvPr')?.get('descr') ?? '';
    const picture = context.find(fill?.child('blip')?.get('embed'), label, fill?.child('srcRect'));
    const outline = readOutline(properties, node.child('style'), place.box, context.palette, context.find);
    return [this.#at(place, { picture, ...(outline ? { outline } : {}) })];
  }

  #group(node: XmlNode, transform: Transform): Shape[] {
    const inner = childTransform(node.child('grpSpPr', 'xfrm'), transform);
    const children = this.read(node, inner);
    if (children.length === 0) return [];
    const box = around(children);
    return [this.#at(box && { box, rotation: 0, isFlippedX: false, isFlippedY: false }, { children })];
  }

  #frame(node: XmlNode, transform: Transform): Shape[] {
    const { context } = this;
    const above = ancestors(placeholderOf(node), context.layout, context.master);
    const own = node.child('xfrm') ?? above[0]?.child('spPr', 'xfrm');
    const place = placeOf(own, transform);
    const data = node.child('graphic', 'graphicData');
    const name = node.child('nvGraphicFramePr', 'cNvPr')?.get('title') ?? '';
    const grid = data?.child('tbl');
    if (grid) return [this.#at(place, { table: readTable(grid, this.#tableText(), context, name) })];
    const chart = context.related.get(data?.child('chart')?.get('id') ?? '');
    const said = chart && readChart(chart, context.palette);
    if (said) return [this.#at(place, said)];
    const diagram = data?.child('relIds');
    if (diagram) return diagramShapes(diagram, place, this, transform);
    // An embedded object brings the picture of itself.
    return this.read(data?.child('oleObj') ?? data, transform);
  }

  #tableText(): TextStyles {
    const { palette, defaultText, textStyles } = this.context;
    return {
      lists: [defaultText, textStyles?.child('otherStyle')],
      bodies: [],
      font: palette.theme.minorFont,
      palette,
    };
  }

  #at(place: Place | undefined, rest: Partial<Shape>): Shape {
    return {
      role: 'text',
      isBackdrop: this.context.isBackdrop,
      rotation: 0,
      isFlippedX: false,
      isFlippedY: false,
      ...place,
      ...rest,
    };
  }
}

function isHidden(node: XmlNode): boolean {
  const head = node.children.find(({ name }) => /^nv\w*Pr$/.test(name));
  return head?.child('cNvPr')?.isOn('hidden') ?? false;
}

function hasLook(properties: XmlNode): boolean {
  return properties.children.some(({ name }) => /^(prstGeom|custGeom|\w+Fill|ln)$/.test(name));
}

/** Nothing but the number of the slide or the date, wherever it stands. */
function isField(body: XmlNode): boolean {
  const said = body
    .all('p')
    .flatMap((paragraph) => paragraph.children.filter(({ name }) => !/^(pPr|endParaRPr)$/.test(name)));
  return (
    said.length > 0 &&
    said.every((child) => child.name === 'fld' && /^(slidenum|datetime)/.test(child.get('type') ?? ''))
  );
}

function roleOf(type: string | undefined): Shape['role'] {
  if (isTitle(type)) return 'title';
  if (type === 'subTitle') return 'subtitle';
  return isMarginType(type) ? 'margin' : 'text';
}

/** Shapes of a drawn diagram may hold their text in a box of its own. */
function splitText(shape: Shape, place: Place | undefined): Shape[] {
  const { text, outline, ...bare } = shape;
  if (!place || !text) return [shape];
  return [
    { ...bare, ...(outline ? { outline } : {}) },
    { ...bare, ...place, text },
  ];
}

export function around(shapes: readonly Shape[]): Box | undefined {
  const boxes = shapes.flatMap(({ box }) => box ?? []);
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
