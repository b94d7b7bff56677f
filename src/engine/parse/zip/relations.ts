/** Which other parts does a part of an office file point to? */
import { attribute, localName, readXml, type XmlListener } from './read-xml.ts';
import type { ZipArchive } from './zip-archive.ts';

export interface Relation {
  id: string;
  /** Last word of the relation's type, such as "worksheet"; the same in the transitional and the strict form. */
  type: string;
  /** Name of the part in the archive; an address where `isExternal`. */
  target: string;
  isExternal: boolean;
}

/** Relations of a part, or of the package for an empty name; none where the file has none. */
export async function readRelations(
  archive: ZipArchive,
  part: string,
  signal: AbortSignal,
): Promise<Relation[]> {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const relations: Relation[] = [];
  const listener: XmlListener = {
    open(name, attributes) {
      if (localName(name) !== 'Relationship') return;
      const isExternal = attribute(attributes, 'TargetMode') === 'External';
      const target = attribute(attributes, 'Target') ?? '';
      relations.push({
        id: attribute(attributes, 'Id') ?? '',
        type: (attribute(attributes, 'Type') ?? '').split('/').at(-1)!,
        target: isExternal ? target : resolve(folder, target),
        isExternal,
      });
    },
    close() {},
    text() {},
  };
  await readXml(archive, `${folder}_rels/${part.slice(slash + 1)}.rels`, listener, signal);
  return relations;
}

/** The main part of a package, such as "word/document.xml"; `fallback` where the package doesn't say. */
export async function findMainPart(
  archive: ZipArchive,
  fallback: string,
  signal: AbortSignal,
): Promise<string> {
  const relations = await readRelations(archive, '', signal);
  const main = relations.find(({ type, target }) => type === 'officeDocument' && archive.has(target));
  return main?.target ?? fallback;
}

/** An address inside the archive: absolute from its root, else relative to the folder; ".." never leaves the root. */
function resolve(folder: string, target: string): string {
  const path: string[] = [];
  const full = target.startsWith('/') ? target : folder + target;
  for (const step of full.replaceAll('\\', '/').split('/')) {
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  }
  return path.join('/');
}
