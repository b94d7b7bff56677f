/** What does an element of a known XML vocabulary do to the text in it? Element names in lower case, without prefix. */

export type Role =
  | 'section'
  | 'heading'
  | 'title'
  | 'paragraph'
  | 'item'
  | 'code'
  | 'footnote'
  | 'table'
  | 'header-rows'
  | 'row'
  | 'cell'
  | 'header-cell'
  /** Its children stand apart, such as first and last name. */
  | 'spaced'
  | 'break'
  | 'inline'
  | 'skip'
  /** Text that says something of the document; it isn't read as a block. */
  | 'property-title'
  | 'property-author'
  | 'property-date'
  | 'property-language';

export type Vocabulary =
  | 'docbook'
  | 'jats'
  | 'tei'
  | 'dita'
  | 'fictionbook'
  | 'patent'
  | 'word'
  | 'sheet'
  | 'feed'
  | 'odf'
  | 'other';

const roles = (entries: Partial<Record<Role, string>>): [string, Role][] =>
  Object.entries(entries).flatMap(([role, names]) =>
    names.split(' ').map((name): [string, Role] => [name, role as Role]),
  );

const everywhere = roles({
  section: 'section sect1 sect2 sect3 sect4 sect5 sec chapter appendix part preface',
  heading: 'title bridgehead',
  paragraph: 'para simpara p caption subtitle',
  item: 'listitem list-item li',
  code: 'programlisting screen literallayout codeblock preformat pre',
  footnote: 'footnote fn',
  table: 'table informaltable simpletable tgroup',
  'header-rows': 'thead sthead',
  row: 'row tr strow',
  cell: 'entry td stentry',
  'header-cell': 'th',
  skip: 'script style math graphic inline-graphic tex-math object-id colspec binary',
});

const own: Record<Vocabulary, [string, Role][]> = {
  docbook: roles({
    section: 'article book set glossary bibliography refsect1 refsect2 refsect3 refentry',
    paragraph: 'term glossterm formalpara',
    spaced: 'author personname editor',
    skip: 'indexterm remark mediaobject inlinemediaobject',
  }),
  jats: roles({
    section: 'abstract ack app ref-list boxed-text',
    title: 'article-title',
    heading: 'title',
    paragraph: 'p caption disp-quote disp-formula journal-title copyright-statement license-p',
    item: 'ref list-item def-item',
    spaced:
      'article-categories kwd-group element-citation name contrib aff person-group date pub-date string-name',
    skip: 'journal-id article-id issn publisher elocation-id counts custom-meta-group permissions self-uri pub-id contrib-id fpage lpage volume issue email history',
    footnote: 'fn table-wrap-foot',
  }),
  tei: roles({
    section: 'div div1 div2 div3 div4',
    heading: 'head',
    title: 'doctitle',
    paragraph: 'p l ab sp opener closer',
    item: 'item',
    footnote: 'note',
    cell: 'cell',
    skip: 'encodingdesc revisiondesc profiledesc publicationstmt',
  }),
  dita: roles({
    section: 'topic concept task reference section example',
    paragraph: 'p shortdesc note cmd info stepresult dt dd',
    item: 'li',
    skip: 'prolog',
  }),
  fictionbook: roles({
    section: 'section',
    heading: 'title subtitle',
    paragraph: 'v text-author',
    inline: 'p',
    'property-title': 'book-title',
    'property-language': 'lang',
    skip: 'binary stylesheet document-info publish-info genre',
  }),
  patent: roles({
    heading: 'h heading',
    title: 'b540 invention-title',
    paragraph: 'para p',
    item: 'clm claim',
    spaced: 'b100 b200 b300 b400 b560 b570 b580 b590 b600 b700 pcit ncit',
    skip: 'us-bibliographic-data-grant',
  }),
  word: roles({
    paragraph: 'p',
    table: 'tbl',
    row: 'tr',
    cell: 'tc',
    footnote: 'footnote',
    break: 'br tab',
    skip: 'instrtext deltext bindata fonts styles lists docpr shapedefaults pict xmldata rpr ppr sectpr',
  }),
  // Read by the reader of workbooks.
  sheet: [],
  feed: roles({
    section: 'item entry',
    heading: 'title',
    paragraph: 'description summary content encoded',
    skip: 'guid id ttl generator',
  }),
  odf: [],
  other: [],
};

