/** Which HTML elements make blocks, which stay, and which have nothing to read? */

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements that begin a line of their own. Each gets an identifier, in document order. */
export const blockElements = set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul',
);

/** Dropped with all that they hold: nothing in them is read on the page. */
export const droppedElements = set(
  'applet area audio base basefont bgsound canvas datalist embed frame frameset iframe input keygen link map meta noembed noframes noscript object optgroup option param progress script select source style svg template textarea title track video',
);

/** Kept as they are; any other element becomes a span, or a div where it is a block in disguise. */
export const keptElements = set(
  'a abbr acronym address article aside b bdi bdo big blockquote body br button caption center cite code col colgroup dd del details dfn div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i img ins kbd label legend li main mark menu nav nobr ol p picture pre q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
);

/** Renamed: nothing else about them matters here. */
export const renamedElements: Readonly<Record<string, string>> = {
  dialog: 'div',
  dir: 'ul',
  form: 'div',
  listing: 'pre',
  marquee: 'div',
  plaintext: 'pre',
  xmp: 'pre',
};

/** Attributes that change the look only, or say where and in which language something stands. */
export const keptAttributes = set(
  'abbr align alt bgcolor border cellpadding cellspacing class color colspan dir face headers height id lang nowrap open reversed rowspan scope size span start style title type valign value width',
);

/** Page furniture: kept in the text, left out of passages. */
export const marginElements = set('nav footer');
