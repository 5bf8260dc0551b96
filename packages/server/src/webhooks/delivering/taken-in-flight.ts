import { type EndpointKey, keyOf } from '../endpoint-state/endpoint-key.ts';

/**
 * The taken first attempts that this process has in flight, by endpoint. They are only counted here: a healthy endpoint
 * has thousands of them per minute, and a count in its row would be written twice for each.
 */
export class TakenInFlight {
  readonly #endpoints = new Map<string, { count: number; movedAtMs: number }>();

  get isEmpty(): boolean {
    return this.#endpoints.size === 0;
  }

  count(key: EndpointKey): number {
    return this.#endpoints.get(keyOf(key))?.count ?? 0;
  }

  begin(key: EndpointKey, nowMs: number): void {
    const known = this.#endpoints.get(keyOf(key));
    if (known === undefined) {
      this.#endpoints.set(keyOf(key), { count: 1, movedAtMs: nowMs });
    } else {
      known.count += 1;
    }
  }

  end(key: EndpointKey, nowMs: number): void {
    const known = this.#endpoints.get(keyOf(key));
    if (known === undefined || known.count === 1) {
      this.#endpoints.delete(keyOf(key));
    } else {
      known.count -= 1;
      known.movedAtMs = nowMs;
    }
  }

  /** Whether attempts at the endpoint keep ending, so that one more may begin in a moment. */
  isFlowing(key: EndpointKey, nowMs: number): boolean {
    const known = this.#endpoints.get(keyOf(key));
    return known === undefined || nowMs - known.movedAtMs < FLOWING_MS;
  }
}

/** Events that wait longer are planned, so that a hanging endpoint does not delay others that get the same event. */
const FLOWING_MS = 500;
