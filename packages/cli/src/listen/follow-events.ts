import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, Page, Seathold } from '@seathold/client';
import { type Patience, withPatience } from './patience.ts';
import type { PollPace } from './poll-pace.ts';
import { SeenEvents } from './seen-events.ts';

/** The options of following events. */
export interface Following {
  client: Pick<Seathold, 'events'>;
  /** The start, in milliseconds since 1970; undefined for now. */
  sinceMs: number | undefined;
  pace: Pick<PollPace, 'intervalMs' | 'pageIntervalMs'>;
  patience: Patience;
  /** Called once, when no later event can be missed. */
  onReady(): void;
  /** A monotonic clock; tests move their own. */
  steadyNowMs?: () => number;
}

/**
 * Milliseconds from an event's `created` to its commit, at most. The service ends a statement after 5 s and a
 * transaction that idles equally long, and only a few statements follow an event in its transaction.
 */
const OVERLAP_MS = 60_000;
/** Most transactions take much less, so this much is read again each time. */
const SHORT_OVERLAP_MS = 2_000;
/**
 * If the overlap is more than a page, all of it is read again only this often, so it costs twice the events, not fifty
 * times.
 */
const READ_ALL_EVERY_MS = 60_000;
const PAGE_SIZE = 100;

/**
 * An organization's events as they happen, each once, until the signal. An event is written before its transaction is
 * committed, so one may appear after newer ones: the overlap is read again, and seen events are skipped. Rejects if the
 * first call fails, and later on errors that retries cannot fix.
 */
export async function* followEvents(following: Following): AsyncGenerator<Event> {
  const { pace, patience, sinceMs = Number.NEGATIVE_INFINITY, steadyNowMs = () => performance.now() } = following;
  const seen = new SeenEvents();
  const clock = new EventClock(steadyNowMs);
  await begin(following, seen, clock);
  following.onReady();
  const fullReads = new FullReads(steadyNowMs);
  let newsFromMs = seen.fromMs;
  for (;;) {
    const isFull = fullReads.isDue();
    const fromMs = isFull ? seen.fromMs : Math.max(seen.fromMs, newsFromMs);
    // Events committed from now on were created after this, and nearly all of them after the other.
    const nextFromMs = clock.nowMs() - OVERLAP_MS;
    newsFromMs = clock.nowMs() - SHORT_OVERLAP_MS;
    let count = 0;
    for await (const event of readSince(following, Math.max(fromMs, sinceMs - 1))) {
      const createdMs = Date.parse(event.created);
      clock.note(createdMs);
      count += 1;
      if (!seen.has(event.id)) {
        if (!isFull || createdMs > nextFromMs) {
          seen.add(event.id, createdMs);
        }
        yield event;
      }
    }
    if (isFull) {
      seen.forgetUntil(nextFromMs);
      fullReads.note(count);
    }
    await sleep(pace.intervalMs, undefined, { signal: patience.signal });
  }
}

/** When the whole overlap is read again: each time while it is one page, otherwise periodically. */
class FullReads {
  readonly #steadyNowMs: () => number;
  #dueAtMs = Number.NEGATIVE_INFINITY;

  constructor(steadyNowMs: () => number) {
    this.#steadyNowMs = steadyNowMs;
  }

  isDue(): boolean {
    return this.#steadyNowMs() >= this.#dueAtMs;
  }

  /** How many events the last full read found. */
  note(count: number): void {
    this.#dueAtMs = count <= PAGE_SIZE ? Number.NEGATIVE_INFINITY : this.#steadyNowMs() + READ_ALL_EVERY_MS;
  }
}

/** Finds the time of the organization's clock. Events until now count as seen, unless the past was requested. */
async function begin({ client, sinceMs, patience }: Following, seen: SeenEvents, clock: EventClock): Promise<void> {
  const { signal } = patience;
  const newest = await client.events.list({ sort: '-created', limit: PAGE_SIZE }, { signal });
  const newestMs = Date.parse(newest.data[0]?.created ?? '');
  if (Number.isNaN(newestMs)) {
    return;
  }
  clock.note(newestMs);
  if (sinceMs !== undefined) {
    return;
  }
  seen.forgetUntil(newestMs - OVERLAP_MS);
  for await (const { id, created } of newest) {
    if (Date.parse(created) <= seen.fromMs) {
      return;
    }
    seen.add(id, Date.parse(created));
  }
}

/** The current events after a time, oldest first. */
async function* readSince({ client, pace, patience }: Following, fromMs: number): AsyncGenerator<Event> {
  const { signal } = patience;
  const query = Number.isFinite(fromMs) ? { created_after: new Date(Math.floor(fromMs)).toISOString() } : {};
  // The client's own retries would delay reporting a problem.
  let page: Page<Event> | undefined = await withPatience(patience, () =>
    client.events.list({ ...query, sort: 'created', limit: PAGE_SIZE }, { signal, maxRetries: 0 }),
  );
  while (page !== undefined) {
    yield* page.data;
    const last: Page<Event> = page;
    if (last.pagination.has_more) {
      await sleep(pace.pageIntervalMs, undefined, { signal });
    }
    page = await withPatience(patience, () => last.nextPage());
  }
}

/**
 * The minimum time of the organization's clock. It may run ahead of all others, so only events are used: after one has
 * been seen, the clock is at least at its time, and then continues like ours.
 */
class EventClock {
  #ms = Number.NEGATIVE_INFINITY;
  #readAtMs = 0;
  readonly #steadyNowMs: () => number;

  constructor(steadyNowMs: () => number) {
    this.#steadyNowMs = steadyNowMs;
  }

  note(createdMs: number): void {
    if (createdMs > this.nowMs()) {
      this.#ms = createdMs;
      this.#readAtMs = this.#steadyNowMs();
    }
  }

  nowMs(): number {
    return this.#ms + (this.#steadyNowMs() - this.#readAtMs) * SLOWER;
  }
}

/** Two clocks may drift by about a hundred parts per million; over weeks of silence, that would exceed the overlap. */
const SLOWER = 0.999;
