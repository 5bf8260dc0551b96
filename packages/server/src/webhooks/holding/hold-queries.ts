import { count, many, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** Endpoints that were paused or disabled and may still have attempts planned. */
export const listEndpointsToHold = statement({
  name: 'list_endpoints_to_hold',
  parameters: { limit: 'integer' },
  returns: many<EndpointKey>(),
  sql: ({ limit }) => `select organization_id, endpoint_id from webhook_endpoint_states where must_hold
    order by organization_id, endpoint_id limit ${limit}`,
});

/** Holds up to `limit` waiting deliveries of an endpoint, whose lock is held. Counts them. */
export const updateWaitingToHeld = statement({
  name: 'hold_waiting_deliveries',
  parameters: { organizationId: 'text', endpointId: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, endpointId, limit }) => `with waiting as materialized (
      select id from webhook_planned_attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority in (1, 2) and claim_id is null
      limit ${limit}
    ), gone as (
      delete from webhook_planned_attempts where organization_id = ${organizationId} and endpoint_id = ${endpointId}
        and id = any(array(select id from waiting))
      returning id, delivery_id
    ), held as (
      update webhook_deliveries d set status = 'held', next_attempt_id = null, next_attempt_at = null
      from gone g where d.organization_id = ${organizationId} and d.id = g.delivery_id and d.next_attempt_id = g.id
    )
    select id from gone`,
});

/** Records that an endpoint has nothing left to hold; its lock is held. */
export const updateNothingToHold = statement({
  name: 'update_nothing_to_hold',
  parameters: { organizationId: 'text', endpointId: 'text' },
  sql: ({ organizationId, endpointId }) => `update webhook_endpoint_states set must_hold = false
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});
