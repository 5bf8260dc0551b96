import { once } from 'node:events';
import { createServer } from 'node:http';

/** The address of an app that browsers are redirected to. */
export interface RedirectReceiver {
  redirectUri: string;
  /** The full URL of the next redirect. */
  next(): Promise<URL>;
  close(): void;
}

/** Listens on loopback, as an app without a certificate may. */
export async function startRedirectReceiver(): Promise<RedirectReceiver> {
  const arrived: URL[] = [];
  const waiting: Array<(url: URL) => void> = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back in the app</title><h1>Back</h1>');
    if (url.pathname !== '/callback') {
      return;
    }
    const next = waiting.shift();
    if (next === undefined) {
      arrived.push(url);
    } else {
      next(url);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    next: () => {
      const first = arrived.shift();
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
