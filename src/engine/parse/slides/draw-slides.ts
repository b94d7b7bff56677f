/** Which page shows the slides of a presentation? Shapes stand where the file puts them; notes and comments beneath each slide. */
import { escapeHtml } from '../flow/flow-page.ts';
import type {
  Box,
  Deck,
  Line,
  Outline,
  Paint,
  Paragraph,
  Picture,
  Shape,
  Slide,
  SlideTable,
  TextFrame,
} from './deck.ts';
import { drawTable, drawText, round, verticals } from './draw-text.ts';

/** Pixels that a row of a chart's table takes at most, and what its title takes. */
const TALLEST_ROW = 64;
const CHART_HEAD = 56;

/** The page scales slides to its width; what stands beneath them keeps the size of text, by `--fit`. */
const style = `body{margin:0}
.deck-slide{margin:0 auto 28px;position:relative}
.slide{position:relative;overflow:hidden;background:#fff;color:#000;font-family:Carlito,'Liberation Sans',sans-serif;line-height:1.2}
.shape,.outline,.picture,.words,.loose{position:absolute}
.outline,.picture{background-repeat:no-repeat;background-size:100% 100%}
.picture.missing{border:1px dashed #b9b2a4;background:#f3f0ea}
.words{inset:0;display:flex;flex-direction:column;box-sizing:border-box}
.words>div{min-width:0}
.loose{inset:6% 7%;display:flex;flex-direction:column;gap:12px}
.slide p{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.slide .plain p{white-space:pre}
.slide p[data-bullet]::before{content:attr(data-bullet);display:inline-block;min-width:var(--hang,0);margin-inline-end:.25em;text-indent:0;color:var(--bullet,inherit)}
.slide p[data-bullet][style*="--hang:"]::before{margin-inline-end:0}
.slide .number{display:inline-block;min-width:var(--hang,0);text-indent:0;white-space:pre}
.slide table{border-collapse:collapse;width:100%}
.slide .grid{table-layout:fixed}
.slide td,.slide th{border:1px solid #00000022;padding:4px 9px;text-align:start;vertical-align:top;font-weight:inherit;white-space:pre-line;overflow-wrap:anywhere}
.slide .chart td,.slide .chart th{padding:2px 10px;border:solid #0000001a;border-width:1px 0;vertical-align:middle}.slide .chart tr:first-child th{vertical-align:bottom}
.charted>p:last-of-type{padding-bottom:8px}`;

/** One slide, whose blocks were made before. `rules`: the pictures that can be shown, by name. */
export function drawSlide(slide: Slide, deck: Deck, rules: ReadonlyMap<string, string>): string {
  const flat = slide.shapes.flatMap(leaves);
  const isOff = (shape: Shape): boolean =>
    shape.box !== undefined && !touches(shape.box, deck) && !shape.isBackdrop;
  const placed = flat.filter((shape) => shape.box && !isOff(shape)).map((shape) => drawShape(shape, rules));
  const loose = flat.filter((shape) => !shape.box).map(drawLoose);
  const beside = flat.filter(isOff).map(drawLoose).join('');
  const back = slide.background ? drawBackground(slide.background, deck, rules) : '';
  const body = `${back}${placed.join('')}${loose.length > 0 ? `<div class="loose">${loose.join('')}</div>` : ''}`;
  return (
    `<section class="deck-slide" data-slide="${slide.number}"${slide.isHidden ? ' data-hidden="true"' : ''} style="width:${deck.width}px;contain-intrinsic-height:auto ${deck.height}px">` +
    `<div class="slide" style="width:${deck.width}px;height:${deck.height}px">${body}</div>` +
    (beside === '' ? '' : `<div class="aside" data-aside="beside">${beside}</div>`) +
    aside('notes', slide.notes) +
    aside('comments', slide.comments) +
    '</section>'
  );
}

