import { arrays, type Queries, statement } from '../../database/index.ts';

/** A delivery whose first attempt may be in flight. */
export interface TakenKey {
  organization_id: string;
  delivery_id: string;
}

/**
 * Writes deliveries whose first attempt is in flight as if it had been planned and claimed, with the same lease, so
 * that it can fail, be released, or have a concurrent manual attempt. The locks of their endpoints are held. Others are
 * not changed, and one also created by a process of the previous version is dropped: its number goes to the other.
 */
export async function planTakenDeliveries(tx: Queries, taken: readonly TakenKey[]): Promise<void> {
  if (taken.length > 0) {
    await insertPlannedFromQueue(tx, { taken });
  }
}

const insertPlannedFromQueue = statement({
  name: 'plan_taken',
  parameters: { taken: arrays({ organization_id: 'text', delivery_id: 'text' }) },
  sql: ({ taken }) => `with given as materialized (
      select * from ${taken}
    ), gone as (
      delete from webhook_queue q using given g
      where q.organization_id = g.organization_id and q.delivery_id = g.delivery_id
      returning q.organization_id, q.endpoint_id, q.delivery_id, q.event_id, q.event_type, q.created_at, q.due_at, q.sequence,
        q.claim_id, q.leased_until
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at, sequence)
      select organization_id, endpoint_id, delivery_id, event_id, event_type, 'pending', delivery_id, due_at, created_at, sequence
      from gone
      on conflict (organization_id, endpoint_id, event_id) do update
        set sequence = coalesce(webhook_deliveries.sequence, excluded.sequence)
      returning id
    ), kept as (
      select gone.* from gone join written on written.id = gone.delivery_id
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at, claim_id,
        leased_until)
      select organization_id, endpoint_id, delivery_id, delivery_id, 'scheduled', 1, due_at, claim_id, leased_until from kept
    )
    update webhook_endpoint_states s set in_flight = s.in_flight + g.taken
    from (select organization_id, endpoint_id, count(*)::integer as taken from kept group by 1, 2) g
    where s.organization_id = g.organization_id and s.endpoint_id = g.endpoint_id`,
});
