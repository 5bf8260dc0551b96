import { type AttemptError, AttemptFailure, errorOfStatus } from './attempt-errors.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { type Answer, type Exchange, Unsent } from './exchange.ts';
import { toExcerpt } from './response-excerpt.ts';
import { parseUrl } from './url-rules.ts';

export interface OutgoingRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What came of one attempt. */
export interface AttemptResult {
  /** Null when no answer came. */
  statusCode: number | null;
  /** Null exactly when the status was 2xx; what becomes of the body after the head changes nothing. */
  error: AttemptError | null;
  durationMs: number;
  /** The peer's address as it was dialled; null when none was, when several failed, and behind an egress proxy. */
  address: string | null;
  /** At most 4 KiB of UTF-8, without NUL and lone surrogates; null without an answer. */
  responseExcerpt: string | null;
}

/** Of the contract: 5 s to connect, the look-up and TLS included. */
export const CONNECT_MS = 5_000;

/** Makes one attempt; see `Sender.send`. */
export async function sendOnce(
  pool: ConnectionPool,
  timeoutMs: number,
  request: OutgoingRequest,
  cutOff: AbortSignal | undefined,
): Promise<AttemptResult> {
  cutOff?.throwIfAborted();
  const startedAtMs = performance.now();
  const attempt = new Attempt(pool, timeoutMs, cutOff);
  try {
    const { statusCode, body } = await attempt.run(request);
    return {
      statusCode,
      error: errorOfStatus(statusCode),
      durationMs: Math.round(performance.now() - startedAtMs),
      address: attempt.address,
      responseExcerpt: toExcerpt(body),
    };
  } catch (error) {
    cutOff?.throwIfAborted();
    const failure = error instanceof AttemptFailure ? error : new AttemptFailure('invalid_response', null, error);
    return {
      statusCode: null,
      error: failure.kind,
      durationMs: Math.round(performance.now() - startedAtMs),
      address: attempt.address ?? failure.address,
      responseExcerpt: null,
    };
  } finally {
    attempt.end();
  }
}

/** One attempt in flight. Anything that ends it early aborts its signal, with the error class as the reason. */
class Attempt {
  address: string | null = null;
  readonly #pool: ConnectionPool;
  readonly #controller = new AbortController();
  readonly #cutOff: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #isConnected = false;

  constructor(pool: ConnectionPool, timeoutMs: number, cutOff: AbortSignal | undefined) {
    this.#pool = pool;
    this.#cutOff = cutOff;
    // Listened to by hand, because AbortSignal.any would hang on to the one signal that all attempts share.
    cutOff?.addEventListener('abort', this.#abort);
    this.#timer = setTimeout(() => {
      this.#controller.abort(new AttemptFailure(this.#isConnected ? 'timeout' : 'connect_timeout'));
    }, timeoutMs);
  }

  readonly #abort = () => this.#controller.abort(this.#cutOff?.reason);

  /** Connects, sends, and reads the answer; rejects with an AttemptFailure or the signal's reason. */
  async run({ url: text, headers, body }: OutgoingRequest): Promise<Answer> {
    const read = parseUrl(text);
    if ('refusal' in read) {
      throw new AttemptFailure('forbidden_address');
    }
    const { url } = read;
    const request: Exchange = { path: url.pathname + url.search, headers, body };
    try {
      return await this.#runOn(url, 'any', request);
    } catch (error) {
      if (!(error instanceof KeptConnectionLost)) {
        throw error;
      }
      // The receiver closed the connection that it had kept, before anything was written to it: one try on a fresh one.
      return await this.#runOn(url, 'fresh', request);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#cutOff?.removeEventListener('abort', this.#abort);
  }

  async #runOn(url: URL, wanted: 'any' | 'fresh', request: Exchange): Promise<Answer> {
    const { signal } = this.#controller;
    const connection = await this.#connect(url, wanted);
    try {
      return await connection.send(request, signal);
    } catch (error) {
      throw error instanceof Unsent && connection.isKept ? new KeptConnectionLost(error) : error;
    } finally {
      this.#pool.giveBack(connection);
    }
  }

  async #connect(url: URL, wanted: 'any' | 'fresh'): Promise<Connection> {
    this.#isConnected = false;
    this.address = null;
    const timer = setTimeout(() => this.#controller.abort(new AttemptFailure('connect_timeout')), CONNECT_MS);
    try {
      const connection = await this.#pool.take(url, this.#controller.signal, wanted);
      this.address = connection.address;
      this.#isConnected = true;
      return connection;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The one failure that is tried again at once. */
class KeptConnectionLost extends AttemptFailure {
  constructor(failure: Unsent) {
    super(failure.kind, null, failure);
  }
}
