/** Which pages does an OpenDocument presentation show, with which masters and notes? */
import { slides as limits } from '../../../config.ts';
import { type DocumentMetadata, ParseFailure, type SourceFile } from '../../../document.ts';
import { readOdfProperties, refuseEncrypted } from '../../flow/odf/odf-properties.ts';
import { ZipArchive } from '../../zip/zip-archive.ts';
import { type Deck, type Paragraph, plainParagraph, type Slide } from '../deck.ts';
import { type PictureShelf, wholePicture } from '../pictures.ts';
import { readTree, type XmlNode } from '../xml-tree.ts';
import { objectPath, type PageContext, readFill, readShapes } from './shapes.ts';
import { DeckStyles, lengthOf } from './styles.ts';
import { readParagraphs } from './text.ts';

/** Of a page that says nothing: 28 × 15.75 cm. */
const WIDTH = 1058;
const HEIGHT = 595;

export async function openOdp(file: SourceFile, signal: AbortSignal, shelf: PictureShelf): Promise<OdpDeck> {
  const archive = await ZipArchive.open(file);
  try {
    await refuseEncrypted(archive, file, signal);
    const content = await readTree(archive, 'content.xml', signal, true);
    const presentation = content.root.child('body', 'presentation');
    if (!presentation) throw broken(file);
    const styles = await readTree(archive, 'styles.xml', signal, true);
    const metadata = await readOdfProperties(archive, signal);
    const objects = await readObjects(archive, presentation, signal);
    const isDamaged = content.outcome !== 'whole';
    return new OdpDeck(
      { archive, styles: styles.root, content: content.root, presentation, objects, isDamaged },
      metadata,
      shelf,
    );
  } catch (error) {
    archive.close();
    throw error;
  }
}

interface OdpParts {
  archive: ZipArchive;
  styles: XmlNode;
  content: XmlNode;
  presentation: XmlNode;
  objects: ReadonlyMap<string, XmlNode>;
  isDamaged: boolean;
}

export class OdpDeck implements Deck {
  readonly width: number;
  readonly height: number;
  readonly metadata: DocumentMetadata;
  readonly archive: ZipArchive;
  readonly #parts: OdpParts;
  readonly #pages: XmlNode[];
  readonly #styles = new DeckStyles();
  readonly #masters: ReadonlyMap<string, XmlNode>;
  readonly #shelf: PictureShelf;

  constructor(parts: OdpParts, metadata: DocumentMetadata, shelf: PictureShelf) {
    this.archive = parts.archive;
    this.#parts = parts;
    this.#shelf = shelf;
    this.#styles.add(parts.styles);
    this.#styles.add(parts.content);
    this.#masters = new Map(
      (parts.styles.child('master-styles')?.all('master-page') ?? []).map((master) => [
        master.get('name') ?? '',
        master,
      ]),
    );
    this.#pages = parts.presentation.all('page').slice(0, limits.maxSlides);
    const size = pageSize(parts.styles, this.#masters.get(this.#pages[0]?.get('master-page-name') ?? ''));
    this.width = sideOf(size?.get('page-width'), WIDTH);
    this.height = sideOf(size?.get('page-height'), HEIGHT);
    this.metadata = { ...metadata, ...(this.#pages.length > 0 ? { pages: this.#pages.length } : {}) };
  }

  close(): void {
    this.archive.close();
  }

  async *slides(): AsyncGenerator<Slide> {
    for (const [at, page] of this.#pages.entries()) yield this.#slide(page, at + 1);
  }

  #slide(page: XmlNode, number: number): Slide {
    const styles = this.#styles;
    const masterName = page.get('master-page-name') ?? '';
    const master = this.#masters.get(masterName);
    const chain = styles.chain('drawing-page', page.get('style-name'));
    const value = (name: string): string | undefined => styles.value(chain, 'drawing-page-properties', name);
    const context: PageContext = {
      styles,
      master: masterName,
      fields: this.#fields(page, number, value),
      objects: this.#parts.objects,
      picture: (address, label) => ({
        name: this.#shelf.ask(address && objectPath(address)),
        label,
        crop: wholePicture,
      }),
    };
    const showsMaster = master && value('background-objects-visible') !== 'false';
    const masterChain = styles.chain('drawing-page', master?.get('style-name'));
    const background =
      readFill(chain, 'drawing-page-properties', context) ??
      readFill(masterChain, 'drawing-page-properties', context);
    return {
      number,
      isHidden: value('visibility') === 'hidden',
      isDamaged: this.#parts.isDamaged && number === this.#pages.length,
      ...(background ? { background } : {}),
      shapes: [
        ...(showsMaster ? readShapes(master, context, true) : []),
        ...readShapes(page, context, false),
      ],
      notes: notesOf(page, context),
      comments: commentsOf(page, context),
    };
  }

  /** What the running lines of the page say, by the element that stands for each. */
  #fields(page: XmlNode, number: number, value: (name: string) => string | undefined): Map<string, string> {
    const fields = new Map<string, string>();
    const declared = (kind: string): string | undefined => {
      const name = page.get(`use-${kind}-name`);
      const found = this.#parts.presentation.children.find(
        (node) => node.name === `${kind}-decl` && node.get('name') === name,
      );
      return found?.text.trim();
    };
    for (const kind of ['header', 'footer', 'date-time']) {
      const words = declared(kind);
      if (words && value(`display-${kind}`) !== 'false') fields.set(kind, words);
    }
    if (value('display-page-number') === 'true') fields.set('page-number', String(number));
    return fields;
  }
}

