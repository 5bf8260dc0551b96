import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** How many attempts that people asked for wait to begin: retries of one delivery, and of its endpoint all, tests included. */
export interface WaitingByHand {
  of_delivery: number;
  of_endpoint: number;
}

/** What waits of a delivery and its endpoint; the endpoint's lock is held. */
export async function countWaitingByHand(tx: Queries, key: EndpointKey, deliveryId: string): Promise<WaitingByHand> {
  const [counts] = await tx.query(COUNT_WAITING_BY_HAND, [key.organization_id, key.endpoint_id, deliveryId]);
  return counts ?? { of_delivery: 0, of_endpoint: 0 };
}

/** Plans an attempt by hand that is due now and changes nothing of the schedule; the endpoint's lock is held. */
export async function insertManualAttempt(
  tx: Queries,
  key: EndpointKey,
  deliveryId: string,
  attemptId: string,
): Promise<void> {
  await tx.query(INSERT_MANUAL_ATTEMPT, [key.organization_id, key.endpoint_id, deliveryId, attemptId]);
}

/** Priority 0 is that of what a person asked for, and `claim_id is null` leaves what waits: few, and together in the index. */
const COUNT_WAITING_BY_HAND: Statement<WaitingByHand> = {
  name: 'count_waiting_by_hand',
  text: `select count(*)::integer as of_endpoint,
      (count(*) filter (where kind = 'manual' and delivery_id = $3))::integer as of_delivery
    from webhook_planned_attempts
    where organization_id = $1 and endpoint_id = $2 and priority = 0 and claim_id is null`,
};

/** Cut to the millisecond that the column keeps: rounded up it would not be due yet when it is looked for at once. */
const INSERT_MANUAL_ATTEMPT: Statement<never> = {
  name: 'insert_manual_attempt',
  text: `with planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      values ($1, $2, $4, $3, 'manual', 0, date_trunc('milliseconds', clock_timestamp()))
      returning organization_id, endpoint_id, due_at
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, p.due_at) from planned p
    where s.organization_id = p.organization_id and s.endpoint_id = p.endpoint_id`,
};
