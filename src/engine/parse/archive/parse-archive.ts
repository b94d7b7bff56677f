/** Which files does an archive hold? Each becomes a document of its own; the archive's own text is the list of their names. */
import { zip as limits } from '../../config.ts';
import type { Parser } from '../../document.ts';
import { FlowParts } from '../flow/flow-parts.ts';
import { archiveFailure } from './archive-entry.ts';
import { openArchive } from './archive-format.ts';
import { MemberNames } from './member-names.ts';

/** A line for each entry, then the entry. An archive that breaks off keeps what was read of it, with a warning. */
export const parseArchive: Parser = async function* (file, signal) {
  const flow = new FlowParts();
  const names = new MemberNames();
  let count = 0;
  const read = await openArchive(file);
  for await (const entry of read(file, signal)) {
    if (count >= limits.maxEntries) {
      throw archiveFailure(
        'too-large',
        file,
        `it holds over ${limits.maxEntries} files; the rest was left out`,
      );
    }
    count += 1;
    const name = names.take(entry.name);
    if (isHidden(name)) continue;
    const line = flow.block('list-item', name);
    if (line) yield line;
    const { modifiedAtMs } = entry;
    yield {
      type: 'member',
      member: { name, ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }), content: entry.content },
    };
  }
  if (count === 0) throw archiveFailure('empty', file, 'there is no file in it');
};

/** What systems keep beside documents would only be noise among their names. */
function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') || part.toLowerCase() === '__macosx');
}