/** Word and Excel of 2003 write about themselves in one way. */
const properties = roles({
  'property-title': 'title',
  'property-author': 'author',
  'property-date': 'created',
});

/** The role of an element; undefined where the vocabulary has none for it. */
export function roleOf(vocabulary: Vocabulary, name: string, parents: readonly string[]): Role | undefined {
  const table = tables[vocabulary];
  if (parents.includes('documentproperties')) return new Map(properties).get(name) ?? 'skip';
  if (vocabulary === 'fictionbook') {
    if (name === 'p' && !parents.includes('title')) return 'paragraph';
    if (name === 'author') return parents.includes('title-info') ? 'property-author' : 'skip';
    if (name === 'date' && parents.includes('title-info')) return 'property-date';
  }
  return table.get(name);
}

const tables = Object.fromEntries(
  Object.entries(own).map(([vocabulary, entries]) => [
    vocabulary,
    new Map(vocabulary === 'word' ? entries : [...everywhere, ...entries]),
  ]),
) as Record<Vocabulary, Map<string, Role>>;

const byRoot: Record<string, Vocabulary> = {
  ...{ book: 'docbook', chapter: 'docbook', refentry: 'docbook', set: 'docbook', article: 'docbook' },
  ...{
    tei: 'tei',
    'tei.2': 'tei',
    teicorpus: 'tei',
    topic: 'dita',
    concept: 'dita',
    task: 'dita',
    dita: 'dita',
  },
  ...{
    fictionbook: 'fictionbook',
    patdoc: 'patent',
    'us-patent-grant': 'patent',
    'us-patent-application': 'patent',
  },
  ...{ rss: 'feed', feed: 'feed', worddocument: 'word', workbook: 'sheet' },
};

/** The vocabulary that a document's beginning shows, or undefined for one that isn't known. */
export function vocabularyOf(head: string): Vocabulary | undefined {
  const doctype = /<!DOCTYPE\s+([\w:.-]+)/i.exec(head)?.[1];
  const plain = head.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll(/<[?!][^>]*>?/g, '');
  const tag = /<([\w:.-]+)((?:[^>"']|"[^"]*"|'[^']*')*)/.exec(plain);
  const root = (doctype ?? tag?.[1] ?? '').toLowerCase();
  const attributes = tag?.[2] ?? '';
  const name = root.slice(root.indexOf(':') + 1);
  if (root === 'office:document') return 'odf';
  if (root === 'pkg:package') return 'word';
  if (name === 'article' || name === 'book' || name === 'chapter') {
    if (
      /JATS|NLM\/\/DTD|journalpublishing|archivearticle/i.test(head) ||
      /article-type|dtd-version/.test(attributes)
    )
      return 'jats';
    return /docbook/i.test(head) || /<(?:para|sect1|section|articleinfo|bookinfo|chapter|info)\b/.test(plain)
      ? 'docbook'
      : undefined;
  }
  if (
    (name === 'workbook' || name === 'worddocument') &&
    !/schemas-microsoft-com|microsoft\.com/.test(attributes)
  )
    return undefined;
  if (
    (name === 'topic' || name === 'task' || name === 'concept' || name === 'set' || name === 'feed') &&
    !/dita|docbook|atom/i.test(head)
  )
    return undefined;
  return byRoot[name];
}

/** Most of the beginning is words, not markup. */
export function isProse(head: string): boolean {
  const plain = head.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll(/<[?!][^>]*>?/g, '');
  const words = plain.replaceAll(/<[^>]*(?:>|$)/g, '').replaceAll(/\s+/g, ' ');
  return words.trim().length > 200 && words.length > plain.replaceAll(/\s+/g, ' ').length * 0.6;
}
