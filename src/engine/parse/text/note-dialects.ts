/** What is one line of a note, by the rules of its markup (Org, reStructuredText, AsciiDoc, LaTeX)? */

export type LineRole =
  | { role: 'text' | 'blank' | 'item' | 'rule' }
  /** Settings and comments: kept, but no passage. */
  | { role: 'margin'; property?: 'title' | 'author' | 'date'; value?: string }
  | { role: 'title'; text: string }
  | { role: 'heading'; level: number; text: string }
  /** The line before is a heading, and this one is drawn under it. */
  | { role: 'underline'; mark: string }
  | { role: 'fence'; isEnd: (text: string) => boolean }
  | { role: 'row'; cells: string[] };

export type NoteDialect = (text: string, before: string | undefined) => LineRole;

const plain = (text: string): LineRole => ({ role: text.trim() === '' ? 'blank' : 'text' });
const cellsOf = (text: string): string[] => text.split('|').map((cell) => cell.trim());

const org: NoteDialect = (text) => {
  const heading = /^(\*{1,9})\s+(.*)$/.exec(text);
  if (heading)
    return { role: 'heading', level: heading[1]!.length, text: heading[2]!.replace(/\s+:[\w@:]+:\s*$/, '') };
  const setting = /^\s*#\+(\w+):\s*(.*)$/.exec(text);
  if (setting) {
    const name = setting[1]!.toLowerCase();
    if (name === 'title') return { role: 'title', text: setting[2]! };
    return name === 'author' || name === 'date'
      ? { role: 'margin', property: name, value: setting[2]! }
      : { role: 'margin' };
  }
  const begin = /^\s*#\+begin_(\w+)/i.exec(text)?.[1]?.toLowerCase();
  if (begin === 'src' || begin === 'example' || begin === 'export') {
    return { role: 'fence', isEnd: (line) => line.trim().toLowerCase().startsWith(`#+end_${begin}`) };
  }
  if (/^\s*(?:#(?:\s|$|\+)|:\w+:)/.test(text)) return { role: 'margin' };
  if (/^\s*\|[-+|]+\s*$/.test(text)) return { role: 'rule' };
  if (/^\s*\|/.test(text)) return { role: 'row', cells: cellsOf(text.trim().replace(/^\||\|$/g, '')) };
  return /^\s*(?:[-+]|\d+[.)])\s+\S/.test(text) ? { role: 'item' } : plain(text);
};

const UNDERLINE = /^([=\-`:.'"~^_*+#<>])\1{2,}\s*$/;

const rst: NoteDialect = (text, before) => {
  const mark = UNDERLINE.exec(text)?.[1];
  if (mark !== undefined) {
    if (before !== undefined && before.trim() !== '' && text.trim().length >= before.trim().length)
      return { role: 'underline', mark };
    return { role: 'margin' };
  }
  const property = /^:(author|date):\s*(.*)$/i.exec(text);
  if (property)
    return { role: 'margin', property: property[1]!.toLowerCase() as 'author' | 'date', value: property[2]! };
  const directive = /^(\s*)\.\.\s+(?:code|code-block|sourcecode|highlight|parsed-literal|math)::/.exec(text);
  if (directive) {
    const indent = directive[1]!.length;
    return {
      role: 'fence',
      isEnd: (line) => line.trim() !== '' && line.length - line.trimStart().length <= indent,
    };
  }
  if (/^\.\.(?:\s|$)/.test(text)) return { role: 'margin' };
  if (/^\s*\+[-=+]+\+\s*$/.test(text) || /^\s*=+(?:\s+=+)+\s*$/.test(text)) return { role: 'rule' };
  if (/^\s*\|.*\|\s*$/.test(text))
    return { role: 'row', cells: cellsOf(text.trim().replace(/^\||\|$/g, '')) };
  return /^\s*(?:[-*+•]|\d+[.)]|#\.|\([\da-z]\))\s+\S/.test(text) ? { role: 'item' } : plain(text);
};

const asciidoc: NoteDialect = (text) => {
  const heading = /^(={1,6})\s+(\S.*)$/.exec(text);
  if (heading) {
    const level = heading[1]!.length;
    return level === 1
      ? { role: 'title', text: heading[2]! }
      : { role: 'heading', level: level - 1, text: heading[2]! };
  }
  const property = /^:(author|revdate):\s*(.*)$/.exec(text);
  if (property)
    return { role: 'margin', property: property[1] === 'author' ? 'author' : 'date', value: property[2]! };
  const fence = /^(-{4,}|\.{4,}|`{3,}|\+{4,})/.exec(text)?.[1];
  if (fence !== undefined) return { role: 'fence', isEnd: (line) => line.trim() === fence };
  if (/^\|={3,}\s*$/.test(text)) return { role: 'rule' };
  if (/^(?:\/\/|:[\w-]+!?:|\[[^\]]*\]\s*$)/.test(text)) return { role: 'margin' };
  // Before its bar a cell may say how it is drawn.
  const isRow = /^(?:[\d.+*]*[<^>.]*[adehlmsv]?)?\|/.test(text);
  if (isRow)
    return {
      role: 'row',
      cells: text
        .split(/(?:^|\s)[\d.+*]*[<^>.]*[adehlmsv]?\|/)
        .slice(1)
        .map((cell) => cell.trim()),
    };
  return /^\s*(?:[-*]{1,5}|\.{1,5}|\d+\.)\s+\S/.test(text) ? { role: 'item' } : plain(text);
};

