/**
 * How often to ask. The requests of a person count together, whatever tokens they use, so listening never takes more than
 * three quarters of what any window of the rate limit has left: a command left running must not cost anybody a seat.
 */
export class PollPace {
  #intervalMs = MIN_MS;

  /** Reads what an answer's header `RateLimit` says of every window: `"minute";r=59;t=60, "hour";r=999;t=3600`. */
  note(rateLimit: string | null): void {
    const windows = [...(rateLimit ?? '').matchAll(/;r=(\d+);t=(\d+)/g)];
    const intervals = windows.map(([, remaining, seconds]) => {
      return (Number(seconds) * 1000) / Math.max(1, Number(remaining) * SHARE);
    });
    this.#intervalMs = Math.min(MAX_MS, Math.max(MIN_MS, ...intervals));
  }

  /** Milliseconds from one question for news to the next. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Milliseconds between the pages of one answer, which come at once as long as there is plenty of room. */
  get pageIntervalMs(): number {
    return this.#intervalMs > MIN_MS ? this.#intervalMs : 0;
  }
}

const SHARE = 0.75;
const MIN_MS = 1_000;
/** The day's window of the smallest plan asks for 11.5 s. Beyond this the service's own 429 says how long to wait. */
const MAX_MS = 15_000;
