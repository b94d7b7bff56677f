#!/usr/bin/env node
/** The command line's first step: what was compiled at an earlier start is used again. */
import { enableCompileCache } from 'node:module';

// Before anything else is imported: half of a short command's time is reading TypeScript. Threads inherit it.
enableCompileCache();
// A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
const { runCommand } = await import('./program.ts');
await runCommand();
