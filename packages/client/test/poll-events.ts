import type { Event, Seathold } from '../src/index.ts';

const OVERLAP_MS = 60_000;

/** Calls `handle` for each event that is new. Run it every few seconds with the result of the last call. */
export async function pollEvents(
  seathold: Pick<Seathold, 'events'>,
  { since, seen }: { since: Date; seen: ReadonlyMap<string, number> },
  handle: (event: Event) => Promise<void>,
) {
  let newestMs = since.getTime();
  const createdMs = new Map(seen);
  // `created_after` is exclusive.
  const from = new Date(newestMs - OVERLAP_MS - 1).toISOString();
  for await (const event of seathold.events.list({ created_after: from, sort: 'created', limit: 100 })) {
    if (!createdMs.has(event.id)) {
      await handle(event);
      createdMs.set(event.id, Date.parse(event.created));
      newestMs = Math.max(newestMs, Date.parse(event.created));
    }
  }
  // Remember only the events that the next call reads again.
  const kept = [...createdMs].filter(([, ms]) => ms >= newestMs - OVERLAP_MS);
  return { since: new Date(newestMs), seen: new Map(kept) };
}
