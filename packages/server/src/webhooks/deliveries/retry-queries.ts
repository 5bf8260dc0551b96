import { one, statement } from '../../database/index.ts';

/** How many manual attempts are waiting: retries of one delivery, and all of its endpoint, including tests. */
export interface WaitingManualAttempts {
  of_delivery: number;
  of_endpoint: number;
}

/**
 * Counts the waiting manual attempts of a delivery and its endpoint, whose lock is held. Priority 0 is that of manual
 * attempts, and `claim_id is null` selects waiting ones: few, and adjacent in the index.
 */
export const countWaitingManualAttempts = statement({
  name: 'count_waiting_by_hand',
  parameters: { organizationId: 'text', endpointId: 'text', deliveryId: 'text' },
  returns: one<WaitingManualAttempts>(),
  sql: ({ organizationId, endpointId, deliveryId }) => `select count(*)::integer as of_endpoint,
      (count(*) filter (where kind = 'manual' and delivery_id = ${deliveryId}))::integer as of_delivery
    from webhook_planned_attempts
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority = 0 and claim_id is null`,
});

/**
 * Plans a manual attempt that is due now and leaves the schedule unchanged; the endpoint's lock is held. Truncated to
 * the column's milliseconds: if rounded up, it would not be due yet at an immediate search.
 */
export const insertManualAttempt = statement({
  name: 'insert_manual_attempt',
  parameters: { organizationId: 'text', endpointId: 'text', deliveryId: 'text', attemptId: 'text' },
  sql: ({ organizationId, endpointId, deliveryId, attemptId }) => `with planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      values (${organizationId}, ${endpointId}, ${attemptId}, ${deliveryId}, 'manual', 0,
        date_trunc('milliseconds', clock_timestamp()))
      returning organization_id, endpoint_id, due_at
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, p.due_at) from planned p
    where s.organization_id = p.organization_id and s.endpoint_id = p.endpoint_id`,
});
