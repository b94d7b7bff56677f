/** Which lines are the head of a letter, and what does a question want of them? */
import { generate as limits } from '../config.ts';
import type { EvidenceUnit } from './evidence-units.ts';
import { holdsTerm, type QuestionFocus, stemmed } from './question-focus.ts';

/** other: a labelled line that no question is known to ask for, such as "Cc". */
export type HeadRole = 'from' | 'to' | 'date' | 'subject' | 'other';

/** A short label, a colon and a value: "From: Anna", «Тема: отпуск». */
const labelled = /^(?<label>\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}):\s+(?<value>\S.*)/u;

const labels: [HeadRole, RegExp][] = [
  ['from', /^(?:from|sender|author|от|от кого|отправитель|автор|von|absender|od|nadawca|de|remitente)$/iu],
  ['to', /^(?:to|recipient|кому|получатель|адресат|an|empfänger|do|odbiorca|para|destinatario)$/iu],
  ['date', /^(?:date|sent|дата|отправлено|datum|gesendet|data|wysłano|fecha|enviado)$/iu],
  ['subject', /^(?:subject|re|тема|betreff|temat|dotyczy|asunto)$/iu],
];

/** Words of a question that ask for a line of the head. */
const asking: Record<Exclude<HeadRole, 'other'>, RegExp> = {
  from: /(?<!\p{L})(?:wr(?:ote|ite[sr]?|itten)|sen[dt]s?|sender|author|e-?mail(?:ed)?|(?:на)?писа\p{L}+|пишет|присла\p{L}+|отправ\p{L}+|сообщ\p{L}+|автор\p{L}*|schr[ei]+b\p{L}*|geschickt|gesendet|Absender|napisa\p{L}+|pisze|wysła\p{L}+|nadawc\p{L}+|escrib\p{L}+|envi[óo]\p{L}*|remitente)(?!\p{L})/iu,
  to: /(?<!\p{L})(?:to whom|addressed|addressee|recipients?|received|кому|адрес\p{L}+|получател\p{L}+|an wen|Empfänger\p{L}*|komu|odbiorc\p{L}+|a quién|destinatari\p{L}+)(?!\p{L})/iu,
  date: /(?<!\p{L})(?:wr(?:ote|itten)|sent|dated|letter|e-?mail|message|(?:на)?писа\p{L}+|отправ\p{L}+|присла\p{L}+|датиров\p{L}+|письм\p{L}+|geschrieben|geschickt|datiert|Brief\p{L}*|napisa\p{L}+|wysła\p{L}+|escrit\p{L}+|envia\p{L}+|carta)(?!\p{L})/iu,
  subject: /(?<!\p{L})(?:subject|тем[аеуы]|Betreff|temat|asunto)(?!\p{L})/iu,
};

/** The role of each unit; undefined outside a head. A head is a block of labelled lines at the top, two at least. */
export function headRoles(units: EvidenceUnit[]): (HeadRole | undefined)[] {
  const isLine = units.map(
    ({ kind, start, text }) => kind === 'sentence' && start < limits.headerLength && labelled.test(text),
  );
  return units.map(({ text }, index) => {
    const isBeside = isLine[index - 1] === true || isLine[index + 1] === true;
    const holdsMore = (text.match(/(?<=\s)\p{Lu}\p{L}*:\s/gu)?.length ?? 0) > 0;
    if (!isLine[index] || !(isBeside || holdsMore)) return undefined;
    const label = labelled.exec(text)!.groups!.label!;
    return labels.find(([, pattern]) => pattern.test(label))?.[0] ?? 'other';
  });
}

/** True where the question asks for this line: its writer, reader, day or subject, or its very label. */
export function asksForHead(focus: QuestionFocus, role: HeadRole, unit: EvidenceUnit): boolean {
  const label = stemmed(labelled.exec(unit.text)?.groups?.label ?? '', unit.language);
  const isNamed = focus.terms.some((term) => holdsTerm(label, term));
  if (isNamed) return true;
  if (role === 'other' || !asking[role].test(focus.text)) return false;
  if (role === 'from') return focus.asked === 'person' && !asking.to.test(focus.text);
  if (role === 'to') return focus.asked === 'person';
  if (role === 'date') return focus.asked === 'date' || focus.asked === 'time' || focus.asked === 'year';
  return true;
}

/** Words of the question that the line answers by its role: "wrote" is held by "From". */
export function isHeldByRole(word: string, role: HeadRole): boolean {
  return role !== 'other' && asking[role].test(word);
}

/** What the line says behind its label, without the address in brackets. */
export function headValue(unit: EvidenceUnit): string {
  const value = labelled.exec(unit.text)?.groups?.value ?? '';
  return value.replace(/\s*<[^>]*>\s*$/u, '').trim();
}
