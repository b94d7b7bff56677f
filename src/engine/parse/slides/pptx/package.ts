/** Which slides does a pptx package show, in which order, with which layouts and notes? After ECMA-376, part 13. */

import { slides as limits } from '../../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../../document.ts';
import { readOfficeProperties } from '../../zip/office-properties.ts';
import { findMainPart, type Relation, readRelations } from '../../zip/relations.ts';
import { ZipArchive } from '../../zip/zip-archive.ts';
import { type Deck, type Paragraph, plainParagraph, type Shape, type Slide } from '../deck.ts';
import { type PictureShelf, wholePicture } from '../pictures.ts';
import { cellText } from '../slide-blocks.ts';
import { readTree, type XmlNode } from '../xml-tree.ts';
import { readAuthors, readComments } from './comments.ts';
import { readPaint } from './fills.ts';
import { type ShapeContext, ShapeReader } from './shapes.ts';
import { EMU } from './text.ts';
import { colorOf, emptyTheme, type Palette, readColorMap, readTheme } from './theme.ts';
import { onSlide } from './transform.ts';

/** Size of a slide where the file says none: 10 × 7.5 inches. */
const WIDTH = 960;
const HEIGHT = 720;

/** A part with what it points to. */
interface Sheet {
  part: string;
  root: XmlNode;
  relations: Relation[];
}

export async function openPptx(
  file: SourceFile,
  signal: AbortSignal,
  shelf: PictureShelf,
): Promise<PptxDeck> {
  const archive = await ZipArchive.open(file);
  try {
    return await PptxDeck.open(archive, file, signal, shelf);
  } catch (error) {
    archive.close();
    throw error;
  }
}

export class PptxDeck implements Deck {
  readonly width: number;
  readonly height: number;
  readonly metadata: DocumentMetadata;
  readonly archive: ZipArchive;
  readonly #main: Sheet;
  readonly #slideParts: string[];
  readonly #signal: AbortSignal;
  readonly #shelf: PictureShelf;
  /** Layouts, masters and themes serve many slides. */
  readonly #sheets = new Map<string, Promise<Sheet | undefined>>();
  #tableStyles: ReadonlyMap<string, XmlNode> = new Map();
  #authors: ReadonlyMap<string, string> = new Map();

