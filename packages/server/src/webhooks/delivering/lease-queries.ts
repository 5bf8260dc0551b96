import { arrays, count, many, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** Endpoints with attempts whose lease has expired, because the claiming process died or hangs. */
export const listEndpointsWithExpiredLeases = statement({
  name: 'list_endpoints_with_ended_leases',
  parameters: { limit: 'integer' },
  returns: many<EndpointKey>(),
  sql: ({ limit }) => `select distinct organization_id, endpoint_id from (
      select organization_id, endpoint_id from webhook_planned_attempts
      where claim_id is not null and leased_until <= (select clock_timestamp()) order by leased_until limit ${limit}
    ) a`,
});

/**
 * Common to both kinds of release: the endpoint has less in flight, and released attempts wait for a turn. An endpoint
 * that was paused in the meantime has something to hold again.
 */
function updateStatesOfReleased(turnAt: string): string {
  return `update webhook_endpoint_states s set in_flight = greatest(0, s.in_flight - r.returned),
    turn_at = least(s.turn_at, ${turnAt}), must_hold = s.must_hold or s.status <> 'active'
  from (select organization_id, endpoint_id, count(*)::integer as returned, min(due_at) as due_at from freed group by 1, 2) r
  where s.organization_id = r.organization_id and s.endpoint_id = r.endpoint_id`;
}

/** Releases attempts whose lease has expired; the locks of their endpoints are held. Counts them. */
export const updateExpiredLeases = statement({
  name: 'return_ended_leases',
  parameters: { organizationIds: 'text[]', endpointIds: 'text[]' },
  returns: count(),
  sql: ({ organizationIds, endpointIds }) => `with freed as (
      update webhook_planned_attempts a set claim_id = null, leased_until = null
      where (a.organization_id, a.endpoint_id) in (select * from unnest(${organizationIds}, ${endpointIds}))
        and a.claim_id is not null and a.leased_until <= (select clock_timestamp())
      returning a.organization_id, a.endpoint_id, a.id, a.due_at
    ), booked as (${updateStatesOfReleased('r.due_at')})
    select id from freed`,
});

/**
 * Releases attempts that were claimed and never began; the locks of their endpoints are held. They go to the end of the
 * queue, because they had their turn without capacity.
 */
export const updateReleasedClaims = statement({
  name: 'return_claims',
  parameters: {
    claims: arrays({ organization_id: 'text', endpoint_id: 'text', id: 'text', claim_id: 'text' }),
  },
  sql: ({ claims }) => `with freed as (
      update webhook_planned_attempts a set claim_id = null, leased_until = null
      from (select * from ${claims}) g
      where a.organization_id = g.organization_id and a.endpoint_id = g.endpoint_id and a.id = g.id
        and a.claim_id = g.claim_id
      returning a.organization_id, a.endpoint_id, a.due_at
    )
    ${updateStatesOfReleased('clock_timestamp()')}`,
});
