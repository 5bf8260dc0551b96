import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';

// A stand-in for the module `electron` that a sample imports: only those parts of an application, a window and the
// messages between them that the sample uses. It isolates nothing, and enforces no policy. The test sends messages for
// what the user does, and receives what the window shows.

type Handler = (event: { senderFrame: { url: string } }) => unknown;
type Listener = (event: object, status: unknown) => void;

const handlers = new Map<string, Handler>();
const listeners = new Map<string, Listener[]>();

export const ipcMain = { handle: (channel: string, handler: Handler) => handlers.set(channel, handler) };

class App extends EventEmitter {
  whenReady = async (): Promise<void> => undefined;
  getVersion = (): string => '1.0.0';
  getPath = (name: string): string => join(process.env.ELECTRON_FOLDER ?? '', name);

  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (!isPrevented) {
      process.exit(0);
    }
  }
}

export const app = new App();

export class BrowserWindow {
  readonly #preload: string;
  readonly webContents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: () => object) => tell({ opens: handler() }),
    send: (channel: string, status: unknown) => {
      for (const listener of listeners.get(channel) ?? []) {
        listener({}, clone(status));
      }
    },
  });

  constructor({ webPreferences }: { webPreferences: { preload: string } }) {
    this.#preload = webPreferences.preload;
    tell({ webPreferences });
  }

  isDestroyed = (): boolean => false;

  /** Runs the preload script, and then the page's scripts. */
  async loadFile(path: string): Promise<void> {
    const exposed: Record<string, unknown> = {};
    const contextBridge = {
      exposeInMainWorld: (name: string, api: unknown) => {
        exposed[name] = api;
      },
    };
    const url = pathToFileURL(path).href;
    const modules: Record<string, object> = { electron: { contextBridge, ipcRenderer: createRenderer(url) } };
    const require = (name: string) => modules[name];
    runInContext(readFileSync(this.#preload, 'utf8'), createContext({ require }));
    const page = createContext({ document: createDocument() });
    Object.assign(page, exposed, { window: page });
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/<script[^>]* src="([^"]+)"/g)) {
      runInContext(readFileSync(join(dirname(path), name), 'utf8'), page);
    }
  }
}

function createRenderer(url: string) {
  return {
    invoke: async (channel: string) => clone(await ask(channel, url)),
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
  };
}

async function ask(channel: string, url: string): Promise<unknown> {
  return handlers.get(channel)?.({ senderFrame: { url } });
}

function createDocument() {
  const element = {
    dataset: {},
    set textContent(text: string) {
      tell({ shows: text });
    },
  };
  return { querySelector: () => element };
}

/** As messages between processes are copied. */
function clone(value: unknown): unknown {
  return structuredClone(value);
}

function tell(message: object): void {
  process.send?.(message);
}

process.on('message', async (message) => {
  if (message === 'quit') {
    app.emit('window-all-closed');
  } else if (message === 'ask as another page') {
    const answer = await ask('seat:status', 'https://elsewhere.example/').catch((error) => error.message);
    tell({ answer });
  }
});

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});
