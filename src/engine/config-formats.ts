/** Which limits hold for each format? The formats' part of config.ts; import it from there. */

const KIB = 1024;
const MIB = 1024 * KIB;

export const text = {
  /** Bytes looked at to find the encoding; more adds no certainty. */
  sampleBytes: 64 * KIB,
  /** Bytes read and decoded at a time; a large file never stands in memory whole. */
  pieceBytes: 256 * KIB,
  /** A longer line is read as several pieces of the same line, in UTF-16 units; minified files have one line of megabytes. */
  maxLineLength: 4_000,
  /** A paragraph without a blank line ends here: UTF-16 units and lines; logs have no blank lines. */
  maxBlockLength: 8_000,
  maxBlockLines: 200,
  /** A block of code ends here: UTF-16 units. Functions are shorter; data files are not. */
  maxCodeBlockLength: 20_000,
  /** A Markdown file is cut into pieces of this length at headings; the library that reads it takes whole strings. UTF-16 units. */
  markdownPieceLength: 512 * KIB,
  /** Largest text that is prepared for the view, as bytes of UTF-8; the page holds it whole. */
  maxViewBytes: 256 * MIB,
} as const;

export const html = {
  /** Largest page that is read. */
  maxBytes: 24 * MIB,
  /** Tags that are read: a tree takes some 300 bytes a tag, and a worker's heap must hold it (150 MB for 480,000, measured). */
  maxTags: 600_000,
  /** Deepest nesting that is kept; browsers flatten beyond 512, real pages stay under 100. */
  maxDepth: 400,
  /** Elements in one page; more is read in part, with a warning. */
  maxElements: 1_000_000,
  /** Columns that `colspan` and rows that `rowspan` may claim. */
  maxSpan: 1_000,
} as const;

export const zip = {
  /** Bytes that are unpacked in one turn of the thread pool; 16 KiB, zlib's own, cost a third of the time of a large sheet. */
  pieceBytes: 128 * KIB,
  /** Entries of one archive that are listed; office files rarely pass a few thousand. */
  maxEntries: 100_000,
  /** Longest entry name, in UTF-16 units; longer ones are ignored. */
  maxNameLength: 1_024,
  /** Bytes that one entry may unpack to: a sheet of a million rows takes about half of it. */
  maxEntryBytes: 2048 * MIB,
  /** Bytes that all entries which are read may unpack to together. */
  maxTotalBytes: 4096 * MIB,
  /** Unpacked size over packed size; real sheets stay under 60, a bomb reaches 1,000. */
  maxRatio: 400,
  /** The ratio is judged only above this size: small repetitive parts are harmless. */
  ratioFromBytes: 64 * MIB,
  /** Bytes of an OLE container that are searched for the mark of encryption. */
  maxContainerScanBytes: 64 * MIB,
} as const;

export const archives = {
  /** Bytes of an archive of 7-Zip or RAR: it stands in memory whole. */
  maxWholeBytes: 400 * MIB,
  /** Bytes unpacked at a time. */
  pieceBytes: 256 * KIB,
  /** Members that a view lists. */
  maxShown: 20_000,
} as const;

/** Documents inside documents: entries of archives, attachments and messages of mailboxes. */
export const members = {
  /** Containers inside each other; beyond it their members are not read. */
  maxDepth: 4,
  /** Members of one file on disk, those of its members included; the largest mailboxes have some 100,000 messages. */
  maxMembers: 200_000,
  /** Bytes of one member, and of all together. */
  maxMemberBytes: 2048 * MIB,
  maxTotalBytes: 32 * 1024 * MIB,
  /** Bytes of all members over those of the file; text packs to a tenth, a nest of bombs to a millionth. */
  maxRatio: 300,
  /** The ratio is judged only above this size: small repetitive files are harmless. */
  ratioFromBytes: 512 * MIB,
  /** Members of one container that are unpacked and not yet read, and their bytes: its reader waits beyond it. */
  maxWaiting: 200,
  maxWaitingBytes: 256 * MIB,
  /** Names longer than this are cut, in UTF-16 units. */
  maxNameLength: 1_024,
  /** Rows asked of the library at a time. */
  page: 5_000,
  /** Bytes of members that were opened and are kept for being opened again; the one unused for longest goes first. */
  maxOpenedBytes: 1024 * MIB,
} as const;

