import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { clientKey } from '../rate-limit/index.ts';
import type { AnswerClientError } from './client-error.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { listenHttp1 } from './http1.ts';
import { listenHttp2 } from './http2.ts';
import { defaultLimits, type ListenerLimits } from './limits.ts';
import { SlowReaders } from './slow-readers.ts';

export type { AnswerClientError } from './client-error.ts';
export type { ListenerLimits } from './limits.ts';

export interface Listener {
  readonly port: number;
  readonly address: string;
  /** New connections get this certificate; those that are open keep theirs. Throws when the two do not belong together. */
  reloadCertificate(cert: string, key: string): void;
  /** Keeps serving, and asks clients to reconnect for further requests, which a load balancer then sends elsewhere. */
  announceEnd(): void;
  /** Stops accepting, lets what runs finish, and cuts what remains after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** PEM, the leaf first. */
  cert: string;
  key: string;
  /** Gets every request over TLS. After a body that came too slowly it finds the response already ended. */
  handler: (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse) => void;
  /** Gets every request that came in the clear; its connection is closed with the answer and its body never read. */
  onPlainHttp: (req: IncomingMessage, res: ServerResponse) => void;
  /** The answer to what never became a request. */
  onClientError: AnswerClientError;
  /** Whether requests in the clear from this address are served: it is a proxy that ends TLS for us. */
  trustPlain?: (remoteAddress: string) => boolean;
  limits?: Partial<ListenerLimits>;
}

const tlsHandshakeRecord = 0x16;

/**
 * Opens one TCP port that speaks HTTPS (HTTP/1.1 and HTTP/2) and tells plain HTTP apart by the first byte.
 * HTTP/1.1 goes to a plain http server that is given the TLS socket, which is how https.Server works inside: 0.95 of the
 * speed of https.createServer with 32 kept connections. An http2 server with allowHTTP1 is slower at HTTP/1.1.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...options.limits };
  const slowReaders = new SlowReaders(limits);
  const shared = { onClientError: options.onClientError, limits, slowReaders };
  const http1 = listenHttp1({ handle: options.handler, ...shared });
  const plain = listenHttp1({ handle: refusePlain(options), ...shared });
  const http2 = listenHttp2({ handle: options.handler, ...shared });

  const tls = createTlsServer(tlsOptions(options.cert, options.key, limits));
  tls.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.serve(socket);
    else http1.serve(socket);
  });
  tls.on('tlsClientError', (_, socket) => socket.destroy());

  const connections = new Set<Socket>();
  const isTrusted = (address: string) => options.trustPlain?.(address) === true;
  const isRoomFor = limitByAddress(limits.maxConnectionsPerAddress, isTrusted);
  const accept = (socket: Socket) => {
    if (!isRoomFor(socket)) return;
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // An error of a connection also reaches its server, which has listeners of its own.
    socket.on('error', () => socket.destroy());
    onFirstByte(socket, limits.handshakeMs, (byte) => {
      if (byte === tlsHandshakeRecord) tls.emit('connection', socket);
      else if (isTrusted(socket.remoteAddress ?? '')) http1.serve(socket);
      else plain.serve(socket);
    });
  };
  const bound = await bindAll(options.host, options.port, limits.maxConnections, accept);

  return {
    port: bound.port,
    address: bound.address,
    reloadCertificate: (cert, key) => tls.setSecureContext(tlsOptions(cert, key, limits)),
    announceEnd: () => {
      for (const protocol of [http1, plain, http2]) protocol.announceEnd();
    },
    close: async (graceMs) => {
      const closed = Promise.all(bound.servers.map((tcp) => new Promise((resolve) => tcp.close(resolve))));
      for (const protocol of [http1, plain, http2]) protocol.drain();
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      const grace = new AbortController();
      await Promise.race([closed, sleep(graceMs, undefined, { signal: grace.signal })]);
      grace.abort();
      for (const socket of connections) socket.destroy();
      await closed;
      slowReaders.close();
    },
  };
}

function tlsOptions(cert: string, key: string, { handshakeMs }: ListenerLimits): TlsOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // Each suite is a good one, and the client knows best which its hardware is fast at.
    honorCipherOrder: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
  };
}

/** Mozilla's "intermediate" configuration without its DHE suites, which need parameters of their own and no client needs. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/**
 * Counts a connection under its client's address, or ends it. A trusted proxy brings everybody's connections, so it is
 * not limited. The refusal costs no handshake and no answer.
 */
function limitByAddress(max: number, isTrusted: (address: string) => boolean): (socket: Socket) => boolean {
  const counts = new ConnectionCounts(max);
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrusted(address)) return true;
    const client = clientKey(address);
    if (!counts.add(client)) {
      socket.on('error', () => undefined).resetAndDestroy();
      return false;
    }
    socket.once('close', () => counts.remove(client));
    return true;
  };
}

function refusePlain({ onPlainHttp }: ListenOptions) {
  return (req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('Connection', 'close');
    onPlainHttp(req, res);
  };
}

/** Looks at a connection's first byte and puts it back; a connection that never sends one is cut. */
function onFirstByte(socket: Socket, timeoutMs: number, decide: (byte: number) => void): void {
  const cut = () => socket.destroy();
  const timer = setTimeout(cut, timeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', cut);
  socket.once('data', (chunk: Buffer) => {
    clearTimeout(timer);
    socket.removeListener('end', cut);
    socket.pause();
    socket.unshift(chunk);
    decide(chunk[0] ?? 0);
    // The http server reads on by itself only from a socket that nobody has paused; TLS takes over the handle.
    process.nextTick(() => socket.resume());
  });
}

/**
 * Binds the address, or for `localhost` both loopback addresses where the machine has them: which of the two a client
 * tries first is not ours to choose.
 */
async function bindAll(host: string, port: number, maxConnections: number, accept: (socket: Socket) => void) {
  const open = async (address: string, wanted: number) => {
    const tcp = createTcpServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, accept);
    tcp.maxConnections = maxConnections;
    return { tcp, ...(await bind(tcp, address, wanted)) };
  };
  const first = await open(host === 'localhost' ? '127.0.0.1' : host, port);
  const second = host === 'localhost' ? await open('::1', first.port).catch(ignoreMissingAddress) : undefined;
  const servers = second === undefined ? [first.tcp] : [first.tcp, second.tcp];
  return { port: first.port, address: first.address, servers };
}

/** A machine without IPv6 is not an error; a port that another program uses is one. */
function ignoreMissingAddress(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) {
    return undefined;
  }
  throw error;
}

async function bind(tcp: Server, host: string, port: number): Promise<{ port: number; address: string }> {
  tcp.listen({ host, port });
  await once(tcp, 'listening');
  // Running out of file descriptors must not end the process: the next accept may well succeed.
  tcp.on('error', () => undefined);
  const bound = tcp.address();
  if (bound === null || typeof bound === 'string') throw new Error('The TCP server has no address.');
  return { port: bound.port, address: bound.address };
}
