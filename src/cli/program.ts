/** Which commands are there, and which words do they take? */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { AppError } from '../api/errors.ts';
import { ledgerFilters } from '../api/ledger.ts';
import { ask, search } from './command-ask.ts';
import { doctor } from './command-doctor.ts';
import { documents } from './command-documents.ts';
import { evaluateQuestions } from './command-eval.ts';
import { context, extract, forgetFolder, indexFolders } from './command-library.ts';
import { models } from './command-models.ts';
import { serve } from './command-serve.ts';
import { productVersion } from './place.ts';
import { UsageError } from './usage-error.ts';

/** 1: a clear error. 2: the words of the command are wrong. */
const exitFailed = 1;
const exitUsage = 2;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number is needed.');
  return value;
}

const library = ['--library <dir>', 'folder of the library (default: in your data folder)'] as const;
const json = ['--json', 'print one JSON value and nothing else'] as const;
const scope = ['--scope <path>', 'only this folder or document, relative to its folder'] as const;
const folder = ['--folder <dir>', 'only this indexed folder'] as const;
const questions = [
  '--questions <file>',
  'ask every line of a question file; prints a JSON line for each',
] as const;

function createProgram(): Command {
  const program = new Command('lectern')
    .description('Ask questions of your own folders of documents; every sentence names its place.')
    .version(productVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'lectern: ')) });
  addLibraryCommands(program);
  addQuestionCommands(program);
  addCareCommands(program);
  return program;
}

function addLibraryCommands(program: Command): void {
  program
    .command('index')
    .description('read folders, or what changed in them')
    .argument('<folder...>')
    .option(...library)
    .option(...json)
    .option('--recognise', 'also recognise the words of pictures and scans, some seconds a page')
    .action(indexFolders);
  program
    .command('forget')
    .description('forget a folder and everything read from it; its files stay')
    .argument('<folder>')
    .option(...library)
    .action(forgetFolder);
  program
    .command('documents')
    .description('the ledger: every document, its state, and why it could not be read')
    .option(...library)
    .option('--state <state>', `one of ${ledgerFilters.join(', ')}`)
    .option('--csv <file>', 'write it as a table for a spreadsheet; - is the standard output')
    .option(...scope)
    .option(...json)
    .action(documents);
  program
    .command('extract')
    .description('text, blocks and places of one file, without a library')
    .argument('<file>')
    .option(...json)
    .action(extract);
}

function addQuestionCommands(program: Command): void {
  program
    .command('search')
    .description('find passages')
    .argument('[question]')
    .option(...questions)
    .option(...library)
    .option(...scope)
    .option(...folder)
    .option('--limit <n>', 'passages to show, 1 to 100', wholeNumber, 10)
    .option('--explain', 'say for each passage why it stands where it does')
    .option(...json)
    .action(search);
  program
    .command('ask')
    .description('answer with numbered sources')
    .argument('[question]')
    .option(...questions)
    .option(...library)
    .option(...scope)
    .option(...folder)
    .option('--no-model', 'answer with sentences of the documents even where a language model is installed')
    .option(...json)
    .action(ask);
  program
    .command('context')
    .description('ready blocks of text for another program')
    .argument('<question>')
    .option(...library)
    .option(...scope)
    .option(...json)
    .action(context);
  program
    .command('eval')
    .description('measure search, and answers, with a question file')
    .argument('<questions.jsonl>')
    .option(...library)
    .option('--answers', 'measure answers as well')
    .option('--oracle', 'answer from the right passage instead of searching')
    .option('--no-model', 'answer without a language model')
    .option('--compare <run>', 'compare with an earlier run, question by question')
    .option('--report <file>', 'keep questions, answers and sources as JSON')
    .option(...json)
    .action(evaluateQuestions);
}

function addCareCommands(program: Command): void {
  program
    .command('models')
    .description('see, get, bring, take along, choose, measure and remove models')
    .argument(
      '[action]',
      'list, available, get, import, export, check, choose, remove, speed or devices',
      'list',
    )
    .argument('[words...]', 'get ID · import FILE · export ID FILE · choose ID · remove ID · speed ID')
    .option(...library)
    .option('--yes', 'agree to the connection that "get" makes')
    .option('--reset', 'with "devices": forget which of them failed, so that each is tried again')
    .option(...json)
    .action(models);
  program
    .command('doctor')
    .description('check devices, models, paths and the library')
    .option(...library)
    .option(...json)
    .action(doctor);
  program
    .command('serve')
    .description('open the page in a browser on this machine')
    .option(...library)
    .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber, 0)
    .option('--folder <dir>', 'add this folder first')
    .option('--open', 'open a browser window')
    .action(serve);
}

function describeFailure(error: unknown): { exitCode: number; line: string } {
  if (error instanceof UsageError) return { exitCode: exitUsage, line: error.message };
  if (error instanceof AppError) return { exitCode: exitFailed, line: error.message };
  // Cancelling is no error, but a program that waits for the result must not take it for done.
  if (error instanceof Error && error.name === 'AbortError')
    return { exitCode: exitFailed, line: 'interrupted' };
  if (process.env.LECTERN_DEBUG) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return {
    exitCode: exitFailed,
    line: `The command failed: ${reason}: run it again with LECTERN_DEBUG=1 to see where.`,
  };
}

/** Runs the command of this process's arguments and sets its exit status. */
export async function runCommand(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitUsage;
    } else {
      const { exitCode, line } = describeFailure(error);
      process.stderr.write(`lectern: ${line.replaceAll(/\s+/g, ' ')}\n`);
      process.exitCode = exitCode;
    }
  }
}