export const docx = {
  /** Elements inside each other in one part; Word itself stops far below. */
  maxDepth: 1_000,
  /** Paragraphs of one document; the largest real ones have some 100,000. */
  maxParagraphs: 1_000_000,
  /** Longest paragraph or table row that is kept whole, in UTF-16 units; the rest is left out with a warning. */
  maxBlockLength: 1_000_000,
  /** Bytes of a part that is read whole (styles, numbering, relations). */
  maxPartBytes: 32 * MIB,
  /** Bytes of a document whose view is made: the page holds its whole tree. */
  maxViewBytes: 256 * MIB,
  /** Rows that are looked at before a table's header is decided. */
  headerLookahead: 6,
  /** A paragraph in bold up to this length, without a full stop, reads as a heading. */
  maxHeadingLength: 120,
} as const;

export const sheet = {
  /** Cells of one workbook or delimited file; the rest is left out with a warning. */
  maxCells: 5_000_000,
  /** Columns that the format allows. */
  maxColumns: 16_384,
  /** Column widths that are kept for one sheet. */
  maxWidths: 2_000,
  /** Bytes of a workbook that stands in memory whole: xls, xlsb; it takes some ten times its size there. */
  maxWholeBytes: 64 * MIB,
  /** Bytes that such a workbook may unpack to. */
  maxUnpackedBytes: 512 * MIB,
  /** Bytes of a database that is read, which takes twice as many. */
  maxDatabaseBytes: 256 * MIB,
  /** Rows of a Parquet file that are unpacked together. */
  maxRowsAtOnce: 50_000,
  /** Sheets of one workbook, tables of one database. */
  maxSheets: 1_000,
  /** Longest cell text in UTF-16 units: Excel's own limit is 32,767. */
  maxCellLength: 32_767,
  /** UTF-8 bytes of all shared strings; kept outside the JavaScript heap. */
  maxSharedStringBytes: 384 * MIB,
  /** Merged ranges that are kept for one sheet. */
  maxMerges: 20_000,
  /** Rows of one sheet whose comments and shapes are read. */
  maxNoteRows: 20_000,
  /** Rows that are looked at before a table's header is decided. */
  headerLookahead: 12,
  /** Header rows of one table at most. */
  maxHeaderRows: 4,
  /** Blank rows that end one table of a sheet and begin another. */
  blankRowsBetweenTables: 1,
  /** Start of a delimited file that its delimiter is judged by, in UTF-16 units. */
  sampleLength: 256 * KIB,
  /** Longest record of a delimited file, in UTF-16 units: an unclosed quote must not swallow the file. */
  maxRecordLength: 1_000_000,
} as const;

export const pdf = {
  /** Pages read of one document; the parse's time limit ends longer ones first. */
  maxPages: 20_000,
  /** Characters kept of one page: a dense newspaper page has 30,000; more is a drawing or an attack. */
  maxCharactersPerPage: 200_000,
  /** Objects of one page that are looked at for lines and pictures: a dense page has some thousands, a map a million. */
  maxObjectsPerPage: 20_000,
  /** Lines of one page that may be edges of tables. */
  maxRulesPerPage: 6_000,
  /** Annotations of one page that are looked at; drawings made of thousands of notes hold no form. */
  maxAnnotationsPerPage: 2_000,
  /** Bookmarks of one document; the longest handbooks have some thousands. */
  maxBookmarks: 20_000,
  /** Attached files of one document that are named. */
  maxAttachments: 1_000,
  /** Pages on each side that a running header or footer is looked for on; four cover left and right pages. */
  marginWindow: 4,
  /** Bytes read from disk at once, and how many such blocks stay in memory: 16 MiB a document. */
  readBlockBytes: 256 * KIB,
  maxReadBlocks: 64,
  /** Fresh starts of PDFium after a page made it fail; then the rest of the document is given up. */
  maxRestarts: 5,
  /** Words remembered to judge hyphens at line ends: about 10 MB. */
  maxKnownWords: 100_000,
} as const;

