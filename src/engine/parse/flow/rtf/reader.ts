/** Which stories, fonts, styles and properties do the tokens of rich text make? */
import { rtf as limits } from '../../../config.ts';
import type { RowGrid } from '../row-grid.ts';
import { codePageOf, decodeBytes, type RtfFont } from './code-pages.ts';
import { characters, destinations, entered, symbols, type Target } from './destinations.ts';
import { type ParagraphState, RtfStory } from './story.ts';
import type { RtfListener } from './tokens.ts';

/** What holds inside a group and is forgotten at its end. */
interface State extends ParagraphState {
  target: Target;
  isHidden: boolean;
  isDeleted: boolean;
  font: number;
  style: number;
  /** Bytes that stand for a \u character to readers without Unicode. */
  unicodeSkip: number;
  /** The story began with this group. */
  ownsStory: boolean;
}

interface Style {
  name: string;
  level?: number;
}

const HEADING_NAME = /^(?:heading|überschrift|заголовок|nagłówek|título|titre|titolo)\s*([1-9])$/iu;
const TITLE_NAME = /^(?:title|название|titel|tytuł|título|titre)$/iu;
const metadataTargets: ReadonlySet<Target> = new Set(['title', 'author']);

const plainParagraph = {
  isInTable: false,
  tableDepth: 0,
  isList: false,
  headingLevel: undefined,
  isTitle: false,
  style: 0,
};

