import { type EndpointKey, keyOf } from '../endpoint-state/endpoint-key.ts';

/**
 * The first attempts that this process took and has under way, by endpoint. They are counted here alone: an endpoint that answers
 * well has thousands of them a minute, and a count in its row would be written twice for each.
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

/** What waits for longer is planned, so that an endpoint which hangs delays no other that gets the same event. */
const FLOWING_MS = 500;
