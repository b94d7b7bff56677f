/** Which shapes does a diagram (SmartArt) of a slide have? Its drawing where the file keeps one, else its points as a list. */
import { plainParagraph, type Shape } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import type { ShapeReader } from './shapes.ts';
import { around } from './shapes.ts';
import { readParagraphs } from './text.ts';
import type { Place, Transform } from './transform.ts';

/** Points that hold nothing of the writer's. */
const emptyPoints = new Set(['parTrans', 'sibTrans', 'pres', 'doc']);

export function diagramShapes(
  relations: XmlNode,
  place: Place | undefined,
  reader: ShapeReader,
  transform: Transform,
): Shape[] {
  const { related } = reader.context;
  const data = related.get(relations.get('dm') ?? '');
  const extension = [...(data?.deep('dataModelExt') ?? [])][0];
  const drawing = related.get(extension?.get('relId') ?? '');
  const moved: Transform = (inner) =>
    transform({
      ...inner,
      box: { ...inner.box, x: inner.box.x + (place?.box.x ?? 0), y: inner.box.y + (place?.box.y ?? 0) },
    });
  const children = reader.read(drawing?.child('spTree'), place ? moved : transform);
  const own = { role: 'text', isBackdrop: false, rotation: 0, isFlippedX: false, isFlippedY: false } as const;
  if (children.some(({ text }) => text)) {
    const box = around(children);
    return [{ ...own, ...(box ? { box } : {}), children }];
  }
  const paragraphs = listOf(data, reader);
  if (paragraphs.length === 0) return [];
  return [
    {
      ...own,
      ...place,
      text: {
        paragraphs,
        vertical: 'top',
        insets: { left: 8, top: 8, right: 8, bottom: 8 },
        isUnwrapped: false,
        turn: 0,
        columns: 1,
        scale: 1,
      },
    },
  ];
}

/** The points in the order of the file, each as deep as its parents. */
function listOf(data: XmlNode | undefined, reader: ShapeReader) {
  const parents = new Map<string, string>();
  for (const link of data?.child('cxnLst')?.all('cxn') ?? []) {
    if (!/^(parOf)?$/.test(link.get('type') ?? '')) continue;
    parents.set(link.get('destId') ?? '', link.get('srcId') ?? '');
  }
  const points = (data?.child('ptLst')?.all('pt') ?? []).filter(
    (point) => !emptyPoints.has(point.get('type') ?? ''),
  );
  const known = new Set(points.map((point) => point.get('modelId')));
  return points.flatMap((point) => {
    const body = point.child('t');
    if (!body) return [];
    let level = 0;
    for (
      let at = parents.get(point.get('modelId') ?? '');
      at && known.has(at) && level < 8;
      at = parents.get(at)
    )
      level++;
    return readParagraphs(body, { lists: [], bodies: [], palette: reader.context.palette }).map(
      (paragraph) => ({
        ...plainParagraph(''),
        runs: paragraph.runs,
        level,
        isItem: true,
        bullet: '•',
        indent: 20 + level * 24,
        firstIndent: -16,
        spaceAfter: 4,
      }),
    );
  });
}
