/** Which records does a stream of an old presentation hold? After [MS-PPT] 2.3.1. */

/** Numbers of the records that are read. */
export const type = {
  document: 0x03e8,
  documentAtom: 0x03e9,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  master: 0x03f8,
  slideShowInfo: 0x03f9,
  drawingGroup: 0x040b,
  drawing: 0x040c,
  colorScheme: 0x07f0,
  placeholder: 0x0bc3,
  outlineText: 0x0f9e,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textStyle: 0x0fa1,
  masterStyle: 0x0fa3,
  textBytes: 0x0fa8,
  string: 0x0fba,
  fontEntity: 0x0fb7,
  slideNumberField: 0x0fd8,
  headersFooters: 0x0fd9,
  headersFootersAtom: 0x0fda,
  slideList: 0x0ff0,
  userEdit: 0x0ff5,
  dateField: 0x0ff7,
  genericDateField: 0x0ff8,
  headerField: 0x0ff9,
  footerField: 0x0ffa,
  binaryTag: 0x138b,
  persistDirectory: 0x1772,
  comment: 0x2ee0,
  pictureStore: 0xf001,
  shapeGroup: 0xf003,
  shape: 0xf004,
  pictureEntry: 0xf007,
  groupFrame: 0xf009,
  shapeAtom: 0xf00a,
  options: 0xf00b,
  textbox: 0xf00d,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  clientData: 0xf011,
  moreOptions: 0xf122,
} as const;

const HEADER = 8;
/** Version of a record that holds records. */
const CONTAINER = 0xf;
/** Records inside each other that are followed. */
const MAX_DEPTH = 40;
/** Records of one container that are followed. */
const MAX_CHILDREN = 200_000;

export class Record {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly data: Buffer;
  readonly #depth: number;
  #children: Record[] | undefined;

  constructor(kind: number, instance: number, isContainer: boolean, data: Buffer, depth: number) {
    this.type = kind;
    this.instance = instance;
    this.isContainer = isContainer;
    this.data = data;
    this.#depth = depth;
  }

  /** A cut record holds what is left of it. */
  get children(): Record[] {
    if (!this.isContainer || this.#depth >= MAX_DEPTH) return [];
    this.#children ??= readRecords(this.data, this.#depth + 1);
    return this.#children;
  }

  /** The first record of a type; further types lead deeper. */
  child(...path: number[]): Record | undefined {
    let record: Record | undefined = this;
    for (const kind of path) record = record?.children.find((child) => child.type === kind);
    return record;
  }

  all(kind: number): Record[] {
    return this.children.filter((child) => child.type === kind);
  }

  *deep(kind: number): Generator<Record> {
    for (const child of this.children) {
      if (child.type === kind) yield child;
      yield* child.deep(kind);
    }
  }

  /** Numbers beyond the end of a cut record are 0. */
  u8(at: number): number {
    return this.data[at] ?? 0;
  }

  u16(at: number): number {
    return at + 2 <= this.data.length ? this.data.readUInt16LE(at) : 0;
  }

  i16(at: number): number {
    return at + 2 <= this.data.length ? this.data.readInt16LE(at) : 0;
  }

  u32(at: number): number {
    return at + 4 <= this.data.length ? this.data.readUInt32LE(at) : 0;
  }

  i32(at: number): number {
    return at + 4 <= this.data.length ? this.data.readInt32LE(at) : 0;
  }
}

/** The record at an offset; undefined where there is none. */
export function recordAt(stream: Buffer, offset: number, depth = 0): Record | undefined {
  if (offset < 0 || offset + HEADER > stream.length) return undefined;
  const head = stream.readUInt16LE(offset);
  const kind = stream.readUInt16LE(offset + 2);
  const length = stream.readUInt32LE(offset + 4);
  const data = stream.subarray(offset + HEADER, Math.min(stream.length, offset + HEADER + length));
  // What programs tag a slide with says that it is no container, and is one.
  const isContainer =
    (head & 0xf) === CONTAINER ||
    kind === type.binaryTag ||
    kind === type.textbox ||
    kind === type.clientData;
  return new Record(kind, head >> 4, isContainer, data, depth);
}

export function readRecords(stream: Buffer, depth = 0): Record[] {
  const records: Record[] = [];
  for (let at = 0; at + HEADER <= stream.length && records.length < MAX_CHILDREN; ) {
    const record = recordAt(stream, at, depth);
    if (!record) break;
    records.push(record);
    at += HEADER + stream.readUInt32LE(at + 4);
  }
  return records;
}
