/** Which properties does a style of an OpenDocument presentation give, with those of its parents? After OpenDocument 1.3, part 3. */
import type { ListLevel, NumberFormat } from '../../flow/list-label.ts';
import type { XmlNode } from '../xml-tree.ts';

/** Parents of parents that are followed. */
const MAX_PARENTS = 20;
const MAX_LEVELS = 10;
const PX_PER: Record<string, number> = { in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16, px: 1 };

const formats: Record<string, NumberFormat> = {
  1: 'decimal',
  a: 'lower-letter',
  A: 'upper-letter',
  i: 'lower-roman',
  I: 'upper-roman',
};

/** A level of a list: its number, or the sign before its items. */
export interface ListSign {
  level: ListLevel | undefined;
  bullet: string;
}

type Properties =
  `${'text' | 'paragraph' | 'graphic' | 'drawing-page' | 'table-cell' | 'table-column'}-properties`;

export class DeckStyles {
  readonly #styles = new Map<string, XmlNode>();
  readonly #lists = new Map<string, XmlNode>();
  readonly #defaults = new Map<string, XmlNode>();
  readonly #fonts = new Map<string, string>();
  readonly #fills = new Map<string, XmlNode>();

  /** Takes the styles of a part; those of later parts win. */
  add(root: XmlNode): void {
    for (const group of root.children) {
      for (const node of group.children) {
        const name = node.get('name') ?? '';
        if (node.name === 'style') this.#styles.set(`${node.get('family') ?? ''} ${name}`, node);
        else if (node.name === 'default-style') this.#defaults.set(node.get('family') ?? '', node);
        else if (node.name === 'list-style') this.#lists.set(name, node);
        else if (node.name === 'font-face')
          this.#fonts.set(name, (node.get('font-family') ?? name).replaceAll("'", ''));
        else if (node.name === 'gradient' || node.name === 'fill-image') this.#fills.set(name, node);
      }
    }
  }

  /** The style and its parents, the nearest first, the family's default last. */
  chain(family: string, name: string | undefined): XmlNode[] {
    const chain: XmlNode[] = [];
    let next = name;
    while (next !== undefined && chain.length < MAX_PARENTS) {
      const style = this.#styles.get(`${family} ${next}`);
      if (!style) break;
      chain.push(style);
      next = style.get('parent-style-name');
    }
    const otherwise = this.#defaults.get(family === 'presentation' ? 'graphic' : family);
    return otherwise ? [...chain, otherwise] : chain;
  }

  /** The first value of a property along a chain. */
  value(chain: readonly XmlNode[], properties: Properties, name: string): string | undefined {
    for (const style of chain) {
      const value = style.child(properties)?.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  fontOf(name: string | undefined): string | undefined {
    return name === undefined ? undefined : (this.#fonts.get(name) ?? name);
  }

  /** A gradient or a picture that fills by its name. */
  fill(name: string | undefined): XmlNode | undefined {
    return name === undefined ? undefined : this.#fills.get(name);
  }

  /** Signs of a list by level from 0; a presentation's style may bring its own list. */
  signs(list: string | undefined, chain: readonly XmlNode[]): ListSign[] {
    const node =
      (list === undefined ? undefined : this.#lists.get(list)) ??
      chain.map((style) => style.child('graphic-properties', 'list-style')).find((one) => one);
    const signs: ListSign[] = [];
    for (const entry of node?.children ?? []) {
      const at = (entry.number('level') ?? 0) - 1;
      if (at >= 0 && at < MAX_LEVELS) signs[at] = readSign(entry, at);
    }
    return signs;
  }
}

function readSign(entry: XmlNode, at: number): ListSign {
  if (entry.name !== 'list-level-style-number') {
    const sign = (entry.get('bullet-char') ?? '•').slice(0, 2);
    return { level: undefined, bullet: /[\ue000-\uf8ff]/.test(sign) ? '•' : sign };
  }
  const format = formats[entry.get('num-format') ?? ''];
  if (!format) return { level: undefined, bullet: '' };
  const text = `${entry.get('num-prefix') ?? ''}%${at + 1}${entry.get('num-suffix') ?? ''}`;
  return { level: { start: entry.number('start-value') ?? 1, format, text }, bullet: '' };
}

/** Pixels of a length such as "2.5cm"; undefined for what is none. */
export function lengthOf(value: string | undefined): number | undefined {
  const parts = /^(-?[\d.]+)(in|cm|mm|pt|pc|px)$/.exec(value ?? '');
  if (!parts) return undefined;
  const length = Number(parts[1]) * (PX_PER[parts[2]!] ?? 1);
  return Number.isFinite(length) ? length : undefined;
}

/** CSS colour, or undefined for what is none. */
export function cssColor(value: string | undefined): string | undefined {
  return /^#[\da-f]{6}$/i.test(value ?? '') ? value : undefined;
}
