import type { Redis } from 'ioredis';
import type { Logger } from '../../log/index.ts';
import { readDecision } from './decision-numbers.ts';
import type { RateLimiter, TakeRequest } from './limiter.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import { scriptArguments, scriptKeys, TAKE_SCRIPT, TAKE_SCRIPT_SHA1 } from './redis-script.ts';
import type { Decision } from './windows.ts';

export interface RedisLimiterOptions {
  /** `redis://`, `rediss://` or the path of a Unix socket; a single primary, not a cluster. */
  readonly url: string;
  readonly log: Logger;
  /** Begins every key. Environments that share a Redis need different ones. */
  readonly keyPrefix: string;
  /** With `redis` (the default), all processes agree; `request` is for tests, which move the time. */
  readonly timeFrom?: 'redis' | 'request';
  /** How long to wait for a decision of Redis; tests wait longer because the machine may be busy. */
  readonly answerWithinMs?: number;
}

/** A slow Redis must not delay requests longer than this. */
const ANSWER_WITHIN_MS = 50;
/** How long Redis is not used after a failure, so that nothing queues behind a hanging one. */
const PAUSE_MS = 1_000;
const LOG_EVERY_MS = 60_000;
/**
 * The maximum number of outstanding replies. At 50 ms each that is 80,000 decisions per second, more than one Redis can
 * make.
 */
const MAX_IN_FLIGHT = 4_000;

/**
 * Connects to Redis and returns when connected or after one second: a Redis outage can happen at any time, so it does
 * not prevent startup.
 */
export async function connectRedisLimiter(options: RedisLimiterOptions): Promise<RateLimiter> {
  // Loaded only here, because most installations have no Redis.
  const { Redis } = await import('ioredis');
  const redis = new Redis(options.url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    connectTimeout: 1_000,
    disconnectTimeout: 500,
    // Commands that timed out still wait for their replies; a dead connection has to drop them.
    socketTimeout: Math.max(5_000, options.answerWithinMs ?? 0),
    retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
  });
  return RedisLimiter.start(redis, options);
}

/** Counts in Redis for all processes together, and in this process while Redis is slow or unavailable. */
class RedisLimiter implements RateLimiter {
  readonly #redis: Redis;
  readonly #options: RedisLimiterOptions;
  /** Counts made here are not carried over: after an outage, Redis's counts continue where they were. */
  readonly #insurance = new MemoryLimiter();
  #inFlight = 0;
  #isAway = false;
  #askAgainAtMs = 0;
  #logAgainAtMs = 0;

  static async start(redis: Redis, options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(redis, options);
    redis.on('error', (error) => limiter.#report(error));
    try {
      await redis.connect();
    } catch (error) {
      limiter.#report(error);
    }
    return limiter;
  }

  private constructor(redis: Redis, options: RedisLimiterOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  take(request: TakeRequest): Decision | Promise<Decision> {
    return this.#mayAsk() ? this.#takeShared(request) : this.#insurance.take(request);
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.#insurance.close();
  }

  /** During an outage, one request per pause checks whether Redis is back. */
  #mayAsk(): boolean {
    if (this.#redis.status !== 'ready' || this.#inFlight >= MAX_IN_FLIGHT) {
      return false;
    }
    if (this.#isAway) {
      const nowMs = performance.now();
      if (nowMs < this.#askAgainAtMs) {
        return false;
      }
      this.#askAgainAtMs = nowMs + PAUSE_MS;
    }
    return true;
  }

  async #takeShared(request: TakeRequest): Promise<Decision> {
    this.#inFlight += 1;
    try {
      const decision = readDecision(request, await this.#runScript(request));
      this.#isAway = false;
      return decision;
    } catch (error) {
      this.#isAway = true;
      this.#askAgainAtMs = performance.now() + PAUSE_MS;
      this.#report(error);
      return this.#insurance.take(request);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #runScript(request: TakeRequest): Promise<unknown> {
    const keys = scriptKeys(this.#options.keyPrefix, request);
    const values = scriptArguments(request, this.#options.timeFrom === 'request' ? request.nowMs : undefined);
    try {
      return await this.#redis.evalsha(TAKE_SCRIPT_SHA1, keys.length, ...keys, ...values);
    } catch (error) {
      // Redis forgets scripts when it restarts. Sending the text loads the script again.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return await this.#redis.eval(TAKE_SCRIPT, keys.length, ...keys, ...values);
      }
      throw error;
    }
  }

  #report(error: unknown): void {
    const nowMs = performance.now();
    if (nowMs >= this.#logAgainAtMs) {
      this.#logAgainAtMs = nowMs + LOG_EVERY_MS;
      this.#options.log.warn(
        { err: error },
        'Redis is slow or unavailable; rate limits are counted in this process until it responds',
      );
    }
  }
}