export const image = {
  /** Bytes of one picture file: it stands in memory whole. */
  maxBytes: 256 * MIB,
  /** Pixels of one picture: A4 at 600 dpi has 35 million, and reading takes up to nine bytes for each. */
  maxPixels: 60_000_000,
  /** Pages of one TIFF. */
  maxPages: 2_000,
  /** Pixels of all pages that are shown: a hundred pages of A4 at 200 dpi. */
  maxViewPixels: 400_000_000,
} as const;

export const recognise = {
  /** Pages of a PDF are drawn so finely; at 200 dpi a tenth less time is needed and twice as many letters of a poor scan are mistaken. */
  dpi: 300,
  /** Larger pages are drawn less finely: A3 at 300 dpi has 17 million pixels. */
  maxPixels: 25_000_000,
  /** A word beyond doubt, by Tesseract's confidence of 0 to 100. */
  sureConfidence: 80,
  /** Share of a page's letters in such words. Poor scans have 0.89 and more, drawings with words 0.46; Greek, Arabic, upside down, photographs up to 0.33. */
  leastSureShare: 0.4,
  /** Fewer letters than these are specks, not a text that can't be read. */
  leastLetters: 12,
  /** From this share on nothing else is tried. */
  plainSureShare: 0.75,
  /** Share of a page's sides, around its middle, that tells which way is up: at first, and where that says nothing. */
  glanceShare: 0.3,
  lookShare: 0.55,
  /** Lines below this mean confidence keep only words above it. */
  leastConfidence: 60,
  /** Data of one language, unpacked: the largest has 30 MB. */
  maxLanguageBytes: 64 * MIB,
  /** A worker takes on no more pages after this time, so that a run can be stopped and its memory comes back. */
  sliceMs: 30_000,
  /** Recognition waits until nobody has asked anything for so long. */
  quietMs: 3_000,
} as const;

export const doc = {
  /** Bytes of an old Word document: its container stands in memory whole, pictures and all. */
  maxBytes: 256 * MIB,
  /** Characters of its text; Word's own documents stay under 32 million. */
  maxCharacters: 32_000_000,
} as const;

export const rtf = {
  /** Bytes of a file of rich text: it stands in memory whole, and pictures in it take twice their size. */
  maxBytes: 256 * MIB,
  /** Bytes that are read between two looks at the clock. */
  pieceBytes: 256 * KIB,
  /** Groups inside each other; Word stops at some hundred. Deeper ones are read with the format of the last. */
  maxDepth: 1_000,
  /** Columns of one row. */
  maxColumns: 64,
  /** Bytes that wait to be decoded together. */
  maxPendingBytes: 64 * KIB,
  /** Longest title or name that is kept, in UTF-16 units. */
  maxPropertyLength: 500,
} as const;

export const odf = {
  /** Longest paragraph that is kept whole, in UTF-16 units. */
  maxParagraphLength: 1_000_000,
  /** Blanks that one element may stand for. */
  maxSpaces: 100,
  /** Columns of a table in a text. */
  maxColumns: 1_000,
  /** Bytes of the list of an archive's parts. */
  maxManifestBytes: 8 * MIB,
  /** Longest title or name that is kept, in UTF-16 units. */
  maxPropertyLength: 500,
} as const;

export const book = {
  /** Bytes of all chapters that are read: the page of a book stands in memory as one tree. */
  maxBytes: 20 * MIB,
  maxChapterBytes: 16 * MIB,
  maxChapters: 5_000,
  /** Elements of the list of chapters and of the table of contents. */
  maxIndexElements: 200_000,
  /** Longest title that is kept, in UTF-16 units. */
  maxTitleLength: 500,
  /** Bytes of all pictures that a view shows. */
  maxPictureBytes: 24 * MIB,
} as const;

