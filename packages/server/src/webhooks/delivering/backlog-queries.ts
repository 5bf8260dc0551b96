import { one, statement } from '../../database/index.ts';

/** How much is waiting to be delivered; each counted up to a bound. */
export interface Backlog {
  unsent_events: number;
  planned_attempts: number;
  /** How long the most overdue attempt has waited, in seconds; 0 if none is due. */
  oldest_due_seconds: number;
}

/**
 * Counts by indexes up to 10,000, which is enough for an alarm. The oldest attempt is searched among the next thousand
 * endpoints of each lane that have capacity: hanging endpoints have none, and are visible by their failures.
 */
export const countBacklog = statement({
  name: 'count_backlog',
  returns: one<Backlog>(),
  sql: () => `select
      (select count(*) from (select 1 from unsent_events order by organization_id, event_id limit 10000) e) as unsent_events,
      (select count(*) from (
        select 1 from webhook_planned_attempts order by organization_id, endpoint_id, id limit 10000
      ) a) + (select count(*) from (
        select 1 from webhook_queue order by organization_id, delivery_id limit 10000
      ) q) as planned_attempts,
      (select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(d.due_at))::float8), 0)
        from unnest(array[true, false]) as c (is_cautious)
        cross join lateral (
          select organization_id, endpoint_id from webhook_endpoint_states
          where is_cautious = c.is_cautious and turn_at is not null and in_flight < in_flight_limit and status = 'active'
          order by turn_at limit 1000
        ) s
        cross join lateral (
          select due_at from webhook_planned_attempts
          where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority = 1 and claim_id is null
          order by due_at limit 1
        ) d) as oldest_due_seconds`,
});
