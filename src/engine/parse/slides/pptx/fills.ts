/** How is a shape of a pptx filled, bordered and cut out? */
import { slides as limits } from '../../../config.ts';
import type { Box, Line, Outline, Paint, Picture } from '../deck.ts';
import { isOpenOutline, outlineOf } from '../outlines.ts';
import type { XmlNode } from '../xml-tree.ts';
import { EMU } from './text.ts';
import { colorOf, type Palette } from './theme.ts';

/** Finds the picture behind a relation of the part that is read. */
export type FindPicture = (relation: string | undefined, label: string, crop?: XmlNode) => Picture;

const THIN_LINE = 12_700 * EMU;

/** What an element with a fill among its children is painted with; undefined where it says nothing, 'none' for no paint. */
export function readPaint(
  holder: XmlNode | undefined,
  palette: Palette,
  find: FindPicture,
  own?: string,
): Paint | 'none' | undefined {
  for (const node of holder?.children ?? []) {
    switch (node.name) {
      case 'noFill':
        return 'none';
      case 'solidFill': {
        const color = colorOf(node, palette, own);
        return color === undefined ? undefined : { type: 'color', color };
      }
      case 'gradFill':
        return readGradient(node, palette, own);
      case 'pattFill': {
        const color = colorOf(node.child('bgClr'), palette, own);
        return color === undefined ? undefined : { type: 'color', color };
      }
      case 'blipFill': {
        const picture = find(node.child('blip')?.get('embed'), '', node.child('srcRect'));
        return { type: 'picture', picture };
      }
    }
  }
  return undefined;
}

function readGradient(node: XmlNode, palette: Palette, own: string | undefined): Paint | undefined {
  const stops = (node.child('gsLst')?.all('gs') ?? [])
    .map((stop) => ({
      at: (stop.number('pos') ?? 0) / 100_000,
      color: colorOf(stop, palette, own) ?? '#ffffff',
    }))
    .sort((one, other) => one.at - other.at);
  if (stops.length === 0) return undefined;
  return { type: 'gradient', stops, angle: (node.child('lin')?.number('ang') ?? 5_400_000) / 60_000 };
}

/** The outline of a shape with what its style says where it says nothing itself. */
export function readOutline(
  properties: XmlNode | undefined,
  style: XmlNode | undefined,
  box: Box,
  palette: Palette,
  find: FindPicture,
): Outline | undefined {
  const geometry = properties?.child('prstGeom');
  const name = geometry?.get('prst') ?? 'rect';
  const own = readPaint(properties, palette, find);
  const styled = styleColor(style?.child('fillRef'), palette);
  const fill = own ?? (styled === undefined ? undefined : { type: 'color' as const, color: styled });
  const line = readLine(properties?.child('ln'), style?.child('lnRef'), palette);
  const isOpen = isOpenOutline(name);
  const paint = isOpen || fill === 'none' ? undefined : fill;
  if (!paint && !line) return undefined;
  const custom = properties?.child('custGeom');
  const adjust = firstAdjustment(geometry);
  const path = (custom && customPath(custom, box)) ?? outlineOf(name, box.width, box.height, adjust);
  return { path, ...(paint ? { fill: paint } : {}), ...(line ? { line } : {}) };
}

/** Index 0 means nothing. */
function styleColor(reference: XmlNode | undefined, palette: Palette): string | undefined {
  return (reference?.number('idx') ?? 0) > 0 ? colorOf(reference, palette) : undefined;
}

function firstAdjustment(geometry: XmlNode | undefined): number | undefined {
  const value = /^val (-?\d+)$/.exec(geometry?.child('avLst', 'gd')?.get('fmla') ?? '')?.[1];
  return value === undefined ? undefined : Number(value) / 100_000;
}

export function readLine(
  node: XmlNode | undefined,
  reference: XmlNode | undefined,
  palette: Palette,
): Line | undefined {
  if (node?.child('noFill')) return undefined;
  const color =
    colorOf(node?.child('solidFill'), palette) ??
    colorOf(node?.child('gradFill', 'gsLst', 'gs'), palette) ??
    styleColor(reference, palette);
  if (color === undefined) return undefined;
  const width = node?.number('w');
  const dash = node?.child('prstDash')?.get('val') ?? 'solid';
  const isArrow = (end: string): boolean => !/^(none)?$/.test(node?.child(end)?.get('type') ?? '');
  return {
    color,
    width: Math.min(100, Math.max(0.75, width === undefined ? THIN_LINE : width * EMU)),
    isDashed: dash !== 'solid',
    hasHead: isArrow('headEnd'),
    hasTail: isArrow('tailEnd'),
  };
}

/** Undefined for one that is computed by formulas, or too long. */
function customPath(custom: XmlNode, box: Box): string | undefined {
  const parts: string[] = [];
  let length = 0;
  for (const path of custom.child('pathLst')?.all('path') ?? []) {
    const across = box.width / (path.number('w') || box.width / EMU);
    const down = box.height / (path.number('h') || box.height / EMU);
    for (const step of path.children) {
      const drawn = customStep(step, across, down);
      if (drawn === undefined) return undefined;
      parts.push(drawn);
      length += drawn.length;
      if (length > limits.maxPathLength) return undefined;
    }
  }
  return parts.length === 0 ? undefined : parts.join('');
}

const letters: Record<string, string> = { moveTo: 'M', lnTo: 'L', cubicBezTo: 'C', quadBezTo: 'Q' };

function customStep(step: XmlNode, across: number, down: number): string | undefined {
  if (step.name === 'close') return 'Z';
  const letter = letters[step.name];
  if (letter === undefined) return undefined;
  const points = step.all('pt').map((point) => {
    const x = point.number('x');
    const y = point.number('y');
    return x === undefined || y === undefined ? undefined : `${tenths(x * across)} ${tenths(y * down)}`;
  });
  return points.includes(undefined) || points.length === 0 ? undefined : letter + points.join(' ');
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
