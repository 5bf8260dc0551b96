import { type Queries, type Statement, wallTime } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** Writes a delivery of an event that is nobody's and plans its first attempt for now; the endpoint's lock is held. */
export async function insertTestDelivery(
  tx: Queries,
  key: EndpointKey,
  ids: { delivery: string; event: string; attempt: string },
  type: string,
  object: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { organization_id: organization, endpoint_id: endpoint } = key;
  const values = [organization, endpoint, ids.delivery, ids.event, type, ids.attempt, JSON.stringify(object)];
  await tx.query(INSERT_TEST_DELIVERY, values);
}

/** Cut to the millisecond that the columns keep: rounded up it would not be due yet when it is looked for at once. */
const INSERT_TEST_DELIVERY: Statement<never> = {
  name: 'insert_test_delivery',
  text: `with now_at as materialized (
      select date_trunc('milliseconds', clock_timestamp()) as real,
        date_trunc('milliseconds', ${wallTime('clock_offset_ms')}) as own
      from organizations where id = $1
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at, test_object)
      select $1, $2, $3, $4, $5, 'pending', $6, n.real, n.own, $7::jsonb from now_at n
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, $6, $3, 'test', 0, n.real from now_at n
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, n.real) from now_at n
    where s.organization_id = $1 and s.endpoint_id = $2`,
};
