import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type AnswerClientError, type ClientErrorAnswer, lingerMs } from './client-error.ts';
import { continueWhenRead } from './continue-when-read.ts';
import type { Protocol } from './http1.ts';
import type { ListenerLimits } from './limits.ts';
import { SessionEnding } from './session-ending.ts';
import { mayReadSlowly, type Reader, type SlowReaders } from './slow-readers.ts';

interface Http2Options {
  handle: (req: Http2ServerRequest, res: Http2ServerResponse) => void;
  onClientError: AnswerClientError;
  limits: ListenerLimits;
  slowReaders: SlowReaders;
}

/** HTTP/2 on given TLS sockets, after their handshake. */
export function listenHttp2({ handle, onClientError, limits, slowReaders }: Http2Options): Protocol<TLSSocket> {
  const sessions = new Set<ServerHttp2Session>();
  const connections = new WeakMap<object, { socket: TLSSocket; openStreams: () => number }>();
  let handedIn: TLSSocket | undefined;
  const ending = new SessionEnding(sessions);
  const server = createHttp2Server(limits);
  server.on('sessionError', () => undefined);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    const openStreams = closeWhenIdle(session, limits);
    // Node.js announces the session while it receives the socket; the session's own socket cannot be destroyed.
    if (handedIn !== undefined) connections.set(session, { socket: handedIn, openStreams });
    ending.opened(session);
  });
  const arrive = (req: Http2ServerRequest, res: Http2ServerResponse, serve: () => void) => {
    const { stream } = req;
    // A stream reset by the client reports an error; the reader of the body gets 'aborted' and 'close'.
    for (const emitter of [req, res, stream]) emitter.on('error', () => undefined);
    stream.setTimeout(limits.stalledMs);
    ending.requested(stream.session as ServerHttp2Session | undefined);
    // A listener passed to setTimeout is called only once.
    stream.on('timeout', () => {
      if (!isWorking(req, res)) stream.close(constants.NGHTTP2_CANCEL);
    });
    // Our setting applies only after the client has acknowledged it; its first requests may come earlier.
    if (isTooLarge(req, limits))
      return answerInstead(res, onClientError('headers-too-large', req.socket.remoteAddress ?? ''));
    const connection = stream.session === undefined ? undefined : connections.get(stream.session);
    const reader = readerOf(req, res, () => connection?.socket.destroy());
    slowReaders.watch(reader);
    stream.once('close', () => slowReaders.unwatch(reader));
    if (!stream.endAfterHeaders) {
      limitBody(req, res, limits.requestMs, () =>
        answerInstead(res, onClientError('timeout', req.socket.remoteAddress ?? '')),
      );
      endAfterAnswer(
        req,
        () => connection?.openStreams() === 1,
        () => connection?.socket.destroy(),
      );
    }
    serve();
  };
  server.on('request', (req, res) => arrive(req, res, () => handle(req, res)));
  server.on('checkContinue', (req, res) =>
    arrive(req, res, () => {
      continueWhenRead(req, res);
      handle(req, res);
    }),
  );
  server.on('checkExpectation', (req, res) =>
    arrive(req, res, () => answerInstead(res, onClientError('expectation-failed', req.socket.remoteAddress ?? ''))),
  );
  return {
    serve: (socket) => {
      socket.on('error', () => socket.destroy());
      // Half-open connections are for HTTP/1.1 clients that close their side after the request. A session without its
      // client would stay in CLOSE-WAIT with unsent data.
      socket.allowHalfOpen = false;
      socket.once('end', () => socket.destroy());
      handedIn = socket;
      server.emit('connection', socket);
      handedIn = undefined;
    },
    announceEnd: () => ending.announce(),
    drain: () => ending.close(),
  };
}

function createHttp2Server(limits: ListenerLimits): Http2Server {
  // Node.js itself bounds the rest: 10 unanswered pings, 32 settings, 10 MB per session.
  return createServer({
    settings: { maxConcurrentStreams: limits.maxConcurrentStreams, maxHeaderListSize: limits.maxHeaderBytes },
    // The four pseudo-headers of a request also count as pairs.
    maxHeaderListPairs: limits.maxHeaderCount + 4,
    streamResetBurst: limits.resetBurst,
    streamResetRate: limits.resetsPerSecond,
  });
}

/**
 * Closes a session without streams after a while. Node.js's own session timeout restarts with every byte, so pings, or
 * headers that trickle in, would keep a session open forever. Returns how many streams are open.
 */
