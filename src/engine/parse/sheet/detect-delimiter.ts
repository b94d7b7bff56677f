/** By which sign are the fields of this text divided, and how are its numbers written? */

export type Delimiter = ',' | ';' | '\t' | '|';

export interface Dialect {
  delimiter: Delimiter;
  /** "1.234,56" rather than "1,234.56". */
  hasDecimalComma: boolean;
  /** The first line only names the delimiter ("sep=;", written for Excel). */
  hasDirective: boolean;
}

const DELIMITERS: Delimiter[] = [',', ';', '\t', '|'];
const MAX_RECORDS = 200;

/** Judges the start of a file. `isWhole`: the sample is the whole file, so its last line is whole too. */
export function detectDialect(sample: string, isWhole: boolean): Dialect {
  const directive = /^sep=([,;|\t])\r?\n/i.exec(sample);
  const body = directive ? sample.slice(directive[0].length) : sample;
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, ...scoreOf(body, delimiter, isWhole) }));
  scores.sort((a, b) => b.score - a.score || b.fields - a.fields);
  const delimiter =
    (directive?.[1] as Delimiter | undefined) ?? (scores[0]!.score > 0 ? scores[0]!.delimiter : ',');
  return { delimiter, hasDecimalComma: hasDecimalComma(body, delimiter), hasDirective: directive !== null };
}

/** Share of records that have the commonest number of fields, 0 where that is one. */
function scoreOf(text: string, delimiter: Delimiter, isWhole: boolean): { score: number; fields: number } {
  const counts = countFields(text, delimiter, isWhole);
  const byFields = new Map<number, number>();
  for (const count of counts) byFields.set(count, (byFields.get(count) ?? 0) + 1);
  let best = { score: 0, fields: 1 };
  for (const [fields, records] of byFields) {
    const score = fields === 1 ? 0 : records / counts.length;
    if (score > best.score || (score === best.score && fields > best.fields)) best = { score, fields };
  }
  return best;
}

/** Fields of each of the first records that is not blank; delimiters and line ends inside quotes don't count. */
function countFields(text: string, delimiter: Delimiter, isWhole: boolean): number[] {
  const counts: number[] = [];
  let fields = 1;
  let isQuoted = false;
  let isFieldStart = true;
  let isBlank = true;
  for (let at = 0; at < text.length && counts.length < MAX_RECORDS; at++) {
    const sign = text[at]!;
    if (isQuoted) {
      if (sign === '"' && text[at + 1] === '"') at += 1;
      else if (sign === '"') isQuoted = false;
    } else if (sign === '"' && isFieldStart) {
      isQuoted = true;
      isBlank = false;
    } else if (sign === delimiter) {
      fields += 1;
      isFieldStart = true;
      isBlank = false;
      continue;
    } else if (sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')) {
      if (!isBlank) counts.push(fields);
      fields = 1;
      isFieldStart = true;
      isBlank = true;
      continue;
    } else if (sign !== ' ' && sign !== '\r') isBlank = false;
    isFieldStart = false;
  }
  if (isWhole && !isBlank && !isQuoted && counts.length < MAX_RECORDS) counts.push(fields);
  return counts;
}

/** Commas before other than three digits speak for it, points before other than three digits against it. */
function hasDecimalComma(text: string, delimiter: Delimiter): boolean {
  // Where commas divide fields, a decimal comma can only stand inside quotes.
  const edge = delimiter === ',' ? '"' : '[\\t;|"\\r\\n]';
  const field = `(?:${delimiter === ',' ? '' : '^|'}${edge})\\s*[-−+]?[\\d\\u0020\\u00a0\\u202f.,]*`;
  const ending = `(?=\\s*(?:${delimiter === ',' ? '' : '$|'}${edge}))`;
  const count = (decimals: string): number =>
    text.match(new RegExp(`${field}${decimals}${ending}`, 'g'))?.length ?? 0;
  const commas = count('\\d,(?:\\d{1,2}|\\d{4,})');
  const points = count('\\d\\.(?:\\d{1,2}|\\d{4,})');
  if (commas !== points) return commas > points;
  return delimiter === ';';
}
