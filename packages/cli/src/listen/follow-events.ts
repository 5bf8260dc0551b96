import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, Page, Seathold } from '@seathold/client';
import { type Patience, withPatience } from './patience.ts';
import type { PollPace } from './poll-pace.ts';
import { SeenEvents } from './seen-events.ts';

/** What events are followed with. */
export interface Following {
  client: Pick<Seathold, 'events'>;
  /** From when on, in milliseconds since 1970; undefined: what happens from now on. */
  sinceMs: number | undefined;
  pace: Pick<PollPace, 'intervalMs' | 'pageIntervalMs'>;
  patience: Patience;
  /** Called once, when nothing that happens from here on is missed. */
  onReady(): void;
  /** A clock that only goes forward; tests move their own. */
  steadyNowMs?: () => number;
}

/**
 * Milliseconds from an event's `created` to its commit, at most. The service ends a statement after 5 s and a transaction
 * that idles for as long, and what comes after an event in its transaction is a handful of statements.
 */
const OVERLAP_MS = 60_000;
/** Most transactions take much less, so this much is read again each time. */
const SHORT_OVERLAP_MS = 2_000;
/** Where the overlap is more than a page, all of it is read again this often: so it costs twice the events, not fifty times. */
const READ_ALL_EVERY_MS = 60_000;
const PAGE_SIZE = 100;

/**
 * An organization's events as they happen, each once, until the signal. An event is written before its transaction is
 * committed, so one may appear behind others that are newer: the overlap is read again, and what was seen is left out.
 * Rejects when the first call fails, and later on errors that retries cannot fix.
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
    // What is committed from here on was created after this, and nearly all of it after the other.
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

/** When the whole overlap is read again: each time as long as it is one page, and else now and then. */
class FullReads {
  readonly #steadyNowMs: () => number;
  #dueAtMs = Number.NEGATIVE_INFINITY;

  constructor(steadyNowMs: () => number) {
    this.#steadyNowMs = steadyNowMs;
  }

  isDue(): boolean {
    return this.#steadyNowMs() >= this.#dueAtMs;
  }

  /** How many events the full read found that has just ended. */
  note(count: number): void {
    this.#dueAtMs = count <= PAGE_SIZE ? Number.NEGATIVE_INFINITY : this.#steadyNowMs() + READ_ALL_EVERY_MS;
  }
}

/** Finds what the organization's clock shows. What happened until now is seen, unless the past was asked for as well. */
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

/** The events after a time, the oldest first; as much as there is now. */
async function* readSince({ client, pace, patience }: Following, fromMs: number): AsyncGenerator<Event> {
  const { signal } = patience;
  const query = Number.isFinite(fromMs) ? { created_after: new Date(Math.floor(fromMs)).toISOString() } : {};
  // The client's own retries would keep trouble from being told.
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
 * The least that the organization's clock can show. It may run ahead of all others, so none is asked but the events: once
 * one has been seen the clock is at least there, and from then on it continues like ours.
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

/** Two clocks may differ by some hundred millionths; in weeks of silence that would be more than the overlap. */
const SLOWER = 0.999;
