/** `lectern models` and `lectern doctor`: is everything that Lectern runs on in order? */
import { UsageError } from './usage-error.ts';
import { type LibraryOption, print, printJson, withEngine } from './with-engine.ts';

export async function models(action: string, options: { json?: boolean } & LibraryOption): Promise<void> {
  if (action !== 'list' && action !== 'check') {
    throw new UsageError(`argument 'action' is invalid: ${action}: use "list" or "check"`);
  }
  await withEngine(options, async (engine) => {
    const found = action === 'check' ? await engine.models.check() : await engine.models.list();
    if (options.json) {
      printJson(found);
      return;
    }
    if (found.length === 0) print('No model is installed: questions are searched by words.');
    for (const model of found) {
      print(`${model.state.padEnd(8)} ${model.kind.padEnd(10)} ${model.id}  ${model.message ?? model.path}`);
    }
  });
}

export async function doctor(options: LibraryOption & { json?: boolean }): Promise<void> {
  await withEngine(options, async (engine) => {
    const report = await engine.doctor();
    if (options.json) printJson(report);
    else {
      for (const check of report.checks)
        print(`${check.isGood ? 'good' : 'BAD '}  ${check.name}: ${check.detail}`);
    }
    if (report.checks.some((check) => !check.isGood)) process.exitCode = 1;
  });
}
