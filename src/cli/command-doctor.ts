/** `lectern doctor`: is everything that Lectern runs on in order? */
import { type LibraryOption, print, printJson, withEngine } from './with-engine.ts';

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
