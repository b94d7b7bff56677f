/** Which paragraphs does a text box of an OpenDocument presentation hold? */
import { odf as limits } from '../../../config.ts';
import { ListLabels } from '../../flow/list-label.ts';
import type { Paragraph, Run, TextFrame } from '../deck.ts';
import { TEXT, type XmlNode } from '../xml-tree.ts';
import { cssColor, type DeckStyles, type ListSign, lengthOf } from './styles.ts';

const MAX_LEVEL = 8;
const DEFAULT_SIZE = 18;
const PT = 72 / 96;
/** What isn't said by a paragraph that it stands in. */
const unsaid = new Set(['annotation', 'note', 'event-listeners', 'tracked-changes', 'ruby-text']);

export interface OdpText {
  styles: DeckStyles;
  /** Styles of the shape, the nearest first. */
  shape: readonly XmlNode[];
  /** Name of the master's style for outlines, by which levels differ; undefined outside an outline. */
  outline: string | undefined;
  /** Words that fields stand for, by the field's name. */
  fields: ReadonlyMap<string, string>;
}

interface OpenList {
  style: string | undefined;
  level: number;
}

export function readParagraphs(holder: XmlNode, text: OdpText): Paragraph[] {
  const labels = new ListLabels();
  const paragraphs: Paragraph[] = [];
  walk(holder, undefined, true);
  return paragraphs;

  function walk(node: XmlNode, list: OpenList | undefined, isFirst: boolean): void {
    let first = isFirst;
    for (const child of node.children) {
      if (child.name === 'p' || child.name === 'h') {
        paragraphs.push(readParagraph(child, list, first, text, labels));
        first = false;
      } else if (child.name === 'list') {
        const level = Math.min(MAX_LEVEL, list ? list.level + 1 : 0);
        walk(child, { style: child.get('style-name') ?? list?.style, level }, false);
      } else if (child.name === 'list-item' || child.name === 'list-header') {
        walk(child, list, child.name === 'list-item');
      } else if (child.name === 'text-box' || child.name === 'section') walk(child, list, first);
    }
  }
}

function readParagraph(
  node: XmlNode,
  list: OpenList | undefined,
  isFirst: boolean,
  { styles, shape, outline, fields }: OdpText,
  labels: ListLabels,
): Paragraph {
  const level = list?.level ?? 0;
  const own = styles.chain('paragraph', node.get('style-name'));
  const byLevel =
    outline === undefined || level === 0 ? [] : styles.chain('presentation', `${outline}${level + 1}`);
  const chain = [...own, ...byLevel, ...shape];
  const runs = new RunReader(styles, chain, fields).read(node);
  const isBlank = runs.every(({ text }) => text.trim() === '');
  const signs = list ? styles.signs(list.style, chain) : [];
  const sign = isBlank || !isFirst ? undefined : signs[level];
  const value = (name: string): string | undefined => styles.value(chain, 'paragraph-properties', name);
  const align = value('text-align');
  const size = runs[0]?.size ?? DEFAULT_SIZE;
  const isDrawn = sign?.bullet !== undefined && sign.bullet !== '';
  const height = Number(/^([\d.]+)%$/.exec(value('line-height') ?? '')?.[1] ?? 100) / 100;
  const label = sign?.level ? labels.next('list', levelsOf(signs), level) : '';
  return {
    runs,
    level,
    isItem: list !== undefined && !isBlank && (isDrawn || label !== '' || level > 0),
    label,
    bullet: sign?.bullet ?? '',
    bulletColor: undefined,
    align:
      align === 'center'
        ? 'center'
        : align === 'end' || align === 'right'
          ? 'right'
          : align === 'justify'
            ? 'justify'
            : 'left',
    isRightToLeft: value('writing-mode') === 'rl-tb',
    indent:
      Math.max(0, lengthOf(value('margin-left')) ?? 0) +
      (list && level > 0 && byLevel.length === 0 ? level * size : 0),
    firstIndent: list && (isDrawn || label !== '') ? Math.min(0, lengthOf(value('text-indent')) ?? 0) : 0,
    lineHeight: height > 0.3 && height < 4 ? height : 1,
    spaceBefore: Math.max(0, lengthOf(value('margin-top')) ?? 0) * PT,
    spaceAfter: Math.max(0, lengthOf(value('margin-bottom')) ?? 0) * PT,
  };
}

