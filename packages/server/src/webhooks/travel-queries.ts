import { one, statement } from '../database/index.ts';

/** When the organization's next retry that is not due yet is due, in real milliseconds since 1970. */
export const findNextRetry = statement({
  name: 'find_next_retry',
  parameters: { organizationId: 'text' },
  returns: one<{ due_ms: number | null }>(),
  sql: ({ organizationId }) => `select floor(extract(epoch from min(a.due_at)) * 1000)::bigint as due_ms
    from webhook_endpoint_states s
    cross join lateral (
      select due_at from webhook_planned_attempts
      where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority = 1 and claim_id is null
        and due_at > (select clock_timestamp())
      order by due_at limit 1
    ) a
    where s.organization_id = ${organizationId} and s.status = 'active'`,
});

/**
 * Whether the organization has events to fan out, due attempts, or attempts in flight. Replays do not count: one may
 * run for hours, and nothing waits for it.
 */
export const findWhetherDue = statement({
  name: 'has_attempts_due',
  parameters: { organizationId: 'text' },
  returns: one<{ is_due: boolean }>(),
  sql: ({ organizationId }) => `select exists (select from unsent_events where organization_id = ${organizationId})
    or exists (select from webhook_queue where organization_id = ${organizationId})
    or exists (
      select from webhook_endpoint_states s
      cross join unnest(case when s.status = 'active' then array[0, 1] else array[0] end) as u (priority)
      cross join lateral (
        select from webhook_planned_attempts
        where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority = u.priority
          and claim_id is null and due_at <= (select clock_timestamp())
        order by due_at limit 1
      ) a
      where s.organization_id = ${organizationId}
    )
    or exists (
      select from webhook_endpoint_states s
      cross join lateral (
        select from webhook_planned_attempts
        where organization_id = s.organization_id and endpoint_id = s.endpoint_id and priority < 2
          and claim_id is not null
        limit 1
      ) a
      where s.organization_id = ${organizationId} and s.in_flight > 0
    ) as is_due`,
});

/**
 * Lets time pass for the organization's retries; the locks of its endpoints are held. Attempts already due are not
 * shifted: otherwise they would seem to have waited longer.
 */
export const updateRetryTimes = statement({
  name: 'shift_retries',
  parameters: { organizationId: 'text', milliseconds: 'bigint' },
  sql: ({ organizationId, milliseconds }) => `with moved as (
      update webhook_planned_attempts a set due_at = a.due_at - ${milliseconds} * interval '1 millisecond'
      from webhook_endpoint_states s
      where s.organization_id = ${organizationId} and a.organization_id = s.organization_id and a.endpoint_id = s.endpoint_id
        and a.priority = 1 and a.claim_id is null and a.due_at > (select clock_timestamp())
      returning a.id, a.delivery_id
    ), shown as (
      update webhook_deliveries d set next_attempt_at = d.next_attempt_at - ${milliseconds} * interval '1 millisecond'
      from moved m where d.organization_id = ${organizationId} and d.id = m.delivery_id and d.next_attempt_id = m.id
    )
    update webhook_endpoint_states
    set turn_at = greatest(turn_at - ${milliseconds} * interval '1 millisecond', clock_timestamp())
    where organization_id = ${organizationId} and turn_at > (select clock_timestamp())`,
});
