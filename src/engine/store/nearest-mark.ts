/** What was the nearest-neighbour file of a fingerprint built from? */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Raise when files built before can't be used: other settings, or another format of the package. */
export const NEAREST_FORMAT = 3;

/** What a file was built from. It stands beside the file and is replaced last, in one step. */
const mark = z.object({
  format: z.literal(NEAREST_FORMAT),
  /** Of the library, see meta. */
  identity: z.number(),
  fingerprint: z.string(),
  /** All vectors, to be compared one after the other, or a graph of neighbours. */
  form: z.enum(['packed', 'graph']),
  dimensions: z.number().int().positive(),
  /** Vectors in it. */
  count: z.number().int().nonnegative(),
  /** Last of vector_additions that is in it. */
  upTo: z.number().int().nonnegative(),
  /** Name of the file, in the library's folder. */
  file: z.string().regex(/^[^/\\]+$/),
  sha256: z.string(),
});

export type NearestMark = z.output<typeof mark>;

export const markPath = (libraryPath: string, fingerprintId: number): string =>
  `${libraryPath}.nearest-${fingerprintId}.json`;

/** Undefined where there is none that this library could have made. */
export function readMark(
  libraryPath: string,
  fingerprintId: number,
  expected: { identity: number; fingerprint: string; dimensions: number },
): NearestMark | undefined {
  const file = markPath(libraryPath, fingerprintId);
  if (!existsSync(file)) return undefined;
  const read = z
    .string()
    .transform((text) => parseJson(text))
    .pipe(mark)
    .safeParse(readFileSync(file, 'utf8'));
  if (!read.success) return undefined;
  const { identity, fingerprint, dimensions } = read.data;
  const isOurs =
    identity === expected.identity &&
    fingerprint === expected.fingerprint &&
    dimensions === expected.dimensions;
  return isOurs ? read.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no way to ask first; what is no mark is no file.
    return undefined;
  }
}

export const filePath = (libraryPath: string, { file }: Pick<NearestMark, 'file'>): string =>
  path.join(path.dirname(libraryPath), file);

/** Fingerprints, by number, that have a mark. */
export function markedFingerprints(libraryPath: string): number[] {
  const start = `${path.basename(libraryPath)}.nearest-`;
  return readdirSync(path.dirname(libraryPath))
    .filter((name) => name.startsWith(start) && name.endsWith('.json'))
    .map((name) => Number(name.slice(start.length, -'.json'.length)))
    .filter(Number.isInteger);
}
