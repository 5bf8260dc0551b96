import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { countEventsSince, listEventsSince } from '../../events/index.ts';
import { countAttemptsSince, listAttemptsSince } from '../../webhooks/index.ts';
import type { Happened } from './schemas.ts';

/** What happened in an organization since a time of its clock: the first `limit`, in order, and the total number. */
export async function listHappened(
  tx: Queries,
  organizationId: string,
  sinceMs: number,
  limit: number,
): Promise<{ happened: Happened[]; count: number }> {
  const since = { organizationId, since: sinceMs };
  const events = (await listEventsSince(tx, { ...since, limit })).map(({ at, ...event }) => ({
    ...event,
    at: isoTime(at.getTime()),
  }));
  const attempts = (await listAttemptsSince(tx, { ...since, limit })).map((attempt) => ({
    at: isoTime(attempt.at.getTime()),
    type: 'webhook.attempt',
    id: attempt.delivery_id,
    resource_id: attempt.endpoint_id,
  }));
  // The sort is stable: in the same millisecond, an event comes before the attempts to deliver it.
  const happened = [...events, ...attempts].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)).slice(0, limit);
  if (happened.length < limit) {
    return { happened, count: happened.length };
  }
  const total = (await countEventsSince(tx, since)).count + (await countAttemptsSince(tx, since)).count;
  return { happened, count: total };
}
