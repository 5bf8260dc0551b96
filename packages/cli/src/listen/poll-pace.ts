/**
 * The polling interval. A user's requests count together for all their tokens, and a command left running must not cost
 * anyone a seat: while half of every rate-limit window is left, it polls every second; below that, at intervals that
 * leave a quarter at the end of the window.
 */
export class PollPace {
  #intervalMs = MIN_MS;

  /**
   * Reads every window from the headers of a response: `RateLimit-Policy: "minute";q=60;w=60`, `RateLimit:
   * "minute";r=59;t=60`.
   */
  note(headers: { get(name: string): string | null }): void {
    const quotas = new Map(
      [...(headers.get('ratelimit-policy') ?? '').matchAll(/"([^"]+)";q=(\d+)/g)].map(
        ([, name, quota]) => [name, Number(quota)] as const,
      ),
    );
    const intervals = [...(headers.get('ratelimit') ?? '').matchAll(/"([^"]+)";r=(\d+);t=(\d+)/g)].map(
      ([, name, remaining, seconds]) => intervalMs(quotas.get(name) ?? 0, Number(remaining), Number(seconds) * 1000),
    );
    this.#intervalMs = Math.min(MAX_MS, Math.max(MIN_MS, ...intervals));
  }

  /** Milliseconds between two polls. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Milliseconds between the pages of one poll, which follow immediately while there is plenty of capacity. */
  get pageIntervalMs(): number {
    return this.#intervalMs > MIN_MS ? this.#intervalMs : 0;
  }
}

function intervalMs(quota: number, remaining: number, untilResetMs: number): number {
  return remaining > quota / 2 ? 0 : untilResetMs / Math.max(1, remaining - quota / 4);
}

const MIN_MS = 1_000;
/** A service may count without refusing; a refusal says how long to wait. */
const MAX_MS = 30_000;
