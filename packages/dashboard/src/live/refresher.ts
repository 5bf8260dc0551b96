import type { QueryClient } from '@tanstack/react-query';
import { isConcerned, isLiveQuery } from './concerned-queries.ts';
import type { LiveEvent } from './live-event.ts';

/** Events that come close together refresh a query once. */
const GATHER_MS = 200;
/** Where events never stop, screens follow at a pace that people can read and that rate limits allow. */
const PACE_MS = 3_000;
/** A delivery is made after its event, and attempted within a second. */
const DELIVERY_MS = 1_500;
/** More events than this in the background refresh everything, so that memory stays flat. */
const MOST = 200;

/** Invalidates the queries that events concern. A tab that nobody looks at waits until someone does. */
export class Refresher {
  readonly #cache: QueryClient;
  #waiting: LiveEvent[] = [];
  #hasTooMany = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deliveryTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshedAtMs = 0;

  constructor(cache: QueryClient) {
    this.#cache = cache;
    document.addEventListener('visibilitychange', this.#plan);
  }

  add(event: LiveEvent): void {
    if (this.#waiting.length < MOST) {
      this.#waiting.push(event);
    } else {
      this.#hasTooMany = true;
    }
    this.#plan();
  }

  /** What was loaded before events arrived may have changed meanwhile. */
  refreshOlderThan(sinceMs: number): void {
    void this.#cache.invalidateQueries({
      predicate: ({ queryKey, state }) =>
        isLiveQuery(queryKey) && state.dataUpdatedAt > 0 && state.dataUpdatedAt < sinceMs,
    });
  }

  end(): void {
    document.removeEventListener('visibilitychange', this.#plan);
    clearTimeout(this.#timer);
    clearTimeout(this.#deliveryTimer);
  }

  readonly #plan = (): void => {
    if (this.#waiting.length > 0 && !document.hidden) {
      const delayMs = Math.max(GATHER_MS, this.#refreshedAtMs + PACE_MS - Date.now());
      this.#timer ??= setTimeout(() => this.#refresh(), delayMs);
    }
  };

  #refresh(): void {
    this.#timer = undefined;
    this.#refreshedAtMs = Date.now();
    const events = this.#waiting;
    const isAll = this.#hasTooMany;
    this.#waiting = [];
    this.#hasTooMany = false;
    void this.#cache.invalidateQueries({
      predicate: ({ queryKey }) =>
        isAll ? isLiveQuery(queryKey) : events.some((event) => isConcerned(event, queryKey)),
    });
    clearTimeout(this.#deliveryTimer);
    this.#deliveryTimer = setTimeout(() => {
      void this.#cache.invalidateQueries({ queryKey: ['webhooks'] });
    }, DELIVERY_MS);
  }
}
