#!/usr/bin/env node
/** The command line's first step: what was compiled at an earlier start is used again. */
import { enableCompileCache } from 'node:module';

// Before anything else is imported: half of a short command's time is reading TypeScript. Threads inherit it.
enableCompileCache();
const { runCommand } = await import('./program.ts');
await runCommand();
