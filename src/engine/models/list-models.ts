/** Which models stand in the model folders, and which of them look usable? */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../api/errors.ts';
import type { ModelInfo } from '../../api/types.ts';
import { models } from '../config.ts';
import { checkSizes } from './check-model.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { recogniseFolder, recogniseGguf } from './recognise.ts';

/** A model on disk. `manifest` is absent exactly when the state is invalid. */
export interface InstalledModel {
  info: ModelInfo;
  /** Folder that its files are relative to. */
  folder: string;
  manifest?: Manifest;
  /** False for a bare file or folder: its manifest was made up here and has no hashes. */
  hasPromise: boolean;
}

function readManifestFile(file: string): Manifest {
  const { size } = statSync(file);
  if (size > models.maxManifestBytes) {
    throw new AppError(
      'MODEL_INVALID',
      `Model can’t be used: ${file}: its manifest has ${size} bytes: install the model again.`,
    );
  }
  return readManifest(JSON.parse(readFileSync(file, 'utf8')), file);
}

async function readOne(folder: string, entry: Dirent): Promise<InstalledModel | undefined> {
  const full = path.join(folder, entry.name);
  if (entry.isFile() && entry.name.toLowerCase().endsWith('.gguf')) {
    const manifest = await recogniseGguf(folder, entry.name);
    return manifest && describe(manifest, folder, full, false);
  }
  if (!entry.isDirectory()) return undefined;
  const file = path.join(full, 'manifest.json');
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const manifest = readManifestFile(file);
    return describe(manifest, full, full, true);
  }
  const manifest = await recogniseFolder(full);
  return manifest && describe(manifest, full, full, false);
}

function describe(
  manifest: Manifest,
  folder: string,
  shownPath: string,
  hasPromise: boolean,
): InstalledModel {
  const { id, kind, name, licence, source } = manifest;
  const sizeBytes = checkSizes(folder, manifest);
  return {
    info: {
      ...{ id, kind, name, path: shownPath, sizeBytes, state: 'ready', licence },
      ...(source === undefined ? {} : { source: sourceInWords(source) }),
      isBuiltIn: false,
      isInUse: false,
      isVerified: hasPromise && manifest.hashes === 'promised',
    },
    folder,
    manifest,
    hasPromise,
  };
}

function sourceInWords({ host, repository, revision }: NonNullable<Manifest['source']>): string {
  return `${host}/${repository}@${revision.slice(0, 7)}`;
}

/** One line for a person from whatever was thrown. */
export function invalidMessage(error: unknown, where: string): string {
  if (error instanceof AppError) return error.message;
  const line = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  const why = error instanceof SyntaxError ? `a file in it is no JSON (${line})` : line;
  return `Model can’t be used: ${where}: ${why}: install it again or remove it.`;
}

function invalidModel(folder: string, entry: Dirent, error: unknown): InstalledModel {
  const full = path.join(folder, entry.name);
  const info: ModelInfo = {
    id: entry.name,
    kind: entry.name.toLowerCase().endsWith('.gguf') ? 'generator' : 'embedder',
    name: entry.name,
    path: full,
    sizeBytes: 0,
    state: 'invalid',
    message: invalidMessage(error, full),
    ...{ isBuiltIn: false, isInUse: false, licence: 'unknown', isVerified: false },
  };
  return { info, folder: full, hasPromise: false };
}

function entriesOf(folder: string, only: string | undefined): Dirent[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (only === undefined ? !entry.name.startsWith('.') : entry.name === only))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, models.maxModels);
}

/**
 * Looks through model folders: manifests, bare .gguf files and folders in a known layout. Sizes are compared, hashes are
 * not. An absent folder holds no models; a broken model is listed as invalid with its reason. Of two models with one
 * identifier the first counts. Order: that of the folders, then `order` of the manifest, then name.
 * @param folders the first is the user's own; what stands in the others came with the program
 * @param only name of the one entry that is looked at; default: all
 */
export async function listModels(folders: string[], only?: string): Promise<InstalledModel[]> {
  const found: InstalledModel[] = [];
  /** By identifier, the path of the model that bears it. */
  const known = new Map<string, string>();
  for (const [index, folder] of folders.entries()) {
    const here: InstalledModel[] = [];
    for (const entry of entriesOf(folder, only)) {
      // One bad model must not hide the others, like one bad document in a run.
      try {
        const model = await readOne(folder, entry);
        if (model) here.push(model);
      } catch (error) {
        here.push(invalidModel(folder, entry, error));
      }
    }
    here.sort((a, b) => (a.manifest?.order ?? Infinity) - (b.manifest?.order ?? Infinity) || 0);
    for (const model of here) {
      model.info.isBuiltIn = index > 0;
      const first = known.get(model.info.id);
      if (first !== undefined && model.info.state !== 'ready') continue;
      const listed = first === undefined ? model : duplicate(model, first, known);
      found.push(listed);
      known.set(listed.info.id, listed.info.path);
    }
  }
  return found;
}

/** It gets an identifier of its own, so that it can be removed without touching the other. */
function duplicate(
  { info, folder, hasPromise }: InstalledModel,
  first: string,
  known: Map<string, string>,
): InstalledModel {
  let count = 2;
  while (known.has(`${info.id} (${count})`)) count += 1;
  const message =
    `Model is left out: ${info.path}: its identifier "${info.id}" is that of the model in ${first}, which is used: ` +
    'remove one of the two, or give this one another "id" in its manifest.json.';
  return { info: { ...info, id: `${info.id} (${count})`, state: 'invalid', message }, folder, hasPromise };
}
