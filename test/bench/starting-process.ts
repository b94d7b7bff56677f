/** What does each part of a start cost? Usage: starting-process.ts LIBRARY QUESTION; prints JSON of milliseconds. */
const started = performance.now();
let last = started;
const marks: Record<string, number> = { node: started };
function mark(name: string): void {
  const now = performance.now();
  marks[name] = now - last;
  last = now;
}

const [libraryPath, question] = process.argv.slice(2) as [string, string];
const { createEngine } = await import('../../src/engine/engine.ts');
mark('load');
const engine = await createEngine({ libraryPath, modelFolders: [], version: 'bench' });
mark('open');
await engine.search({ question });
mark('search');
await engine.close();
mark('close');
process.stdout.write(JSON.stringify(marks));
