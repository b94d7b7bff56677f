/** Which file is meant, where a document's own title does not tell? */

/** What can't tell a title from a file name: case, and what stands for a space. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/** The file's name, or undefined where the title already says it, with or without the ending. */
export function fileNameBeside(title: string, path: string): string | undefined {
  const name = path.split(/\/| » /).at(-1) ?? path;
  const said = plain(title);
  return said === plain(name) || said === plain(name.replace(/\.[^.]+$/, '')) ? undefined : name;
}
