/** Is an answer the expected one? */
import type { Answer, Language, Question } from '../api/types.ts';
import { isClose, type NumberMention, readNumbers } from './language/numbers.ts';

/** A word, or a number by its value. */
type Token = { word: string } | { number: NumberMention };

/** What `scale` multiplies a number by. Percent is a unit of its own and stays. */
const scales: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** The bare answer where there is one, else the whole text without its citation marks. */
export function answeredText(answer: Pick<Answer, 'answer' | 'short'>): string {
  return answer.short === '' ? answer.answer : answer.short;
}

/** 1 when the text is one of the accepted answers, or for several parts all of them and no other; else 0. */
export function exactMatch(text: string, question: Question): number {
  const { answers = [] } = question;
  const language = languageOf(question);
  if (question.answerType === 'multi-span')
    return splitters.some((splitter) => isSameSet(splitParts(text, splitter), answers, question)) ? 1 : 0;
  const given = tokens(text, language);
  const isMatch = answers.some((accepted) => isSameTokens(given, tokens(accepted, language), question));
  return isMatch ? 1 : 0;
}

/** Token F1 with the accepted answer that fits best, 0 to 1; the parts of a multi-span answer count together. */
export function tokenF1(text: string, question: Question): number {
  const { answers = [] } = question;
  const language = languageOf(question);
  const wordings = question.answerType === 'multi-span' ? [answers.join(' ; ')] : answers;
  const given = tokens(text, language);
  return Math.max(0, ...wordings.map((wording) => f1(given, tokens(wording, language), question)));
}

function f1(given: Token[], expected: Token[], question: Question): number {
  if (given.length === 0 || expected.length === 0) return given.length === expected.length ? 1 : 0;
  const open = [...expected];
  let common = 0;
  for (const token of given) {
    const at = open.findIndex((other) => isSameToken(token, other, question));
    if (at < 0) continue;
    open.splice(at, 1);
    common += 1;
  }
  if (common === 0) return 0;
  const precision = common / given.length;
  const recall = common / expected.length;
  return (2 * precision * recall) / (precision + recall);
}

function isSameTokens(given: Token[], expected: Token[], question: Question): boolean {
  return (
    given.length === expected.length &&
    given.every((token, index) => isSameToken(token, expected[index]!, question))
  );
}

function isSameToken(given: Token, expected: Token, question: Question): boolean {
  if ('word' in given && 'word' in expected) return given.word === expected.word;
  if ('number' in given && 'number' in expected)
    return isExpectedNumber(given.number, expected.number, question);
  return false;
}

/**
 * Sign and decimals count. The accepted number is meant in the question's scale; the answer may say so in words, write
 * it out, or leave the scale to the table's heading, but may not name another.
 */
function isExpectedNumber(given: NumberMention, expected: NumberMention, question: Question): boolean {
  const scale = expected.scale === 1 ? (scales[question.scale ?? ''] ?? 1) : expected.scale;
  if (isClose(given.value * given.scale, expected.value * scale)) return true;
  return given.scale === 1 && isClose(given.value, expected.value);
}

/** Case folded, ё as е, citation marks and outer punctuation dropped, numbers by value. */
function tokens(text: string, language: Language): Token[] {
  const bare = text
    .replace(/[[【]\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*[\]】]/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .trim();
  const found: Token[] = [];
  let from = 0;
  for (const number of readNumbers(bare, language)) {
    found.push(...wordTokens(bare.slice(from, number.start)), { number: asAmount(number, bare) });
    from = number.end;
  }
  found.push(...wordTokens(bare.slice(from)));
  return found;
}

/** An answer that is nothing but a number in brackets is an accountant's loss. */
function asAmount(number: NumberMention, text: string): NumberMention {
  const isAlone = number.start === 0 && number.end >= text.length && text.startsWith('(');
  return isAlone && number.value > 0 ? { ...number, value: -number.value } : number;
}

function wordTokens(text: string): Token[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
    .map((word) => ({ word }));
}

/** Ways to write a list, the plainest first: a part may hold the comma or the "and" of another way. */
const splitters = [/\n|;/u, /\n|;|,(?=\s)/u, /\n|;|,(?=\s)|\s(?:and|и|und|oraz|y)\s/iu];

function splitParts(text: string, splitter: RegExp): string[] {
  return text
    .split(splitter)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

function isSameSet(given: string[], expected: string[], question: Question): boolean {
  const language = languageOf(question);
  const open = expected.map((part) => tokens(part, language));
  if (given.length !== expected.length) return false;
  return given.every((part) => {
    const at = open.findIndex((other) => isSameTokens(tokens(part, language), other, question));
    if (at >= 0) open.splice(at, 1);
    return at >= 0;
  });
}

function languageOf(question: Question): Language {
  const known: Language[] = ['ru', 'en', 'pl', 'de', 'es'];
  return known.find((language) => language === question.language) ?? 'und';
}

/** 1 when an unanswerable question was refused, or an answerable one was not. */
export function refusalAccuracy(answer: Pick<Answer, 'mode'>, question: Question): number {
  return (answer.mode === 'refused') === (question.unanswerable === true) ? 1 : 0;
}

/** Value below which the share of values lies; 0 for none. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Mean of each measure over the questions that have it. */
export function meanMeasures(all: Record<string, number>[]): Record<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const measures of all) {
    for (const [name, value] of Object.entries(measures)) {
      const entry = sums.get(name) ?? { sum: 0, count: 0 };
      sums.set(name, { sum: entry.sum + value, count: entry.count + 1 });
    }
  }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, sum / count]));
}
