/** Does the source tree keep its layers, sizes and names? Each message says what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const maxFileLines = 400;
const maxFunctionLines = 70;
const forbiddenNames = ['utils', 'util', 'helpers', 'helper', 'common', 'lib', 'misc'];
const steps = ['files', 'parse', 'chunk', 'embed', 'store', 'retrieve', 'generate', 'models'];
const verbs = ['index-folder', 'search', 'answer', 'evaluate'];

/** Packages that only some places may import, by prefix of the importing path. */
const confined: Record<string, string[]> = {
  electron: ['src/main/', 'src/preload/'],
  'better-sqlite3': ['src/engine/store/'],
  'sqlite-vec': ['src/engine/store/'],
  usearch: ['src/engine/store/'],
  'onnxruntime-node': ['src/engine/embed/'],
  'node-llama-cpp': ['src/engine/generate/llama.ts', 'src/engine/models/gguf.ts'],
};

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

interface Import {
  from: string;
  /** Path in the tree for our own files, else the package's name. */
  to: string;
  isOwn: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)\s*import\s*'([^']+)'/g;
  return [...text.matchAll(pattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    const isOwn = target.startsWith('.');
    const to = isOwn
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), target))
      : packageName(target);
    return { from: file, to, isOwn };
  });
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

/** Why an import breaks the layers, or undefined. */
function fault({ from, to }: Import): string | undefined {
  const area = (file: string) => file.split('/')[1] ?? '';
  const [fromArea, toArea] = [area(from), area(to)];
  if (fromArea === 'api') return toArea === 'api' ? undefined : 'api imports nothing of ours';
  if (fromArea === 'renderer') {
    return toArea === 'api' || toArea === 'renderer'
      ? undefined
      : 'the page knows the engine by its contract in api only';
  }
  if (fromArea === 'preload') return toArea === 'api' ? undefined : 'preload imports api only';
  if (['main', 'server', 'cli'].includes(fromArea)) return shellFault(from, fromArea, to, toArea);
  if (fromArea === 'engine') return engineFault(from, to, toArea);
  return undefined;
}

function shellFault(from: string, fromArea: string, to: string, toArea: string): string | undefined {
  if (toArea === 'api' || toArea === fromArea) return undefined;
  // The command line starts the browser shell; types of opened documents come with the opener.
  if (from.startsWith('src/cli/') && toArea === 'server') return undefined;
  const doors = ['src/engine/engine.ts', 'src/engine/serve-document.ts', 'src/engine/open-document.ts'];
  return doors.includes(to)
    ? undefined
    : 'a shell reaches the engine through engine.ts and serve-document.ts only';
}

function engineFault(from: string, to: string, toArea: string): string | undefined {
  if (toArea === 'api') return undefined;
  if (toArea !== 'engine') return 'the engine never imports a shell or the page';
  const [fromStep, toStep] = [from.split('/')[2] ?? '', to.split('/')[2] ?? ''];
  if (fromStep === 'language') {
    // Limits are plain numbers, and every limit is named in one file.
    return ['language', 'config.ts'].includes(toStep)
      ? undefined
      : 'language is pure: it imports its own files, types of api and the limits in config';
  }
  if (steps.includes(fromStep)) {
    const shared = ['language', 'document.ts', 'config.ts', fromStep];
    return shared.includes(toStep)
      ? undefined
      : `a step takes what it needs of "${toStep}" as an argument of an interface from engine/document.ts`;
  }
  const fromVerb = verbs.indexOf(fromStep.replace(/\.ts$/, ''));
  const toVerb = verbs.indexOf(toStep.replace(/\.ts$/, ''));
  return fromVerb >= 0 && toVerb > fromVerb ? 'a verb uses only verbs before it' : undefined;
}

interface Node {
  type: string;
  start: number;
  end: number;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Every node of a syntax tree, in no particular order. */
function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value && 'end' in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** Functions longer than the limit, measured on the syntax tree from the first line to the last. */
function longFunctions(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  return [...nodesOf(tree)].flatMap(({ type, start, end }) => {
    const lines = functionTypes.has(type) ? lineOf(end) - lineOf(start) + 1 : 0;
    return lines > maxFunctionLines ? [`${file}:${lineOf(start)} has ${lines} lines`] : [];
  });
}

const source = sourceFiles('src');

describe('the source tree', () => {
  it('keeps its layers', () => {
    const faults = source
      .flatMap(importsOf)
      .filter((found) => found.isOwn)
      .flatMap((found) => {
        const why = fault(found);
        return why ? [`${found.from} imports ${found.to}: ${why}`] : [];
      });
    expect(faults).toEqual([]);
  });

  it('confines native packages to their folders', () => {
    const faults = source.flatMap(importsOf).flatMap(({ from, to, isOwn }) => {
      const places = isOwn ? undefined : confined[to];
      if (!places || places.some((place) => from.startsWith(place))) return [];
      return [`${from} imports ${to}: only ${places.join(', ')} may; take it as an argument`];
    });
    expect(faults).toEqual([]);
  });

  it('keeps api and language free of Node and of the DOM', () => {
    const faults = source
      .filter((file) => file.startsWith('src/api/') || file.startsWith('src/engine/language/'))
      .flatMap(importsOf)
      .filter(({ to, isOwn }) => !isOwn && (to.startsWith('node:') || to === 'electron'));
    expect(faults).toEqual([]);
  });

  it('reads no environment below a shell', () => {
    const faults = source.filter(
      (file) =>
        (file.startsWith('src/engine/') || file.startsWith('src/api/')) &&
        !file.endsWith('-process.ts') &&
        !file.endsWith('model-host.ts') &&
        readFileSync(path.join(root, file), 'utf8').includes('process.env'),
    );
    expect(faults).toEqual([]);
  });

  it(`has no file over ${maxFileLines} lines: cut it where its question ends`, () => {
    const faults = [...source, ...sourceFiles('build')].flatMap((file) => {
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
      return lines > maxFileLines ? [`${file} has ${lines} lines`] : [];
    });
    expect(faults).toEqual([]);
  });

  it(`has no function over ${maxFunctionLines} lines: give its parts names`, () => {
    expect(source.flatMap(longFunctions)).toEqual([]);
  });

  it('names files for what they do, in kebab-case', () => {
    const faults = source.filter((file) => {
      const parts = file.replace(/\.(d\.)?(ts|tsx|mts)$/, '').split('/');
      return parts.some((part) => forbiddenNames.includes(part) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part));
    });
    expect(faults).toEqual([]);
  });

  it('begins each file with the question that it answers', () => {
    const faults = source.filter((file) => {
      const text = readFileSync(path.join(root, file), 'utf8').replace(/^#!.*\n/, '');
      return !text.startsWith('/**') && !text.startsWith('/* ');
    });
    expect(faults).toEqual([]);
  });

  it('exports by name only', () => {
    const faults = source.filter((file) =>
      /^export default/m.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(faults).toEqual([]);
  });
});
