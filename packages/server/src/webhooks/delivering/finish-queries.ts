import { arrays, many, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** The written attempts. Those whose claim had ended are missing, because another process has them. */
export interface FinishedRow extends EndpointKey {
  id: string;
  kind: 'scheduled' | 'manual' | 'test' | 'replay';
  ended_at: Date;
  next_due_at: Date | null;
}

/**
 * Writes attempts that ended, no two of one delivery; the locks of their endpoints are held. An attempt that drives the
 * schedule of its delivery also decides how it continues: succeeded, another try after the delay of its step, held, or
 * failed. Success of any attempt ends the schedule. The last hundred attempts of each delivery are kept.
 *
 * The extra millisecond makes up for rounding, so that no retry is early. If the schedule's own attempt waits while a
 * manual one succeeds, its row is deleted; if it is in flight, it finds that it no longer drives the schedule.
 *
 * An attempt that was stored in the delivery's own row, because it was the only one, moves to the others.
 *
 * `began_ago_ms` and `ended_ago_ms` are measured by a monotonic clock. `is_final` means that no retry can help, and
 * `next_attempt_id` is for the schedule's next attempt, if there is one.
 */
export const updateFinishedAttempts = statement({
  name: 'finish_attempts',
  parameters: {
    attempts: arrays({
      organization_id: 'text',
      endpoint_id: 'text',
      id: 'text',
      claim_id: 'text',
      is_active: 'boolean',
      began_ago_ms: 'integer',
      ended_ago_ms: 'integer',
      duration_ms: 'integer',
      status_code: 'integer | null',
      error: 'text | null',
      address: 'text | null',
      response_excerpt: 'text | null',
      is_final: 'boolean',
      next_attempt_id: 'text',
    }),
    delaysSeconds: 'integer[]',
  },
  returns: many<FinishedRow>(),
  sql: ({ attempts, delaysSeconds }) => `with given as materialized (
      select attempts.*, clock_timestamp() as now_at from ${attempts}
    ), gone as (
      delete from webhook_planned_attempts a using given g
      where a.organization_id = g.organization_id and a.endpoint_id = g.endpoint_id and a.id = g.id
        and a.claim_id = g.claim_id
      returning a.organization_id, a.delivery_id, a.kind, g.endpoint_id, g.id, g.is_active, g.duration_ms, g.status_code,
        g.error, g.address, g.response_excerpt, g.is_final, g.next_attempt_id,
        g.now_at - g.began_ago_ms * interval '1 millisecond' as began_at,
        g.now_at - g.ended_ago_ms * interval '1 millisecond' as ended_at
    ), judged as materialized (
      select a.*, d.last_attempt_at as only_at, d.last_status_code as only_status_code, d.only_duration_ms, d.only_address,
        d.only_response_excerpt, d.next_attempt_id as planned_id, o.clock_offset_ms * interval '1 millisecond' as ahead,
        d.next_attempt_id = a.id as drives,
        case
          when a.error is null then 'succeeded'
          when d.next_attempt_id is distinct from a.id then d.status
          when a.is_final or d.step >= cardinality(${delaysSeconds}) then 'failed'
          when not a.is_active then 'held'
          else 'pending'
        end as next_status,
        case when a.error is not null and d.next_attempt_id = a.id and not a.is_final and a.is_active
          and d.step < cardinality(${delaysSeconds})
          then a.ended_at + (${delaysSeconds})[d.step + 1] * interval '1 second' + interval '1 millisecond' end as retry_at
      from gone a
      join webhook_deliveries d on d.organization_id = a.organization_id and d.id = a.delivery_id
      join organizations o on o.id = a.organization_id
    ), written as (
      update webhook_deliveries d set attempts = d.attempts + 1, last_status_code = j.status_code, last_error = j.error,
        only_duration_ms = null, only_address = null, only_response_excerpt = null,
        last_attempt_at = j.began_at + j.ahead, status = j.next_status,
        step = case when j.retry_at is not null then d.step + 1 else d.step end,
        next_attempt_id = case when j.retry_at is not null then j.next_attempt_id
          when j.drives or j.error is null then null else d.next_attempt_id end,
        next_attempt_at = case when j.retry_at is not null then j.retry_at
          when j.drives or j.error is null then null else d.next_attempt_at end
      from judged j where d.organization_id = j.organization_id and d.id = j.delivery_id
      returning j.*, d.attempts as number
    ), moved as (
      insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms,
        status_code, address, response_excerpt)
      select organization_id, delivery_id, 1, endpoint_id, 'scheduled', only_at, only_duration_ms, only_status_code,
        only_address, only_response_excerpt from judged where only_duration_ms is not null
    ), recorded as (
      insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms,
        status_code, error, address, response_excerpt)
      select organization_id, delivery_id, number, endpoint_id, kind, began_at + ahead, duration_ms, status_code, error,
        address, response_excerpt from written
    ), forgotten as (
      delete from webhook_attempts a using written w
      where w.number > 100 and a.organization_id = w.organization_id and a.delivery_id = w.delivery_id
        and a.number = w.number - 100
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select organization_id, endpoint_id, next_attempt_id, delivery_id, 'scheduled', 1, retry_at
      from judged where retry_at is not null
    ), spared as (
      delete from webhook_planned_attempts a using judged j
      where j.error is null and not j.drives and a.organization_id = j.organization_id
        and a.endpoint_id = j.endpoint_id and a.id = j.planned_id and a.claim_id is null
    )
    select organization_id, endpoint_id, id, kind, ended_at + ahead as ended_at, retry_at as next_due_at from judged`,
});
