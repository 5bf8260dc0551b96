import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { acceptConnections } from './accept-connections.ts';
import type { AnswerClientError } from './client-error.ts';
import { limitByAddress } from './connection-counts.ts';
import { listenHttp1 } from './http1.ts';
import { listenHttp2 } from './http2.ts';
import { defaultLimits, type ListenerLimits } from './limits.ts';
import { SlowReaders } from './slow-readers.ts';

export { type Acceptor, acceptConnections } from './accept-connections.ts';
export type { AnswerClientError } from './client-error.ts';
export { ConnectionCounts } from './connection-counts.ts';
export { defaultLimits, type ListenerLimits } from './limits.ts';

export interface Listener {
  readonly port: number;
  readonly address: string;
  /** New connections get this certificate; open ones keep theirs. Throws if certificate and key do not match. */
  reloadCertificate(cert: string, key: string): void;
  /** Keeps serving, and asks clients to reconnect for further requests, which a load balancer then sends elsewhere. */
  announceEnd(): void;
  /** Stops accepting, lets running requests finish, and closes the rest after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** The options for serving connections, accepted by this process or its supervisor. */
export interface ServeOptions {
  /** PEM, the leaf first. */
  cert: string;
  key: string;
  /**
   * 48 secret bytes shared by the processes of one port, so that a client can resume its TLS session at any of them.
   */
  ticketKeys?: Buffer | undefined;
  /** Gets every request over TLS. After a body that came too slowly, the response is already ended. */
  handler: (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse) => void;
  /** Gets every unencrypted request; its connection is closed with the response, and its body is never read. */
  onPlainHttp: (req: IncomingMessage, res: ServerResponse) => void;
  /** The response to input that never became a request. */
  onClientError: AnswerClientError;
  /** Whether unencrypted requests from this address are served, because it is a proxy that terminates TLS for us. */
  trustPlain?: (remoteAddress: string) => boolean;
  limits?: Partial<ListenerLimits>;
}

export interface ListenOptions extends ServeOptions {
  host: string;
  port: number;
}

/** Serves given connections. */
export interface ConnectionServer extends Omit<Listener, 'port' | 'address'> {
  take(socket: Socket): void;
}

const tlsHandshakeRecord = 0x16;

/** Opens one TCP port that serves HTTPS and detects plain HTTP. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { maxConnections, maxConnectionsPerAddress } = { ...defaultLimits, ...options.limits };
  const isTrusted = (address: string) => options.trustPlain?.(address) === true;
  const isRoomFor = limitByAddress(maxConnectionsPerAddress, isTrusted);
  const server = serveConnections(options);
  const { host, port } = options;
  const take = (socket: Socket) => (isRoomFor(socket) ? server.take(socket) : undefined);
  const acceptor = await acceptConnections({ host, port, maxConnections, take });
  return {
    ...server,
    port: acceptor.port,
    address: acceptor.address,
    close: async (graceMs) => {
      await Promise.all([acceptor.close(), server.close(graceMs)]);
    },
  };
}

/**
 * Serves HTTPS (HTTP/1.1 and HTTP/2) on given connections, and detects plain HTTP by the first byte. HTTP/1.1 goes to a
 * plain http server that gets the TLS socket, as in https.Server itself: 0.95 of the speed of https.createServer with
 * 32 keep-alive connections. An http2 server with allowHTTP1 is slower at HTTP/1.1.
 */
export function serveConnections(options: ServeOptions): ConnectionServer {
  const limits = { ...defaultLimits, ...options.limits };
  const slowReaders = new SlowReaders(limits);
  const shared = { onClientError: options.onClientError, limits, slowReaders };
  const http1 = listenHttp1({ handle: options.handler, ...shared });
  const plain = listenHttp1({ handle: refusePlain(options), ...shared });
  const http2 = listenHttp2({ handle: options.handler, ...shared });

  const { ticketKeys } = options;
  const tls = createTlsServer(tlsOptions(options, limits));
  tls.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.serve(socket);
    else http1.serve(socket);
  });
  tls.on('tlsClientError', (_, socket) => socket.destroy());

  const connections = new Set<Socket>();
  const closed = Promise.withResolvers<void>();
  let isClosing = false;
  const endIfLast = () => (isClosing && connections.size === 0 ? closed.resolve() : undefined);
  const isTrusted = (address: string) => options.trustPlain?.(address) === true;
  return {
    take: (socket) => {
      connections.add(socket);
      socket.on('close', () => {
        connections.delete(socket);
        endIfLast();
      });
      // An error of a connection also reaches its server, which has its own listeners.
      socket.on('error', () => socket.destroy());
      onFirstByte(socket, limits.handshakeMs, (byte) => {
        if (byte === tlsHandshakeRecord) tls.emit('connection', socket);
        else if (isTrusted(socket.remoteAddress ?? '')) http1.serve(socket);
        else plain.serve(socket);
      });
    },
    reloadCertificate: (cert, key) => tls.setSecureContext(tlsOptions({ cert, key, ticketKeys }, limits)),
    announceEnd: () => {
      for (const protocol of [http1, plain, http2]) protocol.announceEnd();
    },
    close: async (graceMs) => {
      isClosing = true;
      for (const protocol of [http1, plain, http2]) protocol.drain();
      const silent = setTimeout(() => destroySilent(connections), FIRST_BYTE_MS);
      endIfLast();
      const grace = new AbortController();
      await Promise.race([closed.promise, sleep(graceMs, undefined, { signal: grace.signal })]);
      grace.abort();
      clearTimeout(silent);
      for (const socket of connections) socket.destroy();
      await closed.promise;
      slowReaders.close();
    },
  };
}

/** Of a connection that was accepted a moment ago, the first byte may be on its way. */
function destroySilent(connections: ReadonlySet<Socket>): void {
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

const FIRST_BYTE_MS = 500;

function tlsOptions(
  { cert, key, ticketKeys }: Pick<ServeOptions, 'cert' | 'key' | 'ticketKeys'>,
  { handshakeMs }: ListenerLimits,
): TlsOptions {
  return {
    cert,
    key,
    ...(ticketKeys === undefined ? {} : { ticketKeys }),
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // All suites are strong, and the client knows best which one is fast on its hardware.
    honorCipherOrder: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
  };
}

/**
 * Mozilla's "intermediate" configuration without its DHE suites, which need extra parameters and are not needed by any
 * client.
 */
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

function refusePlain({ onPlainHttp }: ServeOptions) {
  return (req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('Connection', 'close');
    onPlainHttp(req, res);
  };
}

/** Peeks at a connection's first byte; a connection that never sends one is closed. */
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
    // The http server itself only reads from a socket that is not paused; TLS takes over the handle.
    process.nextTick(() => socket.resume());
  });
}
