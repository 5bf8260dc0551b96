import { type Queries, type Statement, wallTime } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import type { Health } from '../delivering/health-rules.ts';
import { type EndpointContent, type EndpointRow, findEndpoint } from './queries.ts';

/** Changes an endpoint, whose lock is held, and answers what it is now. */
export async function updateEndpoint(
  tx: Queries,
  key: EndpointKey,
  { url, events, description }: EndpointContent,
): Promise<EndpointRow> {
  await tx.query(UPDATE_ENDPOINT, [key.organization_id, key.endpoint_id, url, events, description]);
  const row = await findEndpoint(tx, key);
  if (row === undefined) {
    throw new Error('an endpoint whose lock is held is missing');
  }
  return row;
}

/** Lets an endpoint lead to another destination, with the health given; its lock is held. */
export async function moveEndpointState(
  tx: Queries,
  key: EndpointKey,
  destination: string,
  health: Health,
): Promise<void> {
  await tx.query(MOVE_ENDPOINT_STATE, [key.organization_id, key.endpoint_id, destination, ...columnsOf(health)]);
}

/** Stops an endpoint, whose lock is held: nothing of its schedule is claimed any more, and what waits becomes held by a job. */
export async function pauseEndpointState(tx: Queries, key: EndpointKey): Promise<void> {
  await tx.query(PAUSE_ENDPOINT_STATE, [key.organization_id, key.endpoint_id]);
}

/** Lets an endpoint, whose lock is held, go on with the health given. What was held stays held until it is replayed. */
export async function activateEndpointState(tx: Queries, key: EndpointKey, health: Health): Promise<void> {
  await tx.query(ACTIVATE_ENDPOINT_STATE, [key.organization_id, key.endpoint_id, ...columnsOf(health)]);
}

function columnsOf({ inFlightLimit, swiftInRow, isCautious, failuresInRow, failingSince, isSilent }: Health) {
  return [inFlightLimit, isCautious, failuresInRow, failingSince?.toISOString() ?? null, swiftInRow, isSilent];
}

const UPDATE_ENDPOINT: Statement<never> = {
  name: 'update_endpoint',
  text: `update webhook_endpoints e set url = $3, events = $4, description = $5, updated_at = n.t
    from (select ${wallTime('clock_offset_ms')} as t from organizations where id = $1) n
    where e.organization_id = $1 and e.id = $2`,
};

const MOVE_ENDPOINT_STATE: Statement<never> = {
  name: 'move_endpoint_state',
  text: `update webhook_endpoint_states set destination = $3, in_flight_limit = $4, is_cautious = $5,
      failures_in_row = $6, failing_since = $7, swift_in_row = $8,
      is_silent = $9
    where organization_id = $1 and endpoint_id = $2`,
};

const PAUSE_ENDPOINT_STATE: Statement<never> = {
  name: 'pause_endpoint_state',
  text: `update webhook_endpoint_states set status = 'paused', disabled_reason = null, must_hold = true
    where organization_id = $1 and endpoint_id = $2`,
};

/** Its turn is now: the next claim finds out when it really is. */
const ACTIVATE_ENDPOINT_STATE: Statement<never> = {
  name: 'activate_endpoint_state',
  text: `update webhook_endpoint_states set status = 'active', disabled_reason = null, must_hold = false,
      in_flight_limit = $3, is_cautious = $4, failures_in_row = $5, failing_since = $6, swift_in_row = $7,
      is_silent = $8, turn_at = clock_timestamp()
    where organization_id = $1 and endpoint_id = $2`,
};
