/** Which outline has a shape that is known by its name? Approximations of the presets of ECMA-376, part 20.1.10.56. */

type Points = [number, number][];

/** Corners as shares of width and height. */
const polygons: Record<string, Points> = {
  rect: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  triangle: [
    [0.5, 0],
    [1, 1],
    [0, 1],
  ],
  rtTriangle: [
    [0, 0],
    [1, 1],
    [0, 1],
  ],
  diamond: [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ],
  parallelogram: [
    [0.25, 0],
    [1, 0],
    [0.75, 1],
    [0, 1],
  ],
  trapezoid: [
    [0.25, 0],
    [0.75, 0],
    [1, 1],
    [0, 1],
  ],
  pentagon: [
    [0.5, 0],
    [1, 0.38],
    [0.81, 1],
    [0.19, 1],
    [0, 0.38],
  ],
  hexagon: [
    [0.25, 0],
    [0.75, 0],
    [1, 0.5],
    [0.75, 1],
    [0.25, 1],
    [0, 0.5],
  ],
  octagon: [
    [0.29, 0],
    [0.71, 0],
    [1, 0.29],
    [1, 0.71],
    [0.71, 1],
    [0.29, 1],
    [0, 0.71],
    [0, 0.29],
  ],
  plus: [
    [0.25, 0],
    [0.75, 0],
    [0.75, 0.25],
    [1, 0.25],
    [1, 0.75],
    [0.75, 0.75],
    [0.75, 1],
    [0.25, 1],
    [0.25, 0.75],
    [0, 0.75],
    [0, 0.25],
    [0.25, 0.25],
  ],
  star5: [
    [0.5, 0],
    [0.62, 0.38],
    [1, 0.38],
    [0.69, 0.62],
    [0.81, 1],
    [0.5, 0.76],
    [0.19, 1],
    [0.31, 0.62],
    [0, 0.38],
    [0.38, 0.38],
  ],
};

/** Of boxes whose point is as deep as half their height: the depth as a share of the shorter side. */
const POINT_DEPTH = 0.5;
const ROUND_CORNER = 0.16667;
/** How far a Bézier curve's handles stand for a quarter of a circle. */
const QUARTER = 0.5523;

/** SVG path in pixels from the box's corner; a box for an unknown name. `adjust`: the shape's first adjustment, a share. */
export function outlineOf(name: string, width: number, height: number, adjust?: number): string {
  const side = Math.min(width, height);
  switch (name) {
    case 'ellipse':
    case 'flowChartConnector':
      return ellipse(width, height);
    case 'roundRect':
    case 'flowChartAlternateProcess':
    case 'wedgeRoundRectCallout':
      return rounded(width, height, clampShare(adjust ?? ROUND_CORNER, 0.5) * side);
    case 'flowChartTerminator':
      return rounded(width, height, side / 2);
    case 'line':
    case 'straightConnector1':
      return `M0 0L${r(width)} ${r(height)}`;
    case 'bentConnector2':
      return `M0 0L${r(width)} 0L${r(width)} ${r(height)}`;
    case 'bentConnector3':
    case 'bentConnector4':
    case 'bentConnector5': {
      const middle = r(width * (adjust ?? 0.5));
      return `M0 0L${middle} 0L${middle} ${r(height)}L${r(width)} ${r(height)}`;
    }
    case 'curvedConnector2':
    case 'curvedConnector3':
    case 'curvedConnector4':
      return `M0 0C${r(width / 2)} 0 ${r(width / 2)} ${r(height)} ${r(width)} ${r(height)}`;
    default:
      return polygonOf(name, width, height, side, adjust);
  }
}

function polygonOf(
  name: string,
  width: number,
  height: number,
  side: number,
  adjust: number | undefined,
): string {
  const depth = clampShare(adjust ?? POINT_DEPTH, width / Math.max(1, side)) * side;
  switch (name) {
    case 'homePlate':
      return polygon([
        [0, 0],
        [width - depth, 0],
        [width, height / 2],
        [width - depth, height],
        [0, height],
      ]);
    case 'chevron':
      return polygon([
        [0, 0],
        [width - depth, 0],
        [width, height / 2],
        [width - depth, height],
        [0, height],
        [depth, height / 2],
      ]);
    case 'rightArrow':
      return arrow(width, height, side / 2);
    case 'leftArrow':
      return arrow(width, height, side / 2, ([x, y]) => [width - x, y]);
    case 'downArrow':
      return arrow(height, width, side / 2, ([x, y]) => [y, x]);
    case 'upArrow':
      return arrow(height, width, side / 2, ([x, y]) => [y, height - x]);
    default: {
      const known = polygons[alias[name] ?? name] ?? polygons.rect!;
      return polygon(known.map(([x, y]) => [x * width, y * height]));
    }
  }
}

const alias: Record<string, string> = {
  flowChartDecision: 'diamond',
  flowChartInputOutput: 'parallelogram',
  flowChartPreparation: 'hexagon',
  mathPlus: 'plus',
};

/** Has no inside: only its line is drawn. */
export function isOpenOutline(name: string): boolean {
  return name === 'line' || /Connector\d$/.test(name);
}

export function ellipse(width: number, height: number): string {
  const [a, b] = [width / 2, height / 2];
  return `M0 ${r(b)}A${r(a)} ${r(b)} 0 1 1 ${r(width)} ${r(b)}A${r(a)} ${r(b)} 0 1 1 0 ${r(b)}Z`;
}

export function rounded(width: number, height: number, radius: number): string {
  const [x, y] = [width - radius, height - radius];
  const hand = radius * (1 - QUARTER);
  const [right, bottom] = [width - hand, height - hand];
  return (
    `M${r(radius)} 0L${r(x)} 0C${r(right)} 0 ${r(width)} ${r(hand)} ${r(width)} ${r(radius)}` +
    `L${r(width)} ${r(y)}C${r(width)} ${r(bottom)} ${r(right)} ${r(height)} ${r(x)} ${r(height)}` +
    `L${r(radius)} ${r(height)}C${r(hand)} ${r(height)} 0 ${r(bottom)} 0 ${r(y)}` +
    `L0 ${r(radius)}C0 ${r(hand)} ${r(hand)} 0 ${r(radius)} 0Z`
  );
}

function arrow(
  length: number,
  breadth: number,
  head: number,
  turn: (point: [number, number]) => [number, number] = (point) => point,
): string {
  const neck = Math.max(0, length - head);
  const points: Points = [
    [0, breadth / 4],
    [neck, breadth / 4],
    [neck, 0],
    [length, breadth / 2],
    [neck, breadth],
    [neck, (breadth * 3) / 4],
    [0, (breadth * 3) / 4],
  ];
  return polygon(points.map(turn));
}

export function polygon(points: Points): string {
  return `M${points.map(([x, y]) => `${r(x)} ${r(y)}`).join('L')}Z`;
}

function clampShare(share: number, most: number): number {
  return Math.min(most, Math.max(0, share));
}

/** Tenths of a pixel are enough. */
const r = (value: number): number => Math.round(value * 10) / 10;
