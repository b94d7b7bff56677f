/** Which styles and numberings does an OpenDocument file define? After OpenDocument 1.3, part 3. */
import type { Attributes } from '../../zip/read-xml.ts';
import type { ListLevel, NumberFormat } from '../list-label.ts';

const formats: Record<string, NumberFormat> = {
  1: 'decimal',
  a: 'lower-letter',
  A: 'upper-letter',
  i: 'lower-roman',
  I: 'upper-roman',
  'а, б, .., аа, аб, ... (ru)': 'lower-russian',
  'А, Б, .., Аа, Аб, ... (ru)': 'upper-russian',
};
const MAX_LEVELS = 9;

/** Headings are numbered by the outline's own style. */
export const outlineList = 'outline';

/** Hears the style elements of styles.xml and content.xml; later definitions win. */
export class OdfStyles {
  readonly #parents = new Map<string, string>();
  readonly #hidden = new Set<string>();
  readonly #lists = new Map<string, ListLevel[]>();
  readonly #listOfStyle = new Map<string, string>();
  #style = '';
  #list: ListLevel[] | undefined;

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'style:style':
        this.#openStyle(attributes);
        break;
      case 'style:text-properties':
        if (attributes['text:display'] === 'none' && this.#style !== '') this.#hidden.add(this.#style);
        break;
      case 'text:list-style':
        this.#list = [];
        this.#lists.set(attributes['style:name'] ?? '', this.#list);
        break;
      case 'text:outline-style':
        this.#list = [];
        this.#lists.set(outlineList, this.#list);
        break;
      case 'text:list-level-style-number':
      case 'text:outline-level-style':
      case 'text:list-level-style-bullet':
      case 'text:list-level-style-image':
        this.#openLevel(name, attributes);
        break;
    }
  }

  close(name: string): void {
    if (name === 'style:style') this.#style = '';
    else if (name === 'text:list-style' || name === 'text:outline-style') this.#list = undefined;
  }

  /** Levels of a list style; empty for an unknown one. */
  levelsOf(list: string): readonly ListLevel[] {
    return this.#lists.get(list) ?? [];
  }

  isHidden(style: string | undefined): boolean {
    return style !== undefined && this.#hidden.has(style);
  }

  /** A paragraph style, or one that it is made from, carries this name. */
  isKindOf(style: string | undefined, wanted: string): boolean {
    let name = style;
    for (let steps = 0; name !== undefined && steps < 20; steps++) {
      if (name === wanted) return true;
      name = this.#parents.get(name);
    }
    return false;
  }

  /** The list style that a paragraph's style brings along. */
  listOf(style: string | undefined): string | undefined {
    let name = style;
    for (let steps = 0; name !== undefined && steps < 20; steps++) {
      const list = this.#listOfStyle.get(name);
      if (list !== undefined) return list;
      name = this.#parents.get(name);
    }
    return undefined;
  }

  #openStyle(attributes: Attributes): void {
    const name = attributes['style:name'] ?? '';
    this.#style = name;
    const parent = attributes['style:parent-style-name'];
    if (parent !== undefined) this.#parents.set(name, parent);
    const list = attributes['style:list-style-name'];
    if (list !== undefined) this.#listOfStyle.set(name, list);
  }

  #openLevel(element: string, attributes: Attributes): void {
    const level = Number(attributes['text:level'] ?? 1) - 1;
    if (!this.#list || !(level >= 0 && level < MAX_LEVELS)) return;
    const isNumber = element === 'text:list-level-style-number' || element === 'text:outline-level-style';
    const own = formats[attributes['style:num-format'] ?? ''];
    const shown = Math.min(level + 1, Math.max(1, Number(attributes['text:display-levels'] ?? 1) || 1));
    const numbers = Array.from({ length: shown }, (_, at) => `%${level - shown + 2 + at}`).join('.');
    const [before, after] = [attributes['style:num-prefix'] ?? '', attributes['style:num-suffix'] ?? ''];
    this.#list[level] = {
      start: Number(attributes['text:start-value'] ?? 1) || 1,
      format: isNumber ? (own ?? 'none') : 'bullet',
      text: own ? `${before}${numbers}${after}` : '',
    };
  }
}
