/** Where does the text of a group of rich text go? */

export type Target =
  | 'text'
  | 'label'
  | 'skip'
  | 'fonts'
  | 'styles'
  | 'title'
  | 'author'
  | 'created'
  | 'saved'
  | 'footnote'
  | 'margin'
  | 'box';

const skipped =
  'colortbl filetbl revtbl listtable listoverridetable rsidtbl themedata colorschememapping datastore latentstyles generator pict nonshppict objdata objalias objsect fldinst formfield datafield xe tc rxe txe bkmkstart bkmkend sn sv sp shprslt private doccomm comment keywords subject category manager company hlinkbase operator atnid atnref atnauthor atndate atntime atnicn atnparent atrfstart atrfend footnotesep ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pntxta pntxtb pn pnseclvl nonesttables nesttableprops htmltag background fontemb fontfile panose falt mmathPr wgrffmtfilter xmlnstbl protusertbl passwordhash';

/** Destinations by their control word. Those that stand behind "\*" and aren't here are left out. */
export const destinations: ReadonlyMap<string, Target> = new Map<string, Target>([
  ...skipped.split(' ').map((name) => [name, 'skip'] as const),
  ...(['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf'] as const).map(
    (name) => [name, 'margin'] as const,
  ),
  ...(['listtext', 'pntext'] as const).map((name) => [name, 'label'] as const),
  ...(['footnote', 'annotation'] as const).map((name) => [name, 'footnote'] as const),
  ['shptxt', 'box'],
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['info', 'skip'],
  ['title', 'title'],
  ['author', 'author'],
  ['creatim', 'created'],
  ['revtim', 'saved'],
]);

/** Destinations behind "\*" whose text is read, and that say no more. */
export const entered: ReadonlySet<string> = new Set([
  'shpinst',
  'ud',
  'shppict',
  'result',
  'shptxt',
  'footnote',
  'annotation',
]);

/** Characters that have a control word. */
export const characters: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  softline: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
};

/** Characters that have a control symbol. */
export const symbols: Readonly<Record<string, string>> = { '~': ' ', _: '-', '\t': '\t' };