function notesOf(page: XmlNode, context: PageContext): Paragraph[] {
  const frames = page.child('notes')?.all('frame') ?? [];
  return frames.flatMap((frame) => {
    const box = frame.child('text-box');
    const kind = frame.get('class') ?? 'notes';
    if (!box || frame.isOn('placeholder') || /^(header|footer|date-time|page-number)$/.test(kind)) return [];
    return readParagraphs(box, {
      styles: context.styles,
      shape: [],
      outline: undefined,
      fields: context.fields,
    });
  });
}

function commentsOf(page: XmlNode, context: PageContext): Paragraph[] {
  return page
    .all('annotation')
    .slice(0, limits.maxComments)
    .map((note) => {
      const author = note.child('creator')?.text.trim() ?? '';
      const words = readParagraphs(note, {
        styles: context.styles,
        shape: [],
        outline: undefined,
        fields: context.fields,
      })
        .map(({ runs }) => runs.map(({ text }) => text).join(''))
        .join('\n');
      return plainParagraph(author === '' || words.trim() === '' ? words : `${author}: ${words}`);
    });
}

/** Trees of the charts that stand in frames. */
async function readObjects(
  archive: ZipArchive,
  presentation: XmlNode,
  signal: AbortSignal,
): Promise<Map<string, XmlNode>> {
  const objects = new Map<string, XmlNode>();
  for (const object of presentation.deep('object')) {
    const path = objectPath(object.get('href'));
    if (path === '' || objects.has(path) || !archive.has(`${path}/content.xml`)) continue;
    objects.set(path, (await readTree(archive, `${path}/content.xml`, signal)).root);
  }
  return objects;
}

function pageSize(styles: XmlNode, master: XmlNode | undefined): XmlNode | undefined {
  const name = master?.get('page-layout-name');
  const layouts = styles.child('automatic-styles')?.all('page-layout') ?? [];
  const layout = layouts.find((one) => one.get('name') === name) ?? layouts[0];
  return layout?.child('page-layout-properties');
}

function sideOf(written: string | undefined, otherwise: number): number {
  const side = lengthOf(written) ?? 0;
  return side > 50 && side < 10_000 ? Math.round(side) : otherwise;
}

function broken(file: SourceFile): ParseFailure {
  return new ParseFailure(
    'damaged',
    `The presentation could not be read: ${file.name}: its pages are missing; get an intact copy.`,
  );
}