  private constructor(
    archive: ZipArchive,
    main: Sheet,
    metadata: DocumentMetadata,
    signal: AbortSignal,
    shelf: PictureShelf,
  ) {
    this.archive = archive;
    this.#main = main;
    this.#signal = signal;
    this.#shelf = shelf;
    const size = main.root.child('sldSz');
    this.width = sideOf(size?.number('cx'), WIDTH);
    this.height = sideOf(size?.number('cy'), HEIGHT);
    this.#slideParts = slideParts(main, archive);
    this.metadata = {
      ...metadata,
      ...(this.#slideParts.length > 0 ? { pages: this.#slideParts.length } : {}),
    };
  }

  /** Throws ParseFailure damaged where the list of slides can't be read. */
  static async open(
    archive: ZipArchive,
    file: SourceFile,
    signal: AbortSignal,
    shelf: PictureShelf,
  ): Promise<PptxDeck> {
    const part = await findMainPart(archive, 'ppt/presentation.xml', signal);
    const { root, outcome } = await readTree(archive, part, signal);
    if (outcome === 'absent' || root.name !== 'presentation') {
      throw new ParseFailure(
        'damaged',
        `The presentation could not be read: ${file.name}: its list of slides is missing; get an intact copy.`,
      );
    }
    const metadata = await readOfficeProperties(archive, signal);
    const main = { part, root, relations: await readRelations(archive, part, signal) };
    const deck = new PptxDeck(archive, main, metadata, signal, shelf);
    await deck.#readShared();
    return deck;
  }

  close(): void {
    this.archive.close();
  }

  async *slides(): AsyncGenerator<Slide> {
    for (const [at, part] of this.#slideParts.entries()) {
      this.#signal.throwIfAborted();
      yield await this.#slide(part, at + 1);
    }
  }

  async #readShared(): Promise<void> {
    const styles = await this.#sheetOf(this.#main, 'tableStyles');
    this.#tableStyles = new Map(
      (styles?.root.all('tblStyle') ?? []).map((style) => [
        (style.get('styleId') ?? '').toUpperCase(),
        style,
      ]),
    );
    this.#authors = await readAuthors(this.archive, this.#main.relations, this.#signal);
  }

  async #slide(part: string, number: number): Promise<Slide> {
    const { root, outcome } = await readTree(this.archive, part, this.#signal);
    const sheet: Sheet = { part, root, relations: await readRelations(this.archive, part, this.#signal) };
    const layout = await this.#sheetOf(sheet, 'slideLayout');
    const master = layout && (await this.#sheetOf(layout, 'slideMaster'));
    const palette = await this.#palette([sheet, layout], master);
    const context = await this.#context(sheet, palette, layout, master);
    const shapes = new ShapeReader(context).read(root.child('cSld', 'spTree'), onSlide);
    const back: Slide['shapes'] = [];
    if (root.isOn('showMasterSp', true)) {
      if (master && (layout?.root.isOn('showMasterSp', true) ?? true))
        back.push(...(await this.#backdrop(master, palette)));
      if (layout) back.push(...(await this.#backdrop(layout, palette)));
    }
    const background = this.#background([sheet, layout, master], palette);
    return {
      number,
      isHidden: !root.isOn('show', true),
      isDamaged: outcome !== 'whole',
      ...(background ? { background } : {}),
      shapes: [...back, ...shapes],
      notes: await this.#notes(sheet, palette),
      comments: await readComments(this.archive, sheet.relations, this.#authors, this.#signal),
    };
  }

  async #backdrop(sheet: Sheet, palette: Palette): Promise<Slide['shapes']> {
    const context = await this.#context(sheet, palette, undefined, undefined);
    return new ShapeReader({ ...context, isBackdrop: true }).read(
      sheet.root.child('cSld', 'spTree'),
      onSlide,
    );
  }

  async #context(
    sheet: Sheet,
    palette: Palette,
    layout: Sheet | undefined,
    master: Sheet | undefined,
  ): Promise<ShapeContext> {
    const related = new Map<string, XmlNode>();
    for (const { id, type, target } of sheet.relations) {
      if (!/^(chart|chartEx|diagramData|diagramDrawing)$/.test(type)) continue;
      related.set(id, (await readTree(this.archive, target, this.#signal)).root);
    }
    return {
      palette,
      find: (relation, label, crop) => this.#picture(sheet, relation, label, crop),
      layout: layout?.root.child('cSld', 'spTree'),
      master: master?.root.child('cSld', 'spTree'),
      textStyles: master?.root.child('txStyles'),
      defaultText: this.#main.root.child('defaultTextStyle'),
      related,
      tableStyles: this.#tableStyles,
      isBackdrop: false,
    };
  }

  #picture(sheet: Sheet, relation: string | undefined, label: string, crop: XmlNode | undefined) {
    const target = sheet.relations.find(({ id, isExternal }) => id === relation && !isExternal)?.target;
    const cut = (side: string): number => Math.min(0.95, Math.max(-1, (crop?.number(side) ?? 0) / 100_000));
    return {
      name: this.#shelf.ask(target),
      label,
      crop: crop ? { left: cut('l'), top: cut('t'), right: cut('r'), bottom: cut('b') } : wholePicture,
    };
  }

  async #palette(near: readonly (Sheet | undefined)[], master: Sheet | undefined): Promise<Palette> {
    const theme = master && (await this.#sheetOf(master, 'theme'));
    let map = readColorMap(master?.root.child('clrMap'));
    for (const sheet of near.toReversed())
      map = readColorMap(sheet?.root.child('clrMapOvr', 'overrideClrMapping'), map);
    return { theme: theme ? readTheme(theme.root) : emptyTheme, map };
  }

  #background(sheets: readonly (Sheet | undefined)[], palette: Palette): Slide['background'] {
    for (const sheet of sheets) {
      const node = sheet?.root.child('cSld', 'bg');
      if (!sheet || !node) continue;
      const own = readPaint(node.child('bgPr'), palette, (relation, label, crop) =>
        this.#picture(sheet, relation, label, crop),
      );
      if (own && own !== 'none') return own;
      const color = colorOf(node.child('bgRef'), palette);
      if (color !== undefined) return { type: 'color', color };
    }
    return undefined;
  }

  async #notes(sheet: Sheet, palette: Palette): Promise<Paragraph[]> {
    const notes = await this.#sheetOf(sheet, 'notesSlide');
    if (!notes) return [];
    const context = await this.#context(notes, palette, undefined, undefined);
    return wordsOf(new ShapeReader(context).read(notes.root.child('cSld', 'spTree'), onSlide));
  }

  /** The part of a type that a part points to. */
  async #sheetOf(from: Sheet, type: string): Promise<Sheet | undefined> {
    const target = from.relations.find((relation) => relation.type === type && !relation.isExternal)?.target;
    if (target === undefined || !this.archive.has(target)) return undefined;
    const known = this.#sheets.get(target);
    if (known) return known;
    const read = this.#readSheet(target);
    if (type !== 'notesSlide') this.#sheets.set(target, read);
    return read;
  }

  async #readSheet(part: string): Promise<Sheet | undefined> {
    const { root, outcome } = await readTree(this.archive, part, this.#signal);
    if (outcome === 'absent') return undefined;
    return { part, root, relations: await readRelations(this.archive, part, this.#signal) };
  }
}

/** What the speaker wrote, without what runs along the edge of the notes; rows of a table as lines. */
function wordsOf(shapes: readonly Shape[]): Paragraph[] {
  return shapes.flatMap(({ role, text, table, children }) => {
    if (children) return wordsOf(children);
    if (role === 'margin') return [];
    const rows = table?.rows.map(({ cells }) => plainParagraph(cells.map(cellText).join('\t'))) ?? [];
    return [...(text?.paragraphs ?? []), ...rows];
  });
}

/** In the order of the show; files that lost their list are read in the order of their names. */
function slideParts(main: Sheet, archive: ZipArchive): string[] {
  const targets = new Map(
    main.relations.filter(({ type }) => type === 'slide').map(({ id, target }) => [id, target]),
  );
  const listed = (main.root.child('sldIdLst')?.all('sldId') ?? [])
    .map((entry) => targets.get(relationId(entry)))
    .filter((part) => part !== undefined && archive.has(part)) as string[];
  return [...new Set(listed)].slice(0, limits.maxSlides);
}

/** "id" without a prefix is another number. */
function relationId(entry: XmlNode): string {
  const key = Object.keys(entry.attributes).find((name) => name !== 'id' && name.endsWith(':id'));
  return key === undefined ? '' : entry.attributes[key]!;
}

function sideOf(units: number | undefined, otherwise: number): number {
  const side = (units ?? 0) * EMU;
  return side > 50 && side < 10_000 ? Math.round(side) : otherwise;
}
