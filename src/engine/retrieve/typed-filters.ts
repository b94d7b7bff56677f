/** Which filters did somebody type into the question? */
import type { DocumentKind, Scope } from '../../api/types.ts';

export interface TypedFilters {
  kinds?: DocumentKind[];
  /** Part of a path, from "in:". */
  path?: string;
  /** ISO days. */
  after?: string;
  before?: string;
  /** Part of a title, from "title:". */
  title?: string;
}

/** What people call a kind, and the kinds it means. */
const kindNames: Record<string, DocumentKind[]> = {
  pdf: ['pdf'],
  docx: ['docx'],
  doc: ['docx', 'doc'],
  word: ['docx', 'doc', 'odt', 'rtf'],
  odt: ['odt'],
  rtf: ['rtf'],
  xlsx: ['xlsx'],
  xlsb: ['xlsb'],
  xls: ['xlsx', 'xlsb', 'xls'],
  excel: ['xlsx', 'xlsb', 'xls'],
  ods: ['ods'],
  sheet: ['xlsx', 'xlsb', 'xls', 'ods', 'csv'],
  table: ['xlsx', 'xlsb', 'xls', 'ods', 'csv', 'database'],
  csv: ['csv'],
  tsv: ['csv'],
  database: ['database'],
  sqlite: ['database'],
  parquet: ['database'],
  pptx: ['pptx'],
  ppt: ['pptx', 'ppt'],
  powerpoint: ['pptx', 'ppt'],
  odp: ['odp'],
  slides: ['pptx', 'ppt', 'odp'],
  presentation: ['pptx', 'ppt', 'odp'],
  mail: ['mail', 'mailbox'],
  email: ['mail', 'mailbox'],
  eml: ['mail'],
  msg: ['mail'],
  mbox: ['mailbox'],
  archive: ['archive'],
  zip: ['archive'],
  html: ['html', 'mhtml'],
  htm: ['html', 'mhtml'],
  mhtml: ['mhtml'],
  epub: ['epub'],
  book: ['epub'],
  xml: ['xml'],
  ipynb: ['notebook'],
  notebook: ['notebook'],
  md: ['markdown'],
  markdown: ['markdown'],
  note: ['note', 'markdown'],
  org: ['note'],
  rst: ['note'],
  tex: ['note'],
  txt: ['text'],
  text: ['text'],
  srt: ['transcript'],
  vtt: ['transcript'],
  transcript: ['transcript'],
  code: ['code'],
  image: ['image'],
  picture: ['image'],
  scan: ['image'],
};

const filterPattern =
  /(?<!\S)(?<name>type|in|after|before|title):(?:"(?<quoted>[^"]{1,300})"|«(?<angled>[^»]{1,300})»|(?<plain>[^\s"«]{1,300}))/giu;

/** Takes filters that can be understood out of the question; anything else stays as words. */
export function readFilters(question: string): { text: string; filters: TypedFilters } {
  const filters: TypedFilters = {};
  const text = question.replace(filterPattern, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const value = (groups.quoted ?? groups.angled ?? groups.plain ?? '').trim();
    return take(filters, groups.name!.toLowerCase(), value) ? ' ' : whole;
  });
  return { text: text === question ? question : text.replace(/\s+/g, ' ').trim(), filters };
}

function take(filters: TypedFilters, name: string, value: string): boolean {
  switch (name) {
    case 'type': {
      const kinds = value
        .toLowerCase()
        .split(',')
        .map((part) => kindNames[part.replace(/^\./, '')]);
      if (kinds.some((kind) => kind === undefined)) return false;
      filters.kinds = [...new Set([...(filters.kinds ?? []), ...kinds.flatMap((kind) => kind ?? [])])];
      return true;
    }
    case 'in':
      filters.path = value.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '');
      return filters.path !== '';
    case 'title':
      filters.title = value;
      return value !== '';
    case 'after': {
      const day = readDay(value);
      if (day) filters.after = day;
      return day !== undefined;
    }
    default: {
      // A scope's last day is part of it; "before:2024" ends with the day before 2024 begins.
      const day = readDay(value);
      if (day) filters.before = dayBefore(day);
      return day !== undefined;
    }
  }
}

/** "2024", "2024-03" or "2024-03-12" as the first day that it names. */
function readDay(value: string): string | undefined {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value);
  if (!match) return undefined;
  const month = Number(match[2] ?? 1);
  const day = Number(match[3] ?? 1);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${match[1]}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** The scope that was chosen, narrowed by what was typed. A typed path counts inside a chosen one. */
export function narrowScope(scope: Scope | undefined, filters: TypedFilters): Scope | undefined {
  const narrowed: Scope = { ...scope };
  if (filters.kinds) {
    const kinds = scope?.kinds?.filter((kind) => filters.kinds!.includes(kind)) ?? filters.kinds;
    narrowed.kinds = kinds;
  }
  if (filters.path !== undefined) narrowed.pathPart = filters.path;
  if (filters.after !== undefined) narrowed.after = latest(scope?.after, filters.after);
  if (filters.before !== undefined) narrowed.before = earliest(scope?.before, filters.before);
  return Object.keys(narrowed).length === 0 ? undefined : narrowed;
}

function latest(a: string | undefined, b: string): string {
  return a !== undefined && a > b ? a : b;
}

function earliest(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}
