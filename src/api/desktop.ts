/** What can the page ask of the desktop besides the engine's contract? */

/** Names of the messages between preload and main. */
export const desktopChannels = {
  pickFolder: 'lectern:pick-folder',
  pickModelFile: 'lectern:pick-model-file',
  pickArchivePlace: 'lectern:pick-archive-place',
  showFile: 'lectern:show-file',
  openPort: 'lectern:open-port',
  /** From main: carries one message port to the engine. */
  port: 'lectern:port',
  /** From main: the engine ended; a new port follows. */
  engineGone: 'lectern:engine-gone',
} as const;

/** Messages that the preload posts to the page's window. */
export type DesktopMessage = { type: 'lectern:port' } | { type: 'lectern:engine-gone' };

/** `window.lectern`, present in the desktop shell only. */
export interface DesktopBridge {
  platform: string;
  /** The folder that the user chose, or undefined. */
  pickFolder(): Promise<string | undefined>;
  /** A .gguf file or an archive of models that the user chose, or undefined. */
  pickModelFile(): Promise<string | undefined>;
  /** Where the user wants an archive to be written, or undefined. `name`: the file name that is offered. */
  pickArchivePlace(name: string): Promise<string | undefined>;
  /** Path of a file or folder that was dropped on the page. */
  pathOf(file: unknown): string;
  /** Shows a document's file in the system's file manager. */
  showFile(documentId: number): Promise<void>;
  /** Asks for a port to the engine; it arrives as a DesktopMessage with one port. */
  openPort(): void;
}
