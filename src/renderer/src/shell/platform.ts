/** What can this shell do that a plain browser can't? */
import type { DesktopBridge } from '../../../api/desktop.ts';

declare global {
  interface Window {
    /** Set by the preload of the desktop shell; absent in a browser. */
    lectern?: DesktopBridge;
  }
}

export const desktop = (): DesktopBridge | undefined => window.lectern;

export const isApple = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);
