import type { QueryClient } from '@tanstack/react-query';
import { isConcerned, isLiveQuery } from './concerned-queries.ts';
import type { LiveEvent } from './live-event.ts';

/** Events in quick succession refresh a query once. */
const GATHER_MS = 200;
/** With continuous events, screens refresh at a pace that people can read and rate limits allow. */
const PACE_MS = 3_000;
/** A delivery is created after its event, and attempted within a second. */
const DELIVERY_MS = 1_500;
/** More events than this in the background refresh everything, which bounds the memory. */
const MOST = 200;

/** Invalidates the queries that events concern. A hidden tab waits until it is visible. */
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

  /** Data loaded before events arrived may have changed in the meantime. */
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
