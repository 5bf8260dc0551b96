import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect as connectSession, type Http2ServerRequest, type Settings } from 'node:http2';
import { type Agent, request as secureRequest } from 'node:https';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Listener, type ListenOptions, listen } from '../../src/http/listener/index.ts';
import { ensureLocalCertificate, type LocalCertificate } from '../../src/security/index.ts';

const STATUSES = {
  malformed: 400,
  'headers-too-large': 431,
  timeout: 408,
  'unsupported-version': 505,
  'expectation-failed': 417,
};
export const megabyte = 'x'.repeat(1_000_000);
/** Long after the time-out of every test. */
const NEVER_MS = 86_400_000;
/**
 * Long timeouts, so that a busy machine is not mistaken for a slow client. Each test shortens only the one it is about.
 */
export const patient = {
  handshakeMs: NEVER_MS,
  headersMs: NEVER_MS,
  requestMs: NEVER_MS,
  idleMs: NEVER_MS,
  stalledMs: NEVER_MS,
};

export let dir: string;
export let certificate: LocalCertificate;
export let listener: Listener;
export let release: () => void;
export let started: Promise<void>;
export let served: number;
export let seen: { authorization: string | undefined; body: string };

/** Gives each test of a file its own listener, started with `startListener`, and clients for every protocol. */
export function useListener(): void {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'seathold-listener-'));
    certificate = await ensureLocalCertificate({ dir, hostnames: [], now: new Date() });
  });

  afterAll(() => rm(dir, { recursive: true }));

  beforeEach(() => {
    served = 0;
    seen = { authorization: undefined, body: '' };
  });

  afterEach(() => listener.close(0));
}

/**
 * `/big` answers with a megabyte, `/slow` when the test releases it, `/early` without waiting for the body. Other paths
 * echo.
 */
export async function startListener(options: Partial<ListenOptions> = {}): Promise<void> {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  release = held.resolve;
  started = arrived.promise;
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    cert: certificate.certPem,
    key: certificate.keyPem,
    handler: (req, res) => {
      served += 1;
      const answer = (body: string) => {
        if (res.writableEnded) return;
        res.setHeader('content-type', 'text/plain');
        res.end(body);
      };
      if (req.url === '/big') return answer(megabyte);
      if (req.url === '/early') return answer('early');
      if (req.url === '/slow') {
        arrived.resolve();
        void held.promise.then(() => answer('slow'));
        return;
      }
      void readAll(req).then((body) => answer(`${req.httpVersion} ${req.method} ${body}`));
    },
    onPlainHttp: (req, res) => {
      seen = { authorization: req.headers.authorization, body: '' };
      res.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"https_required"}');
    },
    onClientError: (kind) => ({
      status: STATUSES[kind],
      headers: { 'Content-Type': 'application/json' },
      body: `{"error":"${kind}"}`,
    }),
    ...options,
  });
}

export async function readAll(req: IncomingMessage | Http2ServerRequest): Promise<string> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  } catch {
    return '';
  }
}

const tlsOptions = () => ({ host: '127.0.0.1', port: listener.port, servername: 'localhost', ca: certificate.caPem });

export async function fetchHttp1(path: string, options: { agent?: Agent; body?: string; maxVersion?: 'TLSv1.2' } = {}) {
  const { body, ...rest } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const req = secureRequest({ ...tlsOptions(), agent: false, ...rest, path, method }).end(body);
  const [res] = await once(req, 'response');
  return { status: res.statusCode, headers: res.headers, body: await readAll(res), reused: req.reusedSocket };
}

export async function connectTls(options: object = {}): Promise<TLSSocket> {
  const socket = connectSecurely({ ...tlsOptions(), ALPNProtocols: ['http/1.1'], ...options });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

export function connectTcp(): Socket {
  return connectSocket(listener.port, '127.0.0.1').on('error', () => undefined);
}

/** Everything that a raw connection answers until it is closed. */
export async function converse(socket: Socket, text: string | Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

export async function connectHttp2(settings: Settings = {}): Promise<ClientHttp2Session> {
  const options = { ca: certificate.caPem, host: '127.0.0.1', settings };
  const session = connectSession(`https://localhost:${listener.port}`, options);
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

export async function fetchHttp2(session: ClientHttp2Session, path: string, body?: string) {
  const stream = session.request({ ':path': path, ':method': body === undefined ? 'GET' : 'POST' });
  stream.end(body);
  const [headers] = await once(stream, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { status: headers[':status'], body: Buffer.concat(chunks).toString() };
}

/** The listener still works. */
export async function expectUp(): Promise<void> {
  expect((await fetchHttp1('/')).body).toBe('1.1 GET ');
}
