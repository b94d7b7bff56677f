/** What may the page reach beyond its own walls? One port to the engine, the system's pickers, the path of what is dropped. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { type DesktopBridge, type DesktopMessage, desktopChannels } from '../api/desktop.ts';

const bridge: DesktopBridge = {
  platform: process.platform,
  pickFolder: () => ipcRenderer.invoke(desktopChannels.pickFolder) as Promise<string | undefined>,
  pickModelFile: () => ipcRenderer.invoke(desktopChannels.pickModelFile) as Promise<string | undefined>,
  pickArchivePlace: (name) =>
    ipcRenderer.invoke(desktopChannels.pickArchivePlace, name) as Promise<string | undefined>,
  pathOf: (file) => webUtils.getPathForFile(file as File),
  showFile: (documentId) => ipcRenderer.invoke(desktopChannels.showFile, documentId) as Promise<void>,
  openPort: () => ipcRenderer.send(desktopChannels.openPort),
};

contextBridge.exposeInMainWorld('lectern', bridge);

// Ports can't cross the context bridge; they can be posted to the window, which only our own page reads.
ipcRenderer.on(desktopChannels.port, (event) => {
  const message: DesktopMessage = { type: 'lectern:port' };
  window.postMessage(message, window.location.origin, event.ports);
});

ipcRenderer.on(desktopChannels.engineGone, () => {
  const message: DesktopMessage = { type: 'lectern:engine-gone' };
  window.postMessage(message, window.location.origin);
});