function levelsOf(signs: readonly ListSign[]) {
  return Array.from(signs, (sign) => sign?.level);
}

/** The stretches of a paragraph with their letters. White space counts as in a page of HTML. */
class RunReader {
  readonly #styles: DeckStyles;
  readonly #chain: readonly XmlNode[];
  readonly #fields: ReadonlyMap<string, string>;
  readonly #runs: Run[] = [];
  #endsBlank = true;

  constructor(styles: DeckStyles, chain: readonly XmlNode[], fields: ReadonlyMap<string, string>) {
    this.#styles = styles;
    this.#chain = chain;
    this.#fields = fields;
  }

  read(paragraph: XmlNode): Run[] {
    this.#walk(paragraph, []);
    if (this.#runs.length === 0) this.#runs.push({ text: '', ...this.#letters([]) });
    return this.#runs;
  }

  #walk(node: XmlNode, spans: readonly XmlNode[]): void {
    for (const child of node.children) {
      if (child.name === TEXT) this.#addPlain(child.text, spans);
      else if (child.name === 's')
        this.#add(' '.repeat(Math.min(limits.maxSpaces, child.number('c') ?? 1)), spans);
      else if (child.name === 'tab') this.#add('\t', spans);
      else if (child.name === 'line-break') this.#add('\n', spans);
      else if (this.#fields.has(child.name)) this.#add(this.#fields.get(child.name)!, spans);
      else if (child.name === 'span')
        this.#walk(child, [...this.#styles.chain('text', child.get('style-name')), ...spans]);
      else if (!unsaid.has(child.name)) this.#walk(child, spans);
    }
  }

  #addPlain(text: string, spans: readonly XmlNode[]): void {
    const plain = text.replaceAll(/[ \t\r\n]+/g, ' ');
    this.#add(this.#endsBlank && plain.startsWith(' ') ? plain.slice(1) : plain, spans);
  }

  #add(text: string, spans: readonly XmlNode[]): void {
    if (text === '') return;
    this.#endsBlank = /\s$/.test(text);
    this.#runs.push({ text, ...this.#letters(spans) });
  }

  #letters(spans: readonly XmlNode[]): Omit<Run, 'text'> {
    const chain = [...spans, ...this.#chain];
    const value = (name: string): string | undefined => this.#styles.value(chain, 'text-properties', name);
    const size = lengthOf(value('font-size'));
    const position = value('text-position') ?? '';
    const isOn = (name: string): boolean => !/^(none)?$/.test(value(name) ?? '');
    return {
      size: size === undefined ? undefined : Math.round(size * PT * 10) / 10,
      color: cssColor(value('color')),
      font: this.#styles.fontOf(value('font-name')) ?? value('font-family')?.replaceAll("'", ''),
      isBold: /^(bold|[6-9]00)$/.test(value('font-weight') ?? ''),
      isItalic: /^(italic|oblique)$/.test(value('font-style') ?? ''),
      isUnderlined: isOn('text-underline-style'),
      isStruck: isOn('text-line-through-style'),
      shift:
        /^(super|[1-9])/.test(position) && !/^0%/.test(position)
          ? 'up'
          : /^(sub|-)/.test(position)
            ? 'down'
            : 'none',
    };
  }
}

export function frameOf(paragraphs: Paragraph[], chain: readonly XmlNode[], styles: DeckStyles): TextFrame {
  const value = (name: string): string | undefined => styles.value(chain, 'graphic-properties', name);
  const padding = (side: string): number =>
    lengthOf(value(`padding-${side}`)) ?? lengthOf(value('padding')) ?? 5;
  const vertical = value('textarea-vertical-align');
  return {
    paragraphs,
    vertical: vertical === 'middle' ? 'middle' : vertical === 'bottom' ? 'bottom' : 'top',
    insets: {
      left: padding('left'),
      top: padding('top'),
      right: padding('right'),
      bottom: padding('bottom'),
    },
    isUnwrapped: value('wrap-option') === 'no-wrap',
    turn: 0,
    columns: 1,
    scale: 1,
  };
}