export class RtfReader implements RtfListener {
  readonly properties: { title?: string; author?: string; date?: string } = {};
  readonly #stories: RtfStory[] = [new RtfStory('body')];
  /** Items of notes and boxes that wait for the end of the paragraph they belong to. */
  #waiting: RtfStory['items'] = [];
  /** Headers and footers come after all else. */
  readonly #margins: RtfStory['items'] = [];
  readonly #states: State[] = [];
  #state: State = {
    ...plainParagraph,
    target: 'text',
    isHidden: false,
    isDeleted: false,
    font: -1,
    unicodeSkip: 1,
    ownsStory: false,
  };
  /** Groups that are open beyond the limit; they keep the state of the deepest. */
  #tooDeep = 0;
  #bytes: number[] = [];
  #skip = 0;
  #isStarred = false;
  #codePage = 'windows-1252';
  readonly #fonts = new Map<number, RtfFont>();
  readonly #styles = new Map<number, Style>();
  #entry = '';
  #grid: RowGrid = { edges: [0], merges: [] };
  #merge: 'none' | 'start' | 'on' = 'none';
  #isHeaderRow = false;
  #date: number[] = [];

  /** Finished items of the body; they leave the reader. */
  take(): RtfStory['items'] {
    return this.#stories[0]!.items.splice(0);
  }

  /** Ends what is open still, as at the end of a cut file. */
  end(): void {
    this.#flush();
    while (this.#stories.length > 1) this.#endStory();
    const body = this.#stories[0]!;
    body.end(this.#paragraph());
    body.items.push(...this.#waiting, ...withoutRepeats(this.#margins));
  }

  open(): void {
    this.#flush();
    this.#skip = 0;
    if (this.#states.length >= limits.maxDepth) this.#tooDeep += 1;
    else {
      this.#states.push(this.#state);
      this.#state = { ...this.#state, ownsStory: false };
    }
    if (this.#state.target === 'fonts' || this.#state.target === 'styles') this.#entry = '';
  }

  close(): void {
    this.#flush();
    this.#skip = 0;
    this.#isStarred = false;
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1;
      return;
    }
    const before = this.#states.pop();
    if (!before) return;
    const { target, ownsStory } = this.#state;
    if (target === 'fonts' || target === 'styles') this.#endEntry();
    else if (target !== before.target) this.#endProperty(target);
    if (ownsStory) this.#endStory();
    this.#state = before;
  }

  star(): void {
    this.#isStarred = true;
  }

  symbol(sign: string): void {
    this.#flush();
    if (this.#skip > 0) this.#skip -= 1;
    else this.#add(symbols[sign] ?? ('\\{}'.includes(sign) ? sign : ''));
  }

  text(bytes: Buffer, from: number, to: number): void {
    this.#isStarred = false;
    const start = Math.min(to, from + this.#skip);
    this.#skip -= start - from;
    if (this.#state.target === 'skip') return;
    for (let at = start; at < to; at++) this.#bytes.push(bytes[at]!);
    if (this.#bytes.length > limits.maxPendingBytes) this.#flush();
  }

  byte(value: number): void {
    this.#isStarred = false;
    if (this.#skip > 0) this.#skip -= 1;
    else if (this.#state.target !== 'skip') this.#bytes.push(value);
  }

  word(name: string, value: number | undefined): void {
    this.#flush();
    const isStarred = this.#isStarred;
    this.#isStarred = false;
    if (
      this.#state.target === 'skip' &&
      !metadataTargets.has(destinations.get(name) ?? 'skip') &&
      !/^(?:creatim|revtim)$/.test(name)
    )
      return;
    if (name === 'u' && value !== undefined) {
      this.#add(String.fromCharCode(value < 0 ? value + 65_536 : value));
      this.#skip = this.#state.unicodeSkip;
      return;
    }
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    const target = destinations.get(name);
    if (target) this.#enter(target);
    else if (isStarred && !entered.has(name)) this.#state.target = 'skip';
    else if (characters[name] !== undefined) this.#add(characters[name]);
    else if (!this.#readMark(name)) this.#readFormat(name, value);
  }

  #enter(target: Target): void {
    this.#state.target = target === 'footnote' || target === 'margin' || target === 'box' ? 'text' : target;
    if (this.#state.target === 'text') {
      Object.assign(this.#state, plainParagraph, { ownsStory: true });
      this.#stories.push(new RtfStory(target as 'footnote' | 'margin' | 'box'));
    }
    if (target === 'created' || target === 'saved') this.#date = [];
    this.#entry = '';
  }

  #endStory(): void {
    const story = this.#stories.pop();
    if (!story || this.#stories.length === 0) return;
    story.end(this.#paragraph());
    if (story.kind === 'margin') this.#margins.push(...story.items);
    else this.#waiting.push(...story.items);
  }

  /** Marks of text; false for a word that is none. */
  #readMark(name: string): boolean {
    if (this.#state.target !== 'text') return false;
    const story = this.#stories.at(-1)!;
    switch (name) {
      case 'par':
      case 'sect':
      case 'page':
      case 'column':
        story.endParagraph(this.#paragraph());
        break;
      case 'cell':
        story.endCell();
        break;
      case 'nestcell':
        story.endInnerCell();
        break;
      case 'row':
        story.endRow(this.#grid.merges.length > 0 ? this.#grid : undefined, this.#isHeaderRow);
        break;
      default:
        return false;
    }
    const isBetween = name !== 'cell' && name !== 'nestcell' && !this.#state.isInTable;
    if (this.#stories.length === 1 && isBetween && this.#waiting.length > 0) {
      story.items.push(...this.#waiting);
      this.#waiting = [];
    }
    return true;
  }

  #readFormat(name: string, value: number | undefined): void {
    const state = this.#state;
    const isOn = value !== 0;
    switch (name) {
      case 'v':
        state.isHidden = isOn;
        break;
      case 'deleted':
        state.isDeleted = isOn;
        break;
      case 'plain':
        Object.assign(state, { isHidden: false, isDeleted: false, font: -1 });
        break;
      case 'pard':
        Object.assign(state, plainParagraph);
        break;
      case 's':
        state.style = value ?? 0;
        break;
      case 'outlinelevel':
        state.headingLevel = value !== undefined && value < 9 ? value + 1 : undefined;
        break;
      case 'ls':
        state.isList = isOn;
        break;
      case 'intbl':
        state.isInTable = isOn;
        state.tableDepth = Math.max(1, state.tableDepth);
        break;
      case 'itap':
        state.tableDepth = value ?? 1;
        state.isInTable = state.tableDepth > 0;
        break;
      case 'uc':
        state.unicodeSkip = Math.max(0, value ?? 1);
        break;
      case 'f':
        state.font = value ?? -1;
        break;
      default:
        this.#readTableFormat(name, value);
        this.#readDocumentFormat(name, value);
    }
  }

  #readTableFormat(name: string, value: number | undefined): void {
    if (name === 'trowd') {
      this.#grid = { edges: [0], merges: [] };
      this.#isHeaderRow = false;
      this.#merge = 'none';
    } else if (name === 'trleft') this.#grid.edges[0] = value ?? 0;
    else if (name === 'trhdr') this.#isHeaderRow = true;
    else if (name === 'clvmgf') this.#merge = 'start';
    else if (name === 'clvmrg') this.#merge = 'on';
    else if (name === 'cellx' && this.#grid.merges.length < limits.maxColumns) {
      this.#grid.edges.push(value ?? 0);
      this.#grid.merges.push(this.#merge);
      this.#merge = 'none';
    }
  }

  #readDocumentFormat(name: string, value: number | undefined): void {
    const { target, font } = this.#state;
    if (name === 'ansicpg') this.#codePage = codePageOf(value ?? 1252) ?? this.#codePage;
    else if (name === 'mac') this.#codePage = 'macintosh';
    else if (name === 'pc') this.#codePage = 'cp437';
    else if (name === 'pca') this.#codePage = 'cp850';
    else if (target === 'fonts') {
      const own = this.#fonts.get(font) ?? { name: '', characterSet: 0 };
      if (name === 'fcharset') own.characterSet = value ?? 0;
      const codePage = name === 'cpg' ? codePageOf(value ?? 0) : undefined;
      if (codePage) own.codePage = codePage;
      this.#fonts.set(font, own);
    } else if ((target === 'created' || target === 'saved') && /^(?:yr|mo|dy)$/.test(name))
      this.#date.push(value ?? 0);
  }

  #endEntry(): void {
    const name = this.#entry.replace(/;.*$/s, '').trim();
    this.#entry = '';
    const { target, font, style, headingLevel } = this.#state;
    if (name === '') return;
    if (target === 'fonts')
      this.#fonts.set(font, { ...(this.#fonts.get(font) ?? { characterSet: 0 }), name });
    else {
      const level = headingLevel ?? Number(HEADING_NAME.exec(name)?.[1] ?? Number.NaN);
      this.#styles.set(style, { name, ...(Number.isNaN(level) ? {} : { level }) });
    }
  }

  #endProperty(target: Target): void {
    const text = this.#entry.replaceAll(/\s+/gu, ' ').trim().slice(0, limits.maxPropertyLength);
    if (target === 'title' && text !== '') this.properties.title = text;
    if (target === 'author' && text !== '') this.properties.author = text;
    if (target === 'created' || target === 'saved') {
      const [year = 0, month = 0, day = 0] = this.#date;
      const date = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      if (year > 1985 && !Number.isNaN(Date.parse(date))) this.properties.date = date;
    }
    if (target !== 'text' && target !== 'label') this.#entry = '';
  }

  #paragraph(): ParagraphState {
    const style = this.#styles.get(this.#state.style);
    return {
      ...this.#state,
      headingLevel: this.#state.headingLevel ?? style?.level,
      isTitle: style !== undefined && TITLE_NAME.test(style.name),
    };
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.from(this.#bytes);
    this.#bytes = [];
    const font = this.#state.target === 'fonts' ? undefined : this.#fonts.get(this.#state.font);
    this.#add(decodeBytes(bytes, font, this.#codePage));
  }

  #add(text: string): void {
    const { target, isHidden, isDeleted } = this.#state;
    if (target === 'text') {
      if (!isHidden && !isDeleted) this.#stories.at(-1)!.add(text);
    } else if (target === 'label') {
      if (!isHidden && !isDeleted) this.#stories.at(-1)!.addLabel(text);
    } else if (target !== 'skip' && this.#entry.length < limits.maxPropertyLength) this.#entry += text;
  }
}

/** Each section has headers of its own, which often say the same. */
function withoutRepeats(items: RtfStory['items']): RtfStory['items'] {
  const texts = new Set<string>();
  return items.filter((item) => {
    if (item.type !== 'paragraph') return true;
    const isNew = !texts.has(item.text);
    texts.add(item.text);
    return isNew;
  });
}
