import type { Clock, Pause } from '../../clock/index.ts';

/** The dependencies of the throttle. */
export interface LoginThrottleTools {
  clock: Clock;
  pause: Pause;
  /** Creates the error thrown when too many are already waiting. */
  overflow(): Error;
}

/**
 * Slows down guesses at one email address, in addition to the lock: after five attempts, each further one waits before
 * it is checked. Known and unknown addresses are treated alike, so that the wait reveals nothing. It is local to this
 * process: it only slows guessing down; the lock, which all processes share, stops it.
 */
export class LoginThrottle {
  readonly #tools: LoginThrottleTools;
  readonly #attempts = new Map<string, { count: number; latestMs: number }>();
  #waiting = 0;

  constructor(tools: LoginThrottleTools) {
    this.#tools = tools;
  }

  /**
   * Counts an attempt at this address, at its start so that concurrent attempts do not slip past, and waits its turn.
   */
  async enter(email: string): Promise<void> {
    const pauseMs = pauseBefore(this.#count(email));
    if (pauseMs === 0) {
      return;
    }
    if (this.#waiting >= MAX_WAITING) {
      throw this.#tools.overflow();
    }
    this.#waiting += 1;
    try {
      await this.#tools.pause(pauseMs);
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * Waits until a failure has been counted, and at least for a minimum time: only an existing address has a row to
   * write, and the milliseconds for that would reveal it.
   */
  async hide(counted: Promise<void>): Promise<void> {
    await Promise.all([counted, this.#tools.pause(HIDDEN_MS)]);
  }

  /** Forgets the attempts at an address after its owner has logged in. */
  forget(email: string): void {
    this.#attempts.delete(email);
  }

  #count(email: string): number {
    const nowMs = this.#tools.clock.nowMs();
    const known = this.#attempts.get(email);
    const count = known === undefined || nowMs - known.latestMs >= REMEMBERED_MS ? 1 : known.count + 1;
    // Inserted again, so that the map stays ordered by the latest attempt.
    this.#attempts.delete(email);
    this.#attempts.set(email, { count, latestMs: nowMs });
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > MAX_ADDRESSES && oldest !== undefined) {
      this.#attempts.delete(oldest);
    }
    return count;
  }
}

/** How long the n-th attempt waits, in milliseconds: 0 for the first five, then 250 doubling up to 2,000. */
export function pauseBefore(attempt: number): number {
  return attempt <= FREE_ATTEMPTS ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempt - FREE_ATTEMPTS - 1), LONGEST_PAUSE_MS);
}

const FREE_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** Longer than a commit, and too short for a user with a typo to notice. */
const HIDDEN_MS = 50;
const REMEMBERED_MS = 15 * 60_000;
const MAX_ADDRESSES = 10_000;
const MAX_WAITING = 200;
