import type { Queries, Statement } from '../database/index.ts';

/** When the next retry of an organization is due that is not due yet, on its own clock, in milliseconds since 1970. */
export async function findNextRetryMs(database: Queries, organizationId: string): Promise<number | undefined> {
  return (await database.query(FIND_NEXT_RETRY, [organizationId]))[0]?.due_ms ?? undefined;
}

/** Whether something of the organization is to be fanned out or attempted now, or is under way; replays are not counted. */
export async function hasAttemptsDue(database: Queries, organizationId: string): Promise<boolean> {
  return (await database.query(HAS_ATTEMPTS_DUE, [organizationId]))[0]?.is_due === true;
}

/** Lets time pass for the retries of an organization; the locks of its endpoints are held. */
export async function shiftRetries(tx: Queries, organizationId: string, milliseconds: number): Promise<void> {
  await tx.query(SHIFT_RETRIES, [organizationId, milliseconds]);
}

const FIND_NEXT_RETRY: Statement<{ due_ms: number | null }> = {
  name: 'find_next_retry',
  text: `select floor(extract(epoch from min(a.due_at)) * 1000)::bigint
      + (select clock_offset_ms from organizations where id = $1) as due_ms
    from webhook_endpoint_states s
    cross join lateral (
      select due_at from webhook_planned_attempts
      where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority = 1 and claim_id is null
        and due_at > (select clock_timestamp())
      order by due_at limit 1
    ) a
    where s.organization_id = $1 and s.status = 'active'`,
};

/** A replay may go on for hours, and nothing waits for it. */
const HAS_ATTEMPTS_DUE: Statement<{ is_due: boolean }> = {
  name: 'has_attempts_due',
  text: `select exists (select from unsent_events where organization_id = $1)
    or exists (
      select from webhook_endpoint_states s
      cross join unnest(case when s.status = 'active' then array[0, 1] else array[0] end) as u (priority)
      cross join lateral (
        select from webhook_planned_attempts
        where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority = u.priority
          and claim_id is null and due_at <= (select clock_timestamp())
        order by due_at limit 1
      ) a
      where s.organization_id = $1
    )
    or exists (
      select from webhook_endpoint_states s
      cross join lateral (
        select from webhook_planned_attempts
        where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority < 2
          and claim_id is not null
        limit 1
      ) a
      where s.organization_id = $1 and s.in_flight > 0
    ) as is_due`,
};

/** What is due already stays: it would only seem to have waited longer. */
const SHIFT_RETRIES: Statement<never> = {
  name: 'shift_retries',
  text: `with moved as (
      update webhook_planned_attempts a set due_at = a.due_at - $2::bigint * interval '1 millisecond'
      from webhook_endpoint_states s
      where s.organization_id = $1 and a.organization_id = s.organization_id and a.endpoint_id = s.endpoint_id
        and a.priority = 1 and a.claim_id is null and a.due_at > (select clock_timestamp())
      returning a.id, a.delivery_id
    ), shown as (
      update webhook_deliveries d set next_attempt_at = d.next_attempt_at - $2::bigint * interval '1 millisecond'
      from moved m where d.organization_id = $1 and d.id = m.delivery_id and d.next_attempt_id = m.id
    )
    update webhook_endpoint_states
    set turn_at = greatest(turn_at - $2::bigint * interval '1 millisecond', clock_timestamp())
    where organization_id = $1 and turn_at > (select clock_timestamp())`,
};
