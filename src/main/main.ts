/** How does the desktop window come up, and what is it kept from doing? Carries no search traffic itself. */
import path from 'node:path';
import { app, BrowserWindow, dialog, ipcMain, protocol, session, shell } from 'electron';
import { desktopChannels } from '../api/desktop.ts';
import { EngineProcess } from './engine-process-host.ts';
import { isOpenableOutside } from './outside-links.ts';
import { handlePageRequests, pageOrigin, pageScheme } from './page-protocol.ts';

const isFirstInstance = app.requestSingleInstanceLock();

protocol.registerSchemesAsPrivileged([
  { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);

/** One window; every power that the page does not need is off. */
function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 860,
    minWidth: 640,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload: path.join(import.meta.dirname, '../preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  window.webContents.on('will-navigate', (event) => event.preventDefault());
  window.webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.webContents.setWindowOpenHandler(({ url }) => {
    void askAndOpenOutside(window, url);
    return { action: 'deny' };
  });
  void window.loadURL(`${pageOrigin}/`);
  return window;
}

async function askAndOpenOutside(window: BrowserWindow, url: string): Promise<void> {
  if (!isOpenableOutside(url)) return;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Open this address outside Lectern?',
    detail: url.slice(0, 500),
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) await shell.openExternal(url);
}

/** Permissions are refused, and every scheme but the page's own (and inline data) is blocked before a byte is sent. */
function lockDown(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, callback) => {
    callback(permission === 'clipboard-sanitized-write');
  });
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  );
  const allowed = new Set([`${pageScheme}:`, 'blob:', 'data:', 'devtools:']);
  session.defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !allowed.has(new URL(details.url).protocol) });
  });
}

function handleDesktopCalls(engine: EngineProcess, window: () => BrowserWindow | undefined): void {
  ipcMain.handle(desktopChannels.pickFolder, async () => {
    const parent = window();
    if (!parent) return undefined;
    const picked = await dialog.showOpenDialog(parent, { properties: ['openDirectory'] });
    return picked.canceled ? undefined : picked.filePaths[0];
  });
  ipcMain.handle(desktopChannels.pickModelFile, async () => {
    const parent = window();
    if (!parent) return undefined;
    const filters = [{ name: 'Lectern', extensions: ['gguf', 'zip'] }];
    const picked = await dialog.showOpenDialog(parent, { properties: ['openFile'], filters });
    return picked.canceled ? undefined : picked.filePaths[0];
  });
  ipcMain.handle(desktopChannels.pickArchivePlace, async (_event, name: unknown) => {
    const parent = window();
    if (!parent || typeof name !== 'string') return undefined;
    const picked = await dialog.showSaveDialog(parent, { defaultPath: path.basename(name) });
    return picked.canceled ? undefined : picked.filePath;
  });
  ipcMain.handle(desktopChannels.showFile, async (_event, id: unknown) => {
    if (typeof id !== 'number') return;
    // The page names a document, never a path: only indexed files can be shown.
    const opened = await engine.openDocument(id, 'original');
    shell.showItemInFolder(opened.path);
  });
  ipcMain.on(desktopChannels.openPort, (event) => engine.connect(event.sender));
}

async function start(): Promise<void> {
  await app.whenReady();
  lockDown();
  const engine = new EngineProcess({
    entry: path.join(import.meta.dirname, 'engine-process.js'),
    libraryPath: path.join(app.getPath('userData'), 'library'),
    modelFolders: [path.join(app.getPath('userData'), 'models'), path.join(resourcesPath(), 'models')],
    samplePath: path.join(resourcesPath(), 'resources', 'sample-library'),
    cataloguePath: path.join(resourcesPath(), 'resources', 'models.json'),
    languagesPath: path.join(resourcesPath(), 'resources', 'recognition'),
    version: app.getVersion(),
  });
  handlePageRequests(path.join(import.meta.dirname, '../renderer'), engine);
  let window: BrowserWindow | undefined = openWindow();
  handleDesktopCalls(engine, () => window);
  app.on('second-instance', () => {
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  app.on('activate', () => {
    window = BrowserWindow.getAllWindows()[0] ?? openWindow();
  });
  app.on('window-all-closed', () => {
    window = undefined;
    if (process.platform !== 'darwin') app.quit();
  });
  let isClosed = false;
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void engine.close().then(() => {
      isClosed = true;
      app.quit();
    });
  });
}

/** Models and the sample library stand beside the packed application, or in the source tree while developing. */
function resourcesPath(): string {
  return app.isPackaged ? process.resourcesPath : app.getAppPath();
}

if (isFirstInstance) void start();
else app.quit();
