import type { Timed, TimerQueue } from '../../clock/index.ts';
import { type AttemptError, AttemptFailure, errorOfStatus } from './attempt-errors.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { EarlyEnd } from './early-end.ts';
import { type Answer, type Outgoing, Unsent } from './exchange.ts';
import { toExcerpt } from './response-excerpt.ts';
import type { ParsedUrls, Target } from './url-rules.ts';

export interface OutgoingRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The outcome of one attempt. */
export interface AttemptResult {
  /** Null if there was no response. */
  statusCode: number | null;
  /** Null exactly if the status was 2xx, regardless of what happens to the body after the head. */
  error: AttemptError | null;
  durationMs: number;
  /** The peer's dialed address; null if none was dialed, several failed, or there is an egress proxy. */
  address: string | null;
  /** At most 4 KiB of UTF-8, without NUL and lone surrogates; null without a response. */
  responseExcerpt: string | null;
}

/** From the contract: 5 s to connect, including the look-up and TLS. */
export const CONNECT_MS = 5_000;

/** Shared by all attempts of a sender. */
export interface AttemptTools {
  pool: ConnectionPool;
  urls: ParsedUrls;
  /** The time of a whole attempt, and the time to connect. */
  timeouts: TimerQueue;
  connectTimeouts: TimerQueue;
}

/** One attempt in flight. It is always ended early with the error class as the reason. */
export class Attempt {
  readonly #tools: AttemptTools;
  readonly #ending = new EarlyEnd();
  #address: string | null = null;
  #isConnected = false;
  #isCutOff = false;

  constructor(tools: AttemptTools) {
    this.#tools = tools;
  }

  /** Ends it, and lets `run` reject with the reason unless the receiver has already responded. */
  cutOff(reason: unknown): void {
    this.#isCutOff = true;
    this.#ending.end(reason);
  }

  /** Makes the attempt; see `Sender.send`. */
  async run(request: OutgoingRequest): Promise<AttemptResult> {
    const startedAtMs = performance.now();
    const timeout = this.#tools.timeouts.start(() =>
      this.#ending.end(new AttemptFailure(this.#isConnected ? 'timeout' : 'connect_timeout')),
    );
    try {
      const { statusCode, body } = await this.#send(request);
      return {
        statusCode,
        error: errorOfStatus(statusCode),
        durationMs: Math.round(performance.now() - startedAtMs),
        address: this.#address,
        responseExcerpt: toExcerpt(body),
      };
    } catch (error) {
      if (this.#isCutOff) {
        throw this.#ending.reason;
      }
      const failure = error instanceof AttemptFailure ? error : new AttemptFailure('invalid_response', null, error);
      return {
        statusCode: null,
        error: failure.kind,
        durationMs: Math.round(performance.now() - startedAtMs),
        address: this.#address ?? failure.address,
        responseExcerpt: null,
      };
    } finally {
      this.#tools.timeouts.stop(timeout);
    }
  }

  /** Connects, sends, and reads the response; rejects with an AttemptFailure or the reason of the end. */
  async #send({ url, headers, body }: OutgoingRequest): Promise<Answer> {
    const target = this.#tools.urls.get(url);
    if (target === undefined) {
      throw new AttemptFailure('forbidden_address');
    }
    const outgoing: Outgoing = { path: target.path, headers, body };
    try {
      return await this.#sendOn(target, 'any', outgoing);
    } catch (error) {
      if (!(error instanceof KeptConnectionLost)) {
        throw error;
      }
      // The receiver closed a kept connection before anything was written to it: try once on a new one.
      return await this.#sendOn(target, 'fresh', outgoing);
    }
  }

  async #sendOn(target: Target, wanted: 'any' | 'fresh', outgoing: Outgoing): Promise<Answer> {
    const { pool } = this.#tools;
    const connection = (wanted === 'any' ? pool.takeFree(target) : undefined) ?? (await this.#connect(target, wanted));
    this.#address = connection.address;
    this.#isConnected = true;
    try {
      return await connection.send(outgoing, this.#ending);
    } catch (error) {
      throw error instanceof Unsent && connection.isKept ? new KeptConnectionLost(error) : error;
    } finally {
      pool.giveBack(connection);
    }
  }

  async #connect(target: Target, wanted: 'any' | 'fresh'): Promise<Connection> {
    const { pool, connectTimeouts } = this.#tools;
    this.#isConnected = false;
    this.#address = null;
    const timeout: Timed = connectTimeouts.start(() => this.#ending.end(new AttemptFailure('connect_timeout')));
    try {
      return await pool.take(target, this.#ending, wanted);
    } finally {
      connectTimeouts.stop(timeout);
    }
  }
}

/** The only failure that is retried immediately. */
class KeptConnectionLost extends AttemptFailure {
  constructor(failure: Unsent) {
    super(failure.kind, null, failure);
  }
}
