/** How much memory will an installed model take on this machine? */
import path from 'node:path';
import { readGgufHeader } from './gguf-header.ts';
import type { Manifest } from './manifest.ts';
import { encoderBytes, ggufMemory, type WriterMemory } from './memory.ts';

/** writer: depends on the length of the context, whose most the manifest allows. */
export type InstalledMemory =
  | { kind: 'writer'; memory: WriterMemory; wantedTokens: number }
  | { kind: 'encoder'; bytes: number };

const isWeights = (file: string): boolean =>
  !/\.(json|txt|md|model)$/i.test(file) && !/licen[cs]e/i.test(file);

/**
 * @param folder that the manifest's files are relative to
 * @throws AppError MODEL_INVALID when a GGUF header is broken
 */
export async function installedMemory(folder: string, manifest: Manifest): Promise<InstalledMemory> {
  const bytes = manifest.files
    .filter((file) => isWeights(file.path))
    .reduce((sum, file) => sum + file.sizeBytes, 0);
  if (manifest.kind === 'generator') {
    const header = await readGgufHeader(path.join(folder, manifest.model));
    const wantedTokens = Math.min(manifest.contextTokens, header.contextTokens ?? manifest.contextTokens);
    return { kind: 'writer', memory: ggufMemory(header, bytes), wantedTokens };
  }
  // The built-in embedder runs in a thread of the engine and has no layers.
  if (manifest.kind === 'embedder' && manifest.encoder === 'features') return { kind: 'encoder', bytes };
  const width = manifest.kind === 'embedder' ? manifest.dimensions : undefined;
  return { kind: 'encoder', bytes: encoderBytes(bytes, width) };
}
