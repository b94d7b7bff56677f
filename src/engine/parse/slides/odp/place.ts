/** Where does a shape of an OpenDocument page stand? */
import type { Shape } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { lengthOf } from './styles.ts';

const FAR = 20_000;

/** Nothing where the file gives no size. */
export function placeOf(
  node: XmlNode,
): Partial<Pick<Shape, 'box' | 'rotation' | 'isFlippedX' | 'isFlippedY'>> {
  if (node.name === 'line' || node.name === 'connector') return lineOf(node);
  const [width, height] = [
    lengthOf(node.get('width')),
    lengthOf(node.get('height')) ?? lengthOf(node.child('text-box')?.get('min-height')),
  ];
  if (width === undefined || height === undefined) return {};
  const turned = turnOf(node.get('transform') ?? '');
  const x = lengthOf(node.get('x')) ?? 0;
  const y = lengthOf(node.get('y')) ?? 0;
  const box = turned ? around(turned, width, height) : { x, y, width, height };
  if (Object.values(box).some((value) => Math.abs(value) > FAR)) return {};
  return { box, rotation: turned ? (-turned.angle * 180) / Math.PI : 0 };
}

function lineOf(node: XmlNode): ReturnType<typeof placeOf> {
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((name) => lengthOf(node.get(name)) ?? 0) as [
    number,
    number,
    number,
    number,
  ];
  if ([x1, y1, x2, y2].some((value) => Math.abs(value) > FAR)) return {};
  return {
    box: { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) },
    isFlippedX: x2 < x1,
    isFlippedY: y2 < y1,
  };
}

interface Turn {
  /** Radians, against the clock. */
  angle: number;
  x: number;
  y: number;
}

/** "rotate (1.57) translate (3cm 4cm)": the corner is turned, then moved. */
function turnOf(transform: string): Turn | undefined {
  const moved = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(transform);
  if (!moved) return undefined;
  const angle = Number(/rotate\s*\(\s*(-?[\d.]+)/.exec(transform)?.[1] ?? 0);
  return {
    angle: Number.isFinite(angle) ? angle : 0,
    x: lengthOf(moved[1]) ?? 0,
    y: lengthOf(moved[2]) ?? 0,
  };
}

function around({ angle, x, y }: Turn, width: number, height: number) {
  const middle = {
    x: x + (width / 2) * Math.cos(angle) + (height / 2) * Math.sin(angle),
    y: y - (width / 2) * Math.sin(angle) + (height / 2) * Math.cos(angle),
  };
  return { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
}
