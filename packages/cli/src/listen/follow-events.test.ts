import type { Event, Page } from '@seathold/client';
import { describe, expect, test } from 'vitest';
import { type Following, followEvents } from './follow-events.ts';

const START_MS = Date.parse('2026-01-31T12:00:00Z');

/** A service whose clock and events the test controls. Nothing waits for real time. */
function openService() {
  const committed: Event[] = [];
  let nowMs = START_MS;
  let requests = 0;
  let made = 0;
  let isSorted = true;
  const make = (agoMs = 0): Event =>
    ({ id: `evt_${(made++).toString().padStart(8, '0')}`, created: new Date(nowMs - agoMs).toISOString() }) as Event;
  const pageOf = (events: readonly Event[], limit: number): Page<Event> => {
    requests += 1;
    const rest = events.slice(limit);
    const data = events.slice(0, limit);
    return {
      data,
      pagination: { has_more: rest.length > 0 },
      nextPage: async () => (rest.length > 0 ? pageOf(rest, limit) : undefined),
      async *[Symbol.asyncIterator]() {
        yield* data;
        if (rest.length > 0) {
          yield* pageOf(rest, limit);
        }
      },
    } as unknown as Page<Event>;
  };
  const list = async ({ created_after: after = '', sort = '-created', limit = 20 } = {}) => {
    if (!isSorted) {
      committed.sort((one, other) => (one.created < other.created ? -1 : 1));
      isSorted = true;
    }
    // Exclusive, like the service's.
    const found =
      after === '' ? committed : committed.slice(committed.findLastIndex(({ created }) => created <= after) + 1);
    return pageOf(sort === 'created' ? found : found.toReversed(), limit);
  };
  return {
    client: { events: { list } } as unknown as Following['client'],
    steadyNowMs: () => nowMs - START_MS,
    pass: (ms: number) => {
      nowMs += ms;
    },
    make,
    commit: (...events: Event[]) => {
      committed.push(...events);
      isSorted = false;
    },
    requests: () => requests,
  };
}

/** Follows the events of a service. `round` lets it poll once and returns what it found. */
async function follow(service: ReturnType<typeof openService>) {
  const stopping = new AbortController();
  let asked = Promise.withResolvers<void>();
  let nextRound = Promise.withResolvers<void>();
  const found: string[] = [];
  const pace = {
    /** Read once at the end of each round. */
    get intervalMs() {
      asked.resolve();
      return 0;
    },
    pageIntervalMs: 0,
  };
  const list = service.client.events.list.bind(service.client.events);
  let isFirst = true;
  const gated = (async (...given: Parameters<typeof list>) => {
    if (!isFirst) {
      await nextRound.promise;
      nextRound = Promise.withResolvers<void>();
    }
    isFirst = false;
    return list(...given);
  }) as unknown as typeof list;
  const following = followEvents({
    client: { events: { list: gated } } as unknown as Following['client'],
    sinceMs: undefined,
    pace,
    patience: { signal: stopping.signal, onTrouble: () => undefined },
    onReady: () => undefined,
    steadyNowMs: service.steadyNowMs,
  });
  const reading = (async () => {
    for await (const event of following) {
      found.push(event.id);
    }
  })().catch(() => undefined);
  return {
    found,
    round: async () => {
      asked = Promise.withResolvers<void>();
      nextRound.resolve();
      await asked.promise;
      return found.splice(0);
    },
    stop: async () => {
      stopping.abort();
      nextRound.resolve();
      await reading;
    },
  };
}

const PER_SECOND = 300;

describe('following events', () => {
  test.each([5_000, 30_000, 55_000])(
    'finds an event that was committed %i ms after it was created',
    async (heldBackMs) => {
      const service = openService();
      service.commit(service.make());
      const following = await follow(service);
      const late = service.make();
      for (let passed = 0; passed < heldBackMs; passed += 5_000) {
        service.pass(5_000);
        const news = service.make();
        service.commit(news);
        expect(await following.round()).toEqual([news.id]);
      }
      service.commit(late);
      service.pass(1_000);
      expect(await following.round()).toEqual([late.id]);
      expect(await following.round()).toEqual([]);
      await following.stop();
    },
  );

  test('finds each of hundreds of events per second exactly once, late ones included, with at most six times the requests', async () => {
    const service = openService();
    service.commit(service.make());
    const following = await follow(service);
    const before = service.requests();
    const found: string[] = [];
    const late: Event[] = [];
    const seconds = 150;
    for (let second = 0; second < seconds; second += 1) {
      service.pass(1_000);
      const events = Array.from({ length: PER_SECOND }, () => service.make());
      // One of them is held back for 40 seconds.
      late.push(...events.splice(0, 1));
      service.commit(...events, ...late.splice(0, late.length > 40 ? 1 : 0));
      found.push(...(await following.round()));
    }
    const held = new Set(late.map(({ id }) => id));
    service.pass(61_000);
    found.push(...(await following.round()), ...(await following.round()));
    await following.stop();
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBe(seconds * PER_SECOND - held.size);
    const readings = (seconds * PER_SECOND) / 100;
    expect(service.requests() - before).toBeLessThan(6 * readings);
  });
});
