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
  pace: PollPace;
  patience: Patience;
  /** Called once, when nothing that happens from here on is missed. */
  onReady(): void;
}

/** Milliseconds from an event's `created` to its commit, at most: so much is read again each time. */
const OVERLAP_MS = 10_000;
const PAGE_SIZE = 100;

/**
 * An organization's events as they happen, each once, until the signal. An event is written before its transaction is
 * committed, so one may appear behind others that are newer: the last seconds are read again, and what was seen is left
 * out. Rejects when the first call fails, and later with what does not pass by itself.
 */
export async function* followEvents(following: Following): AsyncGenerator<Event> {
  const { pace, patience, sinceMs = Number.NEGATIVE_INFINITY } = following;
  const seen = new SeenEvents();
  const clock = new EventClock();
  await begin(following, seen, clock);
  following.onReady();
  for (;;) {
    // What is committed from here on was created after this.
    const nextFromMs = clock.nowMs() - OVERLAP_MS;
    for await (const event of readSince(following, Math.max(seen.fromMs, sinceMs - 1))) {
      const createdMs = Date.parse(event.created);
      clock.note(createdMs);
      if (!seen.has(event.id)) {
        if (createdMs > nextFromMs) {
          seen.add(event.id, createdMs);
        }
        yield event;
      }
    }
    seen.forgetUntil(nextFromMs);
    await sleep(pace.intervalMs, undefined, { signal: patience.signal });
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
 * one has been seen the clock is at least there, and from then on it goes on like ours.
 */
class EventClock {
  #ms = Number.NEGATIVE_INFINITY;
  #readAtMs = 0;

  note(createdMs: number): void {
    if (createdMs > this.nowMs()) {
      this.#ms = createdMs;
      this.#readAtMs = performance.now();
    }
  }

  nowMs(): number {
    return this.#ms + (performance.now() - this.#readAtMs) * SLOWER;
  }
}

/** Two clocks may differ by some hundred millionths; in weeks of silence that would be more than the overlap. */
const SLOWER = 0.999;