/** The whole page, as HTML without scripts or anything that would be fetched. */
export function slidesPage(slides: readonly string[], rules: ReadonlyMap<string, string>): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}\n${[...rules.values()].join('\n')}</style></head><body>${slides.join('\n')}</body></html>`;
}

function leaves(shape: Shape): Shape[] {
  return shape.children ? shape.children.flatMap(leaves) : [shape];
}

function touches(box: Box, { width, height }: Deck): boolean {
  return box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0;
}

function aside(name: 'notes' | 'comments', paragraphs: readonly Paragraph[]): string {
  const said = paragraphs.filter(({ block }) => block !== undefined);
  if (said.length === 0) return '';
  const lines = said.map(
    ({ block, label, runs }) =>
      `<p data-block="${block}">${escapeHtml((label === '' ? '' : `${label} `) + runs.map(({ text }) => text).join(''))}</p>`,
  );
  return `<div class="aside" data-aside="${name}">${lines.join('')}</div>`;
}

function drawShape(shape: Shape, rules: ReadonlyMap<string, string>): string {
  const { box, rotation, text, table, outline, picture } = shape;
  if (!box) return '';
  const flip = `${shape.isFlippedX ? 'scaleX(-1)' : ''}${shape.isFlippedY ? 'scaleY(-1)' : ''}`;
  const place = `left:${round(box.x)}px;top:${round(box.y)}px;width:${round(box.width)}px;height:${round(box.height)}px`;
  const turn = rotation === 0 ? '' : `;transform:rotate(${round(rotation)}deg)`;
  const inner = [
    picture ? drawPicture(picture, outline?.path, flip, rules) : '',
    outline ? drawOutline(outline, box, flip, rules) : '',
    table?.isChart ? drawChart(table, text, box) : '',
    table && !table.isChart ? `<div class="fits">${drawTable(table)}</div>` : '',
    text && !table ? drawFrame(shape, box) : '',
  ].join('');
  return inner === '' ? '' : `<div class="shape" style="${place}${turn}">${inner}</div>`;
}

/** Rows share the height of the chart's frame. */
function drawChart(table: SlideTable, text: TextFrame | undefined, box: Box): string {
  const rows = Math.min(TALLEST_ROW, (box.height - CHART_HEAD) / Math.max(1, table.rows.length));
  return `<div class="charted fits">${text ? drawText(text) : ''}${drawTable(table, rows)}</div>`;
}

function drawFrame({ text }: Shape, box: Box): string {
  if (!text?.paragraphs.some(({ runs }) => runs.some((run) => run.text !== ''))) return '';
  const { insets, turn, columns } = text;
  const aligned = `justify-content:${verticals[text.vertical]}`;
  const padding = `padding:${[insets.top, insets.right, insets.bottom, insets.left].map((side) => `${round(side)}px`).join(' ')}`;
  // Turned text is laid out in a box of the other way round about the same middle.
  const turned =
    turn === 0
      ? ''
      : `;inset:auto;left:${round((box.width - box.height) / 2)}px;top:${round((box.height - box.width) / 2)}px;width:${round(box.height)}px;height:${round(box.width)}px;transform:rotate(${turn}deg)`;
  const split = columns > 1 ? ` style="columns:${columns}"` : '';
  return `<div class="words fits${text.isUnwrapped ? ' plain' : ''}" style="${aligned};${padding}${turned}"><div${split}>${drawText(text)}</div></div>`;
}

/** In the order of reading, where no place is known. */
function drawLoose({ text, table }: Shape): string {
  return `<div>${text ? drawText(text) : ''}${table ? drawTable(table) : ''}</div>`;
}

function drawBackground(paint: Paint, deck: Deck, rules: ReadonlyMap<string, string>): string {
  const box = { x: 0, y: 0, width: deck.width, height: deck.height };
  if (paint.type === 'picture') {
    return `<div class="shape" style="inset:0">${drawPicture(paint.picture, undefined, '', rules)}</div>`;
  }
  const path = `M0 0L${deck.width} 0L${deck.width} ${deck.height}L0 ${deck.height}Z`;
  return `<div class="shape" style="inset:0">${drawOutline({ path, fill: paint }, box, '', rules)}</div>`;
}

function drawPicture(
  picture: Picture,
  path: string | undefined,
  flip: string,
  rules: ReadonlyMap<string, string>,
): string {
  const { left, top, right, bottom } = picture.crop;
  const isShown = picture.name !== undefined && rules.has(picture.name);
  const [across, down] = [1 - left - right, 1 - top - bottom].map((share) => Math.max(0.02, share)) as [
    number,
    number,
  ];
  const at = (before: number, after: number): number =>
    before + after === 0 ? 0 : (before / (before + after)) * 100;
  const styles = [
    'inset:0',
    isShown && (across !== 1 || down !== 1)
      ? `background-size:${round(100 / across)}% ${round(100 / down)}%;background-position:${round(at(left, right))}% ${round(at(top, bottom))}%`
      : '',
    path === undefined ? '' : `clip-path:path('${path}')`,
    flip === '' ? '' : `transform:${flip}`,
  ].filter((one) => one !== '');
  const label =
    picture.label === '' ? ' aria-hidden="true"' : ` role="img" aria-label="${escapeHtml(picture.label)}"`;
  return `<div class="picture ${isShown ? picture.name : 'missing'}"${label} style="${styles.join(';')}"></div>`;
}

/** As a picture in SVG: any path, and nothing in it can act. */
function drawOutline(
  { path, fill, line }: Outline,
  box: Box,
  flip: string,
  rules: ReadonlyMap<string, string>,
): string {
  const under = fill?.type === 'picture' ? drawPicture(fill.picture, path, flip, rules) : '';
  const paint = fill && fill.type !== 'picture' ? fill : undefined;
  if (!paint && !line) return under;
  const pad = line ? Math.ceil(line.width + (line.hasHead || line.hasTail ? line.width * 4 : 0)) : 0;
  const [width, height] = [box.width + 2 * pad, box.height + 2 * pad];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="${-pad} ${-pad} ${round(width)} ${round(height)}">` +
    `${paint?.type === 'gradient' ? gradient(paint) : ''}${line ? markers(line) : ''}` +
    `<path d="${path}" fill="${paint === undefined ? 'none' : paint.type === 'color' ? paint.color : 'url(#g)'}"${line ? stroke(line) : ''}/></svg>`;
  const turn = flip === '' ? '' : `;transform:${flip}`;
  return `${under}<div class="outline" style="inset:-${pad}px;background-image:url('data:image/svg+xml,${encode(svg)}')${turn}"></div>`;
}

function gradient({ stops, angle }: Extract<Paint, { type: 'gradient' }>): string {
  const made = stops.map(({ at, color }) => `<stop offset="${round(at)}" stop-color="${color}"/>`).join('');
  return `<linearGradient id="g" gradientTransform="rotate(${round(angle)} .5 .5)">${made}</linearGradient>`;
}

function stroke({ color, width, isDashed, hasHead, hasTail }: Line): string {
  const dashes = isDashed ? ` stroke-dasharray="${round(width * 4)} ${round(width * 3)}"` : '';
  return ` stroke="${color}" stroke-width="${round(width)}"${dashes}${hasHead ? ' marker-start="url(#a)"' : ''}${hasTail ? ' marker-end="url(#a)"' : ''}`;
}

function markers({ color, hasHead, hasTail }: Line): string {
  if (!hasHead && !hasTail) return '';
  return `<marker id="a" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="4" markerHeight="4" orient="auto-start-reverse"><path d="M0 0L6 3L0 6Z" fill="${color}"/></marker>`;
}

/** Safe inside a quoted address in an attribute. */
function encode(svg: string): string {
  return encodeURIComponent(svg).replaceAll("'", '%27').replaceAll('(', '%28').replaceAll(')', '%29');
}
