import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileStore, Seat, SeatholdError } from '@seathold/client/seats';
import { app, BrowserWindow, ipcMain } from 'electron';

const { SEATHOLD_URL, SEATHOLD_TOKEN, LICENSE_KEY, HARDWARE_ID } = process.env;
const PAGE = join(import.meta.dirname, 'index.html');

let window;
let seat;
const gaveUp = new AbortController();
/** The status that the window shows. The window gets no token and no key. */
let status = { state: 'starting' };
let isReleased = false;
/** Resolved when there is no seat left to release, and no place in line to leave. */
const { promise: ended, resolve: end } = Promise.withResolvers();

ipcMain.handle('seat:status', (event) => {
  requirePage(event);
  return status;
});

app.on('window-all-closed', () => app.quit());

// Electron does not wait for promises when it quits, so the first attempt releases the seat, and then quits again.
app.on('before-quit', (event) => {
  if (!isReleased) {
    event.preventDefault();
    void release().finally(() => {
      isReleased = true;
      app.quit();
    });
  }
});

await app.whenReady();
await createWindow();
await acquire();

async function createWindow() {
  window = new BrowserWindow({
    width: 480,
    height: 240,
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
    },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  window.webContents.on('will-navigate', (event) => event.preventDefault());
  await window.loadFile(PAGE);
}

/** Takes the seat in the main process, which runs as long as the program. A page can be reloaded at any time. */
async function acquire() {
  try {
    seat = await Seat.acquire({
      baseUrl: SEATHOLD_URL ?? 'https://localhost:8443',
      // Without a token, the machine is activated with the license key.
      token: SEATHOLD_TOKEN,
      licenseKey: LICENSE_KEY ?? '',
      hardwareId: HARDWARE_ID,
      metadata: { hostname: hostname(), client_version: app.getVersion() },
      waitSeconds: 3600,
      store: fileStore(join(app.getPath('userData'), 'seat.json')),
      signal: gaveUp.signal,
      onEvent: (event) => show(describe(event)),
      onEnd: end,
    });
  } catch (error) {
    if (!gaveUp.signal.aborted) {
      end();
    }
    const reason = error instanceof SeatholdError ? `${error.message} (${error.code})` : String(error);
    show({ state: 'refused', reason });
  }
}

async function release() {
  // If there is no seat yet, this leaves the line.
  gaveUp.abort(new Error('The program ends.'));
  void seat?.release();
  await ended;
}

function show(next) {
  status = next;
  if (window?.isDestroyed() === false) {
    window.webContents.send('seat:status', status);
  }
}

function describe(event) {
  switch (event.type) {
    case 'granted':
      return { state: 'held', until: event.expiresAt.toISOString(), features: event.features };
    case 'waiting':
      return { state: 'waiting', position: event.position };
    case 'offline':
      return { state: 'offline', until: event.expiresAt.toISOString() };
    case 'lost':
      return { state: 'lost', reason: event.reason, isFinal: event.isFinal };
  }
}

/** Rejects requests from any page but this program's. */
function requirePage({ senderFrame }) {
  if (senderFrame?.url !== pathToFileURL(PAGE).href) {
    throw new Error('This page may not ask.');
  }
}