const levels: Record<string, number> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
};
const PROPERTY = /^\s*\\(title|author|date)\s*(?:\[[^\]]*\])?\{(.*?)\}?\s*%?$/;

/** Keeps where it is: the preamble and what follows the end are no text, and ampersands make cells only in tables. */
function latex(): NoteDialect {
  let isPreamble = false;
  let isOver = false;
  let tables = 0;
  return (text) => {
    const trimmed = text.trim();
    if (/^\\documentclass/.test(trimmed)) isPreamble = true;
    const property = PROPERTY.exec(text);
    if (property) {
      const [, name, value] = property;
      if (name === 'title') return { role: 'title', text: toWords(value!) };
      return { role: 'margin', property: name as 'author' | 'date', value: toWords(value!) };
    }
    if (/^\\begin\{document\}/.test(trimmed)) isPreamble = false;
    if (/^\\end\{document\}/.test(trimmed)) isOver = true;
    if (isPreamble || isOver || trimmed.startsWith('%')) return { role: trimmed === '' ? 'blank' : 'margin' };
    const heading =
      /^\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]*\])?\{(.*)$/.exec(
        trimmed,
      );
    if (heading) {
      const inside = heading[2]!.replace(/\}\s*(?:\\label\{[^}]*\}?)?\s*(?:%.*)?$/, '');
      return { role: 'heading', level: levels[heading[1]!]!, text: toWords(inside) };
    }
    const verbatim = /^\\begin\{(verbatim|lstlisting|minted|equation\*?|align\*?)\}/.exec(trimmed)?.[1];
    if (verbatim !== undefined)
      return { role: 'fence', isEnd: (line) => line.includes(`\\end{${verbatim}}`) };
    if (/^\\begin\{(?:tabular|tabularx|longtable)/.test(trimmed)) tables += 1;
    if (/^\\end\{(?:tabular|tabularx|longtable)/.test(trimmed)) tables = Math.max(0, tables - 1);
    if (tables > 0 && /^\\(?:hline|toprule|midrule|bottomrule|cline|cmidrule)/.test(trimmed))
      return { role: 'rule' };
    if (tables > 0 && /(?<!\\)&/.test(text)) {
      return {
        role: 'row',
        cells: text
          .replace(/\\\\.*$/, '')
          .split(/(?<!\\)&/)
          .map(toWords),
      };
    }
    if (
      /^\\(?:begin|end|label|centering|maketitle|usepackage|bibliography|bibliographystyle|newcommand|includegraphics|input)\b/.test(
        trimmed,
      )
    ) {
      return { role: 'margin' };
    }
    return /^\\item\b/.test(trimmed) ? { role: 'item' } : plain(text);
  };
}

/** Without the commands around words. */
function toWords(text: string): string {
  return text
    .replaceAll(/\\(?:label|cite\w*|ref|thanks)\{[^}]*\}/g, '')
    .replaceAll(/\\\\|~/g, ' ')
    .replaceAll(/\\[a-zA-Z]+\*?\s*/g, '')
    .replaceAll(/\\([&%$#_{}])/g, '$1')
    .replaceAll(/[{}]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The rules that a file's extension names. */
export function dialectOf(extension: string): NoteDialect {
  if (extension === 'org') return org;
  if (extension === 'rst' || extension === 'rest') return rst;
  if (extension === 'adoc' || extension === 'asciidoc' || extension === 'asc') return asciidoc;
  return latex();
}
