/** What can this shell do that a plain browser can't? */

/** Set by the preload of the desktop shell; absent in a browser. */
export interface LecternDesktop {
  /** "linux", "darwin" or "win32". */
  platform: string;
  /** Asks for a folder; undefined when the user changed their mind. */
  pickFolder(): Promise<string | undefined>;
  /** Opens a file in its own program. */
  showFile(path: string): Promise<void>;
  /**
   * Asks for a new port to the engine. It comes as a `message` event of this window with
   * `data === 'lectern:port'` and the port as its first transferred port.
   */
  openPort(): void;
}

declare global {
  interface Window {
    lectern?: LecternDesktop;
  }
}

export const desktop = (): LecternDesktop | undefined => window.lectern;

export const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);
