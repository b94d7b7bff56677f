/** Which colours and faces do the names in a presentation stand for? After ECMA-376, parts 20.1.2.3 and 20.1.6. */
import type { XmlNode } from '../xml-tree.ts';

/** Colours by name, such as "accent1", as six hexadecimal digits; faces of headings and of body text. */
export interface Theme {
  colors: ReadonlyMap<string, string>;
  majorFont: string | undefined;
  minorFont: string | undefined;
}

/** What a name of a slide's means in its theme: "bg1" is "lt1", unless the slide says otherwise. */
export type ColorMap = ReadonlyMap<string, string>;

export interface Palette {
  theme: Theme;
  map: ColorMap;
}

export const emptyTheme: Theme = { colors: new Map(), majorFont: undefined, minorFont: undefined };

const usualMap: [string, string][] = [
  ['bg1', 'lt1'],
  ['tx1', 'dk1'],
  ['bg2', 'lt2'],
  ['tx2', 'dk2'],
];
/** Those that PowerPoint itself begins with. */
const usualColors: Record<string, string> = {
  dk1: '000000',
  lt1: 'ffffff',
  dk2: '44546a',
  lt2: 'e7e6e6',
  accent1: '4472c4',
  accent2: 'ed7d31',
  accent3: 'a5a5a5',
  accent4: 'ffc000',
  accent5: '5b9bd5',
  accent6: '70ad47',
  hlink: '0563c1',
  folHlink: '954f72',
};
const presets: Record<string, string> = {
  black: '000000',
  white: 'ffffff',
  red: 'ff0000',
  green: '008000',
  blue: '0000ff',
  yellow: 'ffff00',
  gray: '808080',
  grey: '808080',
  orange: 'ffa500',
  dkGray: 'a9a9a9',
  ltGray: 'd3d3d3',
  purple: '800080',
  navy: '000080',
  teal: '008080',
};

export function readTheme(root: XmlNode | undefined): Theme {
  const elements = root?.child('themeElements');
  const colors = new Map<string, string>();
  for (const entry of elements?.child('clrScheme')?.children ?? []) {
    const color = entry.children[0];
    const value = color?.get('lastClr') ?? color?.get('val');
    if (value && isHex(value)) colors.set(entry.name, value.toLowerCase());
  }
  const face = (name: string): string | undefined =>
    elements?.child('fontScheme', name, 'latin')?.get('typeface') || undefined;
  return { colors, majorFont: face('majorFont'), minorFont: face('minorFont') };
}

export function readColorMap(node: XmlNode | undefined, otherwise: ColorMap = new Map(usualMap)): ColorMap {
  if (!node) return otherwise;
  return new Map([...otherwise, ...Object.entries(node.attributes)]);
}

/** The face that a name stands for; names that begin with "+" are the theme's. */
export function fontOf(typeface: string | undefined, { theme }: Palette): string | undefined {
  if (typeface?.startsWith('+mj')) return theme.majorFont;
  if (typeface?.startsWith('+mn')) return theme.minorFont;
  return typeface === '' ? undefined : typeface;
}

/** The colour of an element that holds one, such as a solid fill, as CSS; `own` is what "phClr" stands for. */
export function colorOf(holder: XmlNode | undefined, palette: Palette, own?: string): string | undefined {
  const node = holder?.children.find(({ name }) => name.endsWith('Clr'));
  if (!node) return undefined;
  const base = baseColor(node, palette, own);
  return base === undefined ? undefined : changed(base, node);
}

function baseColor(node: XmlNode, palette: Palette, own: string | undefined): string | undefined {
  const value = node.get('val') ?? '';
  switch (node.name) {
    case 'srgbClr':
      return isHex(value) ? value : undefined;
    case 'sysClr':
      return isHex(node.get('lastClr') ?? '')
        ? node.get('lastClr')
        : /text/i.test(value)
          ? '000000'
          : 'ffffff';
    case 'schemeClr':
      return value === 'phClr' ? own?.slice(1, 7) : themeColor(value, palette);
    case 'prstClr':
      return presets[value] ?? '000000';
    case 'scrgbClr':
      return toHex(['r', 'g', 'b'].map((part) => (node.number(part) ?? 0) / 100_000));
    case 'hslClr':
      return toHex(fromHsl((node.number('hue') ?? 0) / 21_600_000, share(node, 'sat'), share(node, 'lum')));
    default:
      return undefined;
  }
}

const share = (node: XmlNode, name: string): number => (node.number(name) ?? 0) / 100_000;

export function themeColor(name: string, { theme, map }: Palette): string {
  const meant = map.get(name) ?? name;
  return theme.colors.get(meant) ?? usualColors[meant] ?? '000000';
}

const isHex = (value: string): boolean => /^[\da-f]{6}$/i.test(value);

/** Lightness, darkness and transparency as the element's children change them. */
function changed(hex: string, node: XmlNode): string {
  let rgb = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  let alpha = 1;
  for (const change of node.children) {
    const value = (change.number('val') ?? 100_000) / 100_000;
    if (change.name === 'alpha') alpha = value;
    else if (change.name === 'shade') rgb = rgb.map((part) => part * value);
    else if (change.name === 'tint') rgb = rgb.map((part) => 1 - (1 - part) * value);
    else if (/^(lum|sat)(Mod|Off)$/.test(change.name)) rgb = inHsl(rgb, change.name, value);
  }
  const solid = `#${toHex(rgb)}`;
  if (alpha >= 1) return solid;
  return `${solid}${byte(alpha)}`;
}

function inHsl(rgb: readonly number[], change: string, value: number): number[] {
  const [hue, saturation, lightness] = toHsl(rgb);
  const apply = (before: number): number => clamp(change.endsWith('Mod') ? before * value : before + value);
  return change.startsWith('lum')
    ? fromHsl(hue, saturation, apply(lightness))
    : fromHsl(hue, apply(saturation), lightness);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const byte = (part: number): string =>
  Math.round(clamp(part) * 255)
    .toString(16)
    .padStart(2, '0');
const toHex = (rgb: readonly number[]): string => rgb.map(byte).join('');

function toHsl(rgb: readonly number[]): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = rgb;
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const lightness = (most + least) / 2;
  const spread = most - least;
  if (spread === 0) return [0, 0, lightness];
  const saturation = spread / (1 - Math.abs(2 * lightness - 1));
  const hue =
    most === red
      ? (green - blue) / spread + 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return [(hue % 6) / 6, saturation, lightness];
}

function fromHsl(hue: number, saturation: number, lightness: number): number[] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue * 12) % 12;
    return lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
  });
}
