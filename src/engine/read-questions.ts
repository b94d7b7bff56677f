/** Which questions does a question file hold? */
import { createReadStream, type ReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AppError } from '../api/errors.ts';
import type { Question } from '../api/types.ts';

const evidence = z.object({
  document: z.string().min(1),
  page: z.number().int().positive().optional(),
  quote: z.string().optional(),
  sheet: z.string().optional(),
  range: z.string().optional(),
});

/** Unknown fields are left alone: other tools may keep their own beside ours. */
const question = z.object({
  id: z.union([z.string(), z.number()], { error: 'a text or a number is needed' }).transform(String),
  question: z.string(),
  language: z.string().optional(),
  answers: z.array(z.union([z.string(), z.number()]).transform(String)).optional(),
  evidence: z.array(evidence).optional(),
  unanswerable: z.boolean().optional(),
  scope: z.string().optional(),
  grade: z.enum(['gold', 'silver']).optional(),
  reference: z.string().optional(),
  answerType: z.enum(['span', 'multi-span', 'arithmetic', 'count']).optional(),
  answerFrom: z.enum(['table', 'text', 'table-text']).optional(),
  scale: z.string().optional(),
  group: z.string().optional(),
});

/**
 * Questions in order, one JSON object a line; empty lines are skipped. The whole file is read before the first one is given, so
 * that a broken line never ends a run midway. Errors: QUESTIONS_INVALID, with the first broken line and how many there are.
 */
export async function* readQuestions(file: string): AsyncGenerator<Question> {
  const found: Question[] = [];
  const broken: AppError[] = [];
  let number = 0;
  for await (const line of createInterface({
    input: await open(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') continue;
    const read = readQuestionLine(text, `${file}, line ${number}`);
    if (read instanceof AppError) broken.push(read);
    else found.push(read);
  }
  const [first] = broken;
  if (first) throw broken.length === 1 ? first : withCount(first, broken.length);
  yield* found;
}

async function open(file: string): Promise<ReadStream> {
  const input = createReadStream(file, 'utf8');
  const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    // A folder opens and fails at the first read.
    input.once('readable', () => resolve(undefined));
    input.once('end', () => resolve(undefined));
    input.once('error', resolve);
  });
  if (!failed) return input;
  throw new AppError(
    'QUESTIONS_INVALID',
    `Reading questions failed: ${file}: it can't be read (${failed.code}); check the path`,
    { cause: failed },
  );
}

function withCount(first: AppError, count: number): AppError {
  return new AppError('QUESTIONS_INVALID', `${first.message} (${count} lines of the file are broken)`);
}

function readQuestionLine(text: string, place: string): Question | AppError {
  const parsed = z
    .string()
    .transform((line, context) => {
      const value = parseJson(line);
      if (value === undefined) context.addIssue({ code: 'custom', message: 'it is no JSON object' });
      return value;
    })
    .pipe(question)
    .safeParse(text);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    return invalid(place, [where, issue?.message].filter(Boolean).join(': '));
  }
  // Absent fields are absent, not undefined, so that a report shows what the file says.
  return Object.fromEntries(
    Object.entries(parsed.data).filter(([, value]) => value !== undefined),
  ) as unknown as Question;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no way to ask first; the caller says which line it was.
    return undefined;
  }
}

function invalid(place: string, reason: string): AppError {
  return new AppError('QUESTIONS_INVALID', `Reading questions failed: ${place}: ${reason}; mend that line`);
}