export const mime = {
  /** Bytes of a saved page with all that it brings along. */
  maxBytes: 128 * MIB,
  /** Bytes in which the headers of a part must end. */
  maxHeaderBytes: 64 * KIB,
  maxParts: 5_000,
  /** Containers inside each other. */
  maxDepth: 20,
  /** Bytes of a page that its encoding is judged by. */
  sampleBytes: 64 * KIB,
} as const;

export const xml = {
  /** Bytes of a document in XML: it stands in memory whole. */
  maxBytes: 128 * MIB,
  /** Bytes that its encoding is judged by. */
  sampleBytes: 64 * KIB,
  /** UTF-16 units that are read between two looks at the clock. */
  pieceLength: 64 * KIB,
  /** Faults that are read over; more is no XML. */
  maxErrors: 1_000,
  /** Elements inside each other. */
  maxDepth: 2_000,
  /** Names of characters that are remembered. */
  maxCharacterNames: 3_000,
  /** Columns and rows of one table. */
  maxColumns: 1_000,
  maxRows: 200_000,
  /** Longest paragraph that is kept whole, in UTF-16 units. */
  maxBlockLength: 1_000_000,
  /** Longest title or name that is kept, in UTF-16 units. */
  maxPropertyLength: 500,
} as const;

export const notebook = {
  /** Bytes of a notebook; its pictures stand in it as text. */
  maxBytes: 128 * MIB,
  maxCells: 20_000,
} as const;

export const transcript = {
  /** Cues of one transcript; a day of speech has some 30,000. */
  maxCues: 200_000,
  /** Longest paragraph of cues, in UTF-16 units: speech without full stops must end somewhere. */
  maxBlockLength: 1_200,
  /** A silence that ends a paragraph, in milliseconds. */
  pauseMs: 4_000,
} as const;

export const slides = {
  /** Slides of one presentation; the longest real ones have some hundreds. */
  maxSlides: 5_000,
  /** Shapes of one slide that are read: maps and drawings have some thousands. */
  maxShapes: 5_000,
  /** Elements inside each other in one part. */
  maxDepth: 200,
  /** Elements and UTF-16 units of text of one part. */
  maxElements: 400_000,
  maxPartLength: 16_000_000,
  /** Longest paragraph that is kept whole, in UTF-16 units. */
  maxParagraphLength: 200_000,
  /** Cells of one table, columns of it, and points of one chart's series. */
  maxCells: 20_000,
  maxColumns: 200,
  maxChartPoints: 2_000,
  maxChartSeries: 60,
  /** Comments of one slide. */
  maxComments: 1_000,
  /** Bytes of one picture, and of all pictures of a view together: the page holds them as text. */
  maxPictureBytes: 12 * MIB,
  maxPicturesBytes: 48 * MIB,
  /** Longest outline of a drawn shape, in UTF-16 units; longer ones are boxes. */
  maxPathLength: 20_000,
  /** Bytes of an old presentation: its container stands in memory whole. */
  maxOldBytes: 256 * MIB,
} as const;

export const mail = {
  /** Bytes of one mail with all that is attached: it stands in memory some three times. */
  maxBytes: 96 * MIB,
  /** Bytes of all headers of one mail. */
  maxHeaderBytes: 2 * MIB,
  /** Parts inside each other. */
  maxDepth: 100,
  maxParts: 10_000,
  /** Signed wholes inside each other. */
  maxSignatures: 4,
  maxAttachments: 1_000,
  /** A picture that stands in the page is a document of its own from this size on: smaller ones are marks and lines. */
  leastPictureBytes: 8 * KIB,
  /** Bytes of all pictures that a view shows. */
  maxPictureBytes: 12 * MIB,
  /** Beginning of a message in which its subject is looked for, and what is looked at to know its encoding. */
  subjectBytes: 16 * KIB,
  charsetBytes: 256 * KIB,
  /** Longest name of what is attached, in characters, and of its ending. */
  maxNameLength: 120,
  maxEndingLength: 12,
  /** Messages of a mailbox that its own text lists. */
  maxListed: 20_000,
  /** Bytes of a mailbox that are read at once, and its longest line that begins a message. */
  pieceBytes: 1 * MIB,
  markBytes: 1 * KIB,
} as const;
