import type { Event, Seathold } from '../src/index.ts';

const OVERLAP_MS = 60_000;

/** Calls `handle` for each event that is new. Run it every few seconds with what it answered the last time. */
export async function pollEvents(
  seathold: Pick<Seathold, 'events'>,
  { since, seen }: { since: Date; seen: ReadonlyMap<string, number> },
  handle: (event: Event) => Promise<void>,
) {
  let newestMs = since.getTime();
  const createdMs = new Map(seen);
  // `created_after` leaves out that very millisecond.
  const from = new Date(newestMs - OVERLAP_MS - 1).toISOString();
  for await (const event of seathold.events.list({ created_after: from, sort: 'created', limit: 100 })) {
    if (!createdMs.has(event.id)) {
      await handle(event);
      createdMs.set(event.id, Date.parse(event.created));
      newestMs = Math.max(newestMs, Date.parse(event.created));
    }
  }
  // What will not be read again need not be remembered.
  const kept = [...createdMs].filter(([, ms]) => ms >= newestMs - OVERLAP_MS);
  return { since: new Date(newestMs), seen: new Map(kept) };
}
