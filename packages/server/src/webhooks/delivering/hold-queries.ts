import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from './delivering.ts';

/** Endpoints that were paused or disabled and may still have attempts planned. */
export async function listEndpointsToHold(database: Queries, limit: number): Promise<EndpointKey[]> {
  return database.query(LIST_ENDPOINTS_TO_HOLD, [limit]);
}

/** Makes up to `limit` waiting deliveries of an endpoint held; its lock is held. Answers how many there were. */
export async function holdWaitingDeliveries(tx: Queries, key: EndpointKey, limit: number): Promise<number> {
  return (await tx.query(HOLD_WAITING_DELIVERIES, [key.organization_id, key.endpoint_id, limit])).length;
}

/** Notes that an endpoint has nothing more to be held; its lock is held. */
export async function updateNothingToHold(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(UPDATE_NOTHING_TO_HOLD, [key.organization_id, key.endpoint_id]);
}

const LIST_ENDPOINTS_TO_HOLD: Statement<EndpointKey> = {
  name: 'list_endpoints_to_hold',
  text: `select organization_id, endpoint_id from webhook_endpoint_states where must_hold
    order by organization_id, endpoint_id limit $1`,
};

const HOLD_WAITING_DELIVERIES: Statement<{ id: string }> = {
  name: 'hold_waiting_deliveries',
  text: `with waiting as materialized (
      select id from webhook_planned_attempts
      where organization_id = $1 and endpoint_id = $2 and priority in (1, 2) and claim_id is null
      limit $3
    ), gone as (
      delete from webhook_planned_attempts where organization_id = $1 and endpoint_id = $2
        and id = any(array(select id from waiting))
      returning id, delivery_id
    ), held as (
      update webhook_deliveries d set status = 'held', next_attempt_id = null, next_attempt_at = null
      from gone g where d.organization_id = $1 and d.id = g.delivery_id and d.next_attempt_id = g.id
    )
    select id from gone`,
};

const UPDATE_NOTHING_TO_HOLD: Statement<never> = {
  name: 'update_nothing_to_hold',
  text: `update webhook_endpoint_states set must_hold = false where organization_id = $1 and endpoint_id = $2`,
};
