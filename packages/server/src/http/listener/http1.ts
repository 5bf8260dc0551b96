import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type AnswerClientError,
  type ClientErrorKind,
  classifyError,
  lingerThenDestroy,
  writeClientError,
} from './client-error.ts';
import { continueWhenRead } from './continue-when-read.ts';
import type { ListenerLimits } from './limits.ts';
import { mayReadSlowly, type Reader, type SlowReaders } from './slow-readers.ts';

export interface Protocol<S> {
  /** Takes over a connection of this protocol. */
  serve(socket: S): void;
  /** Keeps serving, and asks clients in each response to reconnect for the next request. */
  announceEnd(): void;
  /** Closes idle connections immediately, and others as soon as their response is sent. */
  drain(): void;
}

interface Http1Options {
  handle: (req: IncomingMessage, res: ServerResponse) => void;
  onClientError: AnswerClientError;
  limits: ListenerLimits;
  slowReaders: SlowReaders;
}

/** HTTP/1.1 on given sockets, with or without TLS. */
export function listenHttp1({ handle, onClientError, limits, slowReaders }: Http1Options): Protocol<Socket> {
  const sockets = new Set<Socket>();
  /** The newest request of each connection; with pipelining, the last one to be answered. */
  const latest = new WeakMap<Duplex, ServerResponse>();
  /** Connections that got their last response: further requests are read but no longer served. */
  const leaving = new WeakSet<Duplex>();
  let isDraining = false;

  const server = createHttp1Server(limits);
  const arrive = (req: IncomingMessage, res: ServerResponse, serve: () => void) => {
    if (leaving.has(req.socket)) return;
    latest.set(req.socket, res);
    res.on('timeout', cutUnlessWorking);
    if (isDraining) res.setHeader('Connection', 'close');
    const fault = findFault(req, limits);
    if (fault === undefined) return serve();
    answerInstead(req, res, fault, onClientError);
  };
  server.on('request', (req, res) => arrive(req, res, () => handle(req, res)));
  server.on('checkContinue', (req, res) =>
    arrive(req, res, () => {
      continueWhenRead(req, res);
      handle(req, res);
    }),
  );
  server.on('checkExpectation', (req, res) =>
    arrive(req, res, () => answerInstead(req, res, 'expectation-failed', onClientError)),
  );
  server.on('connect', (_, socket) => writeClientError(socket, 'malformed', onClientError));
  server.on('clientError', refuseFaulty(latest, leaving, onClientError));

  return {
    serve: (socket) => {
      sockets.add(socket);
      const reader = readerOf(socket, () => latest.get(socket));
      slowReaders.watch(reader);
      socket.on('close', () => {
        sockets.delete(socket);
        slowReaders.unwatch(reader);
      });
      socket.on('error', () => socket.destroy());
      closeGently(socket, latest, leaving);
      server.emit('connection', socket);
    },
    announceEnd: () => {
      isDraining = true;
      for (const socket of sockets) {
        const response = latest.get(socket);
        if (response !== undefined && !response.headersSent) response.setHeader('Connection', 'close');
      }
    },
    drain: () => {
      isDraining = true;
      server.close(() => undefined);
      for (const socket of sockets) finish(socket, latest.get(socket));
    },
  };
}

/** Answers a parser failure, once per connection, and closes the connection. */
function refuseFaulty(latest: WeakMap<Duplex, ServerResponse>, leaving: WeakSet<Duplex>, answer: AnswerClientError) {
  const refused = new WeakSet<Duplex>();
  return (error: Error, socket: Duplex): void => {
    const kind = classifyError(error);
    // The parser fails again at each further piece of the refused request, while the response may still be in flight.
    if (refused.has(socket) && kind !== undefined && kind !== 'timeout') return;
    const isAnswerable = socket.writable && !leaving.has(socket) && !isUnderWay(latest.get(socket));
    leaving.add(socket);
    if (kind === undefined || !isAnswerable) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    writeClientError(socket, kind, answer);
  };
}

/** Finds faults in a request head that Node.js accepts. */
function findFault(req: IncomingMessage, limits: ListenerLimits): ClientErrorKind | undefined {
  if (req.rawHeaders.length > 2 * limits.maxHeaderCount) return 'headers-too-large';
  const hosts = countHosts(req.rawHeaders);
  // With two of them, two intermediaries may each use a different one (RFC 9112 section 3.2).
  if (hosts > 1) return 'malformed';
  // The parser reads a request line without a version as HTTP/0.9.
  if (req.httpVersion === '0.9' && req.rawHeaders.length === 0) return 'malformed';
  if (req.httpVersion !== '1.0' && req.httpVersion !== '1.1') return 'unsupported-version';
  if (req.httpVersion === '1.1') return hosts === 0 ? 'malformed' : undefined;
  // HTTP/1.0 has no transfer codings, so a request with one is invalid (RFC 9112 section 6.1).
  return req.headers['transfer-encoding'] === undefined ? undefined : 'malformed';
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function answerInstead(
  req: IncomingMessage,
  res: ServerResponse,
  kind: ClientErrorKind,
  onClientError: AnswerClientError,
): void {
  const { status, headers, body } = onClientError(kind, req.socket.remoteAddress ?? '');
  res.writeHead(status, { ...headers, Connection: 'close', 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function readerOf(socket: Socket, response: () => ServerResponse | undefined): Reader {
  return {
    waitingBytes: () => socket.writableLength,
    // Written bytes include waiting ones.
    takenBytes: () => socket.bytesWritten - socket.writableLength,
    isExempt: () => mayReadSlowly(response()),
    cut: () => socket.destroy(),
  };
}

function createHttp1Server(limits: ListenerLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.max(10, Math.min(1000, limits.headersMs / 4, limits.requestMs / 4)),
    // We answer this ourselves, with the error envelope.
    requireHostHeader: false,
  });
  server.timeout = limits.stalledMs;
  // By default, Node.js would silently drop surplus headers; we count them and refuse.
  server.maxHeadersCount = 0;
  // This server never listens, but the event starts its checks of headersTimeout and requestTimeout.
  server.emit('listening');
  return server;
}

/**
 * The connection has been silent for `stalledMs`. That is the client's fault while we wait for it to send or read; a
 * complete request whose handler is still running only waits for us. Without this listener, and for any other request
 * of the connection, Node.js closes the connection.
 */
function cutUnlessWorking(this: ServerResponse, socket: Socket): void {
  if (!this.req.complete || this.writableEnded || socket.writableLength > 0) socket.destroy();
}

/**
 * The http server ends a connection by destroySoon(). While a request is still arriving, that resets it, and the client
 * may never see the response with the reason, so such a connection lingers instead.
 */
function closeGently(socket: Socket, latest: WeakMap<Duplex, ServerResponse>, leaving: WeakSet<Duplex>): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const isReceiving = latest.get(socket)?.req.complete === false;
    leaving.add(socket);
    if (!isReceiving) return destroySoon();
    socket.end();
    lingerThenDestroy(socket);
  };
}

function finish(socket: Socket, response: ServerResponse | undefined): void {
  if (response === undefined || response.writableFinished) {
    socket.destroySoon();
    return;
  }
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('close', () => socket.destroySoon());
}

/** Whether a response has begun, or will: another one written now would be mistaken for it. */
function isUnderWay(response: ServerResponse | undefined): boolean {
  return response !== undefined && !response.writableFinished && (response.headersSent || response.req.complete);
}
