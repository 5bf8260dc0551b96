import { statement, wallTime } from '../../database/index.ts';
import { countDeliveries } from '../endpoint-state/sequence-queries.ts';

/**
 * Writes a delivery of an event without an organization, with its number, and plans an immediate first attempt; the
 * endpoint's lock is held. Truncated to the columns' milliseconds: if rounded up, it would not be due yet at an
 * immediate search.
 */
export const insertTestDelivery = statement({
  name: 'insert_test_delivery',
  parameters: {
    organizationId: 'text',
    clockOffsetMs: 'bigint',
    endpointId: 'text',
    deliveryId: 'text',
    eventId: 'text',
    eventType: 'text',
    attemptId: 'text',
    object: 'jsonb',
  },
  sql: ({ organizationId, clockOffsetMs, endpointId, deliveryId, eventId, eventType, attemptId, object }) => `
    with now_at as materialized (
      select date_trunc('milliseconds', n.t) as real, date_trunc('milliseconds', ${wallTime(clockOffsetMs, 'n.t')}) as own
      from (select clock_timestamp() as t) n
    ), given as (
      select ${organizationId} as organization_id, ${endpointId} as endpoint_id, ${eventId} as event_id
    ), counted as (
      ${countDeliveries('given')}
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at, test_object, sequence)
      select ${organizationId}, ${endpointId}, ${deliveryId}, ${eventId}, ${eventType}, 'pending', ${attemptId}, n.real, n.own,
        ${object}, c.last from now_at n, counted c
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select ${organizationId}, ${endpointId}, ${attemptId}, ${deliveryId}, 'test', 0, n.real from now_at n
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, n.real) from now_at n
    where s.organization_id = ${organizationId} and s.endpoint_id = ${endpointId}`,
});
