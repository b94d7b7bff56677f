/** Which names are never a user's document? */

/** Folders that systems, tools and other programs keep for themselves, lower case. */
const systemFolders = new Set([
  'node_modules',
  '__pycache__',
  '__macosx',
  '$recycle.bin',
  '$windows.~bt',
  '$windows.~ws',
  'system volume information',
  'recycler',
  'lost+found',
  '@eadir',
  '#recycle',
  'windows.old',
]);

/** Files that systems and programs leave beside documents, lower case. */
const systemFiles = new Set([
  'thumbs.db',
  'ehthumbs.db',
  'ehthumbs_vista.db',
  'desktop.ini',
  'ntuser.dat',
  'pagefile.sys',
  'hiberfil.sys',
  'swapfile.sys',
  'icon\r',
]);

/** Owner files of Office (~$report.docx), its drafts (~WRL0001.tmp) and the locks of LibreOffice (.~lock.…#, hidden anyway). */
const programFile = /^(?:~\$.*|~wr[a-z]\d+\.tmp|.*\.(?:crdownload|part|swp))$/u;

/** True for hidden and system folders. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || systemFolders.has(name.toLowerCase());
}

/** True for hidden files, lock files and what systems leave behind. */
export function isSkippedFile(name: string): boolean {
  const lower = name.toLowerCase();
  return name.startsWith('.') || systemFiles.has(lower) || programFile.test(lower);
}
