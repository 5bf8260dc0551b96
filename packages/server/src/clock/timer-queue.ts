/** A call that waits for its time. */
export interface Timed {
  readonly dueAtMs: number;
  /** Undefined after it was called or stopped. */
  call: (() => void) | undefined;
}

/**
 * Calls functions after a delay that is the same for all, so that they form a queue and share one timer. Thousands of
 * attempts run at a time, and almost none of their timeouts are ever reached.
 */
export class TimerQueue {
  readonly #delayMs: number;
  /** Ordered by time. */
  readonly #waiting = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  start(call: () => void): Timed {
    const timed: Timed = { dueAtMs: performance.now() + this.#delayMs, call };
    this.#waiting.add(timed);
    this.#timer ??= this.#wait(this.#delayMs);
    return timed;
  }

  /** Drops the function as well: a long-lived set keeps removed entries alive until a full garbage collection. */
  stop(timed: Timed): void {
    this.#waiting.delete(timed);
    timed.call = undefined;
  }

  /**
   * The timer is left to fire even if nothing waits, because this class exists to avoid resetting it for each attempt.
   * After the event loop was blocked, timers run before sockets are read, so responses that arrived in time are handled
   * first.
   */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#callDue()), milliseconds).unref();
  }

  #callDue(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const timed of this.#waiting) {
      if (timed.dueAtMs > nowMs) {
        // Rounded up, because a timer that fires a fraction too early would be reset again and again.
        this.#timer = this.#wait(Math.ceil(timed.dueAtMs - nowMs));
        return;
      }
      const { call } = timed;
      this.stop(timed);
      call?.();
    }
  }
}
