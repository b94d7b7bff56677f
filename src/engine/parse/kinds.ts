/** How is a file read, by its name and its first bytes? */
import type { DocumentKind } from '../../api/types.ts';

/** Reading by extension, for content that has no marks of its own. */
const kindByExtension: Record<string, DocumentKind> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  txt: 'text',
  text: 'text',
  log: 'text',
  org: 'note',
  rst: 'note',
  rest: 'note',
  adoc: 'note',
  asciidoc: 'note',
  asc: 'note',
  tex: 'note',
  latex: 'note',
  srt: 'transcript',
  vtt: 'transcript',
  ipynb: 'notebook',
  nxml: 'xml',
  dbk: 'xml',
  docbook: 'xml',
  dita: 'xml',
  fb2: 'xml',
  fodt: 'xml',
  tei: 'xml',
};

/** How a language marks what belongs together. */
export type CodeShape = 'braces' | 'indent' | 'end' | 'none';

const languages: { shape: CodeShape; extensions: string[] }[] = [
  {
    shape: 'braces',
    extensions: [
      ...[
        'ts',
        'tsx',
        'mts',
        'cts',
        'js',
        'jsx',
        'mjs',
        'cjs',
        'java',
        'kt',
        'kts',
        'scala',
        'groovy',
        'gradle',
      ],
      ...['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'm', 'mm', 'cs', 'go', 'rs', 'swift', 'php', 'dart'],
      ...['css', 'scss', 'less', 'pl', 'pm', 'r', 'sol', 'proto', 'tf', 'zig'],
    ],
  },
  {
    shape: 'indent',
    extensions: ['py', 'pyi', 'pyw', 'nim', 'hs', 'fs', 'fsx', 'ml', 'clj', 'el', 'lisp', 'ex', 'exs'],
  },
  { shape: 'end', extensions: ['rb', 'lua', 'jl', 'vb', 'bas', 'pas', 'f90', 'f95'] },
  {
    shape: 'none',
    extensions: [
      ...[
        'sh',
        'bash',
        'zsh',
        'fish',
        'ps1',
        'bat',
        'cmd',
        'sql',
        'json',
        'jsonl',
        'json5',
        'yaml',
        'yml',
        'toml',
        'ini',
      ],
      ...[
        'cfg',
        'conf',
        'properties',
        'xml',
        'xsd',
        'xsl',
        'svg',
        'sty',
        'bib',
        'cls',
        'vue',
        'svelte',
        'asm',
        's',
      ],
      ...['cmake', 'mk', 'diff', 'patch', 'graphql', 'awk'],
    ],
  },
];

/** Lower-case extension without its dot; empty where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** How code in a file of this name is cut, or undefined where the name says nothing of code. */
export function codeShapeOf(name: string): CodeShape | undefined {
  if (/^(makefile|dockerfile|jenkinsfile|rakefile|gemfile)$/i.test(name)) return 'none';
  const extension = extensionOf(name);
  return languages.find((language) => language.extensions.includes(extension))?.shape;
}

/** The kind that a name promises, for content that is text. */
export function textKindOf(name: string): DocumentKind | undefined {
  return kindByExtension[extensionOf(name)] ?? (codeShapeOf(name) ? 'code' : undefined);
}