function closeWhenIdle(session: ServerHttp2Session, { headersMs, idleMs }: ListenerLimits): () => number {
  let openStreams = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => session.destroy(), ms);
    timer.unref();
  };
  wait(headersMs);
  session.on('stream', (stream) => {
    openStreams += 1;
    clearTimeout(timer);
    stream.once('close', () => {
      openStreams -= 1;
      if (openStreams === 0 && !session.destroyed) wait(idleMs);
    });
  });
  session.on('close', () => clearTimeout(timer));
  return () => openStreams;
}

/** The whole body has to arrive in time; otherwise the request is answered, if still possible, and its stream ended. */
function limitBody(req: Http2ServerRequest, res: Http2ServerResponse, timeoutMs: number, answer: () => void): void {
  const timer = setTimeout(() => {
    if (res.headersSent || !req.stream.writable) req.stream.close(constants.NGHTTP2_CANCEL);
    else answer();
  }, timeoutMs);
  req.stream.once('end', () => clearTimeout(timer));
  req.stream.once('close', () => clearTimeout(timer));
}

/**
 * Streams do not count the bytes read by their client, so the bytes that the library has passed to the connection are
 * counted here.
 */
function readerOf(req: Http2ServerRequest, res: Http2ServerResponse, cutConnection: () => void): Reader {
  const { stream } = req;
  let taken = 0;
  const write = stream._write.bind(stream);
  stream._write = (chunk, encoding, done) =>
    write(chunk, encoding, (error) => {
      taken += Buffer.byteLength(chunk);
      done(error);
    });
  const writeMany = stream._writev?.bind(stream);
  if (writeMany !== undefined) {
    stream._writev = (chunks, done) =>
      writeMany(chunks, (error) => {
        taken += chunks.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0);
        done(error);
      });
  }
  return {
    waitingBytes: () => stream.writableLength,
    takenBytes: () => taken,
    isExempt: () => mayReadSlowly(res),
    cut: () => {
      stream.close(constants.NGHTTP2_CANCEL);
      // A client that does not even read the reset reads nothing on the whole connection.
      const timer = setTimeout(cutConnection, lingerMs);
      stream.once('close', () => clearTimeout(timer));
    },
  };
}

/**
 * Data that arrives after the response is read and discarded for a moment, then the stream is closed without an error
 * (RFC 9113 section 8.1). Node.js does so only for a body that was not read at all; any other would keep its stream
 * open. If a stream still stays open, its connection is closed too, unless another stream uses it: Node.js 24 sometimes
 * misses the end of a client that resets the connection while sending, as curl does (4 of 80 tries).
 */
function endAfterAnswer(req: Http2ServerRequest, isAlone: () => boolean, cut: () => void): void {
  const { stream } = req;
  stream.once('finish', () => {
    if (stream.readableEnded || stream.closed) return;
    const closing = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs / 2);
    const cutting = setTimeout(() => (isAlone() ? cut() : stream.destroy()), lingerMs);
    stream.once('close', () => {
      clearTimeout(closing);
      clearTimeout(cutting);
    });
    // A destroyed request, for example by leaving a `for await`, pauses its stream at every chunk.
    if (req.destroyed) stream.on('data', () => stream.resume()).resume();
    else req.resume();
  });
}

/**
 * Answers instead of the handler, which finds the response ended, and aborts the body a moment later. Aborting
 * immediately would lose the response: nghttp2 sends a reset before queued data.
 */
function answerInstead(res: Http2ServerResponse, { status, headers, body }: ClientErrorAnswer): void {
  const { stream } = res;
  // HTTP/2 requires lowercase names and forbids this field.
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  res.writeHead(status, Object.fromEntries(entries.filter(([name]) => name !== 'connection')));
  res.end(body);
  const timer = setTimeout(() => stream.destroy(), lingerMs);
  stream.once('close', () => clearTimeout(timer));
}

/**
 * Whether a request only waits for us: it is complete, its handler is running, and nothing waits for the client to read
 * it.
 */
function isWorking({ stream }: Http2ServerRequest, res: Http2ServerResponse): boolean {
  const isWhole = stream.endAfterHeaders || stream.readableEnded;
  return isWhole && !res.writableEnded && stream.writableLength === 0;
}

/** The size of the header list as RFC 9113 section 10.5.1 counts it, with 32 bytes per field. */
function isTooLarge({ rawHeaders }: Http2ServerRequest, limits: ListenerLimits): boolean {
  const fields = rawHeaders.length / 2;
  const size = rawHeaders.reduce((sum, text) => sum + text.length, fields * 32);
  return size > limits.maxHeaderBytes;
}
