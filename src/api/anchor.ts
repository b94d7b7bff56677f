/** Where in an original does a piece of text stand? */

/** A rectangle in PDF user space: points (1/72 inch), origin bottom left, before the page's rotation is applied. */
export interface Box {
  /** Left edge. */
  x: number;
  /** Bottom edge. */
  y: number;
  width: number;
  height: number;
}

/** PDF pages (and, later, scans). */
export interface PageAnchor {
  kind: 'page';
  /** 1-based. */
  page: number;
  /** At least one; usually one per line of text. */
  boxes: Box[];
}

/** Spreadsheets and delimited text. */
export interface CellsAnchor {
  kind: 'cells';
  /** Name of the sheet; for CSV the file's base name. */
  sheet: string;
  /** A1 notation, one cell ("B2") or a rectangle ("B2:F9"). */
  range: string;
}

/** Presentations. */
export interface SlideAnchor {
  kind: 'slide';
  /** 1-based. */
  slide: number;
  /** Identifier that the engine writes on the shape's element when it makes the slide's view, such as "b12". */
  shape?: string;
  /** Half-open range in that element's text, UTF-16 units; both or neither, and only with a shape. */
  start?: number;
  end?: number;
}

/** Formats that become a tree of elements: DOCX, HTML. */
export interface ElementAnchor {
  kind: 'element';
  /** Identifier that the engine writes on the element when it makes the document's view, such as "b12". */
  path: string;
  /** Half-open range in the element's text (its view's textContent with white space as the view holds it), UTF-16 units. */
  start: number;
  end: number;
}

/** Plain text, Markdown and source code. */
export interface LinesAnchor {
  kind: 'lines';
  /** First line, 1-based. */
  from: number;
  /** Last line, 1-based, inclusive. */
  to: number;
}

/** Transcripts. */
export interface TimeAnchor {
  kind: 'time';
  fromMs: number;
  toMs: number;
}

export type Anchor = PageAnchor | CellsAnchor | SlideAnchor | ElementAnchor | LinesAnchor | TimeAnchor;
