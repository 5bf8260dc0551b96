import type { Static, TObject } from 'typebox';
import { type Queries, type Statement, wallTime } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import type { EventDefinition } from './define-event.ts';

/** An event about to be written. */
export interface Announcement {
  type: string;
  object: Readonly<Record<string, unknown>>;
}

/** Names the event and its object; the definition types the object. */
export function announcement<Schema extends TObject>(
  definition: EventDefinition<Schema>,
  object: Static<Schema>,
): Announcement {
  return { type: definition.type, object: { ...object } };
}

/**
 * Writes events into the outbox, in the transaction of what they tell: neither exists without the other. Their ids sort
 * in the order given. `clockOffsetMs` is how far the organization's own clock runs ahead.
 */
export async function announce(
  tx: Queries,
  organizationId: string,
  clockOffsetMs: number,
  announcements: readonly Announcement[],
): Promise<void> {
  if (announcements.length > 0) {
    await tx.query(INSERT_EVENTS, [
      organizationId,
      clockOffsetMs,
      announcements.map(() => newId('event')),
      announcements.map((each) => each.type),
      announcements.map((each) => JSON.stringify(each.object)),
    ]);
  }
}

const INSERT_EVENTS: Statement<never> = {
  name: 'insert_events',
  text: `insert into events (organization_id, id, type, created, object)
    select $1::text, e.id, e.type, ${wallTime('$2::bigint')}, e.object
    from unnest($3::text[], $4::text[], $5::jsonb[]) as e (id, type, object)`,
};
