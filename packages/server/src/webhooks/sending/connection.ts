import type { TLSSocket } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { CONNECTION_IS_GONE } from './attempt-errors.ts';
import type { EarlyEnd } from './early-end.ts';
import { type Answer, Exchange, type Outgoing } from './exchange.ts';
import type { Dialled } from './handshake.ts';
import type { Target } from './url-rules.ts';

/**
 * How long a connection is kept after a response: one second less than the receiver announces. A receiver without an
 * announcement may close it at any moment, and a request at that moment is a failed attempt: it is unknown whether it
 * arrived, and each attempt is one request.
 */
const KEPT_MS = 1_000;
const MAX_KEPT_MS = 4_000;

/** Connections are renewed periodically, so that a receiver that moved is found by its name. */
const REQUESTS_PER_CONNECTION = 1_000;

const HEAD_BYTES = 16_384;

/** One connection to a receiver. It takes one request at a time. */
export class Connection {
  /** The peer's dialed address. */
  readonly address: string | null;
  /** As in the URL, for the Host header. */
  readonly origin: string;
  /** See `Target`. */
  readonly countedOrigin: string;
  readonly #socket: TLSSocket;
  readonly #client: Client;
  #requests = 0;
  #running: Exchange | undefined;

  constructor({ origin, countedOrigin }: Target, { socket, address }: Dialled) {
    this.origin = origin;
    this.countedOrigin = countedOrigin;
    this.address = address;
    this.#socket = socket;
    this.#client = new Client(origin, {
      connect: handOver(socket),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      // One timer ends the whole attempt; the library's own timers would only obscure the cause.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: MAX_KEPT_MS,
      keepAliveTimeoutThreshold: 1_000,
      maxRequestsPerClient: REQUESTS_PER_CONNECTION,
    });
    socket.once('close', () => this.#client.destroy().catch(() => undefined));
    socket.on('readable', () => this.#running?.requireBound());
  }

  /** Whether it was used before: the receiver may then close it at the moment of the next request. */
  get isKept(): boolean {
    return this.#requests > 1;
  }

  /** Whether it may be used once more. */
  get isAlive(): boolean {
    return !this.#socket.destroyed && this.#socket.readable && this.#socket.writable;
  }

  /** Calls back once, when the socket is closed and its descriptor is free. */
  onceClosed(callback: () => void): void {
    if (this.#socket.closed) {
      queueMicrotask(callback);
    } else {
      this.#socket.once('close', callback);
    }
  }

  /** Sends one request and reads the response; see `Exchange` for how it ends. */
  async send(outgoing: Outgoing, ending: EarlyEnd): Promise<Answer> {
    this.#requests += 1;
    const running = new Exchange(this.#socket, ending);
    this.#running = running;
    try {
      return await running.run(this.#client, outgoing);
    } finally {
      this.#running = undefined;
    }
  }

  /** Closes it immediately. */
  destroy(): void {
    this.#socket.destroy();
  }
}

/**
 * A connector that returns this socket, once, so that the client cannot reconnect to an unvetted host. It calls back
 * asynchronously, because the client does not continue after a synchronous callback.
 */
function handOver(socket: TLSSocket): buildConnector.connector {
  let isTaken = false;
  return (_options, callback) =>
    queueMicrotask(() => {
      if (isTaken || socket.destroyed) {
        callback(Object.assign(new Error('the connection is gone'), { code: CONNECTION_IS_GONE }), null);
      } else {
        isTaken = true;
        callback(null, socket);
      }
    });
}
