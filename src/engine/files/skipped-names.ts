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

/** Why a folder is never read; undefined for all that may hold documents. */
export function skippedFolder(name: string): 'hidden' | 'system' | undefined {
  if (name.startsWith('.')) return 'hidden';
  return systemFolders.has(name.toLowerCase()) ? 'system' : undefined;
}

/** The same for a file: hidden ones, locks, and what systems leave behind. */
export function skippedFile(name: string): 'hidden' | 'system' | undefined {
  if (name.startsWith('.')) return 'hidden';
  const lower = name.toLowerCase();
  return systemFiles.has(lower) || programFile.test(lower) ? 'system' : undefined;
}

export const isSkippedFolder = (name: string): boolean => skippedFolder(name) !== undefined;
export const isSkippedFile = (name: string): boolean => skippedFile(name) !== undefined;
