import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from './delivering.ts';

/** A claim on one attempt. */
export interface ClaimKey extends EndpointKey {
  id: string;
  claimId: string;
}

/** Endpoints with attempts whose lease has ended, because the process that claimed them is gone or hangs. */
export async function listEndpointsWithEndedLeases(database: Queries, limit: number): Promise<EndpointKey[]> {
  return database.query(LIST_ENDPOINTS_WITH_ENDED_LEASES, [limit]);
}

/** Makes attempts whose lease has ended claimable again; their endpoints' locks are held. Answers how many there were. */
export async function returnEndedLeases(tx: Queries, keys: readonly EndpointKey[]): Promise<number> {
  const rows = await tx.query(RETURN_ENDED_LEASES, [
    keys.map((each) => each.organization_id),
    keys.map((each) => each.endpoint_id),
  ]);
  return rows.length;
}

/** Makes attempts that were claimed and not made claimable again, as if nothing had happened; their endpoints' locks are held. */
export async function returnClaims(tx: Queries, claims: readonly ClaimKey[]): Promise<void> {
  await tx.query(RETURN_CLAIMS, [
    claims.map((each) => each.organization_id),
    claims.map((each) => each.endpoint_id),
    claims.map((each) => each.id),
    claims.map((each) => each.claimId),
  ]);
}

const LIST_ENDPOINTS_WITH_ENDED_LEASES: Statement<EndpointKey> = {
  name: 'list_endpoints_with_ended_leases',
  text: `select distinct organization_id, endpoint_id from (
      select organization_id, endpoint_id from webhook_planned_attempts
      where claim_id is not null and leased_until <= (select clock_timestamp()) order by leased_until limit $1
    ) a`,
};

/**
 * What both ways have in common: the endpoint has room again, and what came back waits its turn. An endpoint that was paused
 * meanwhile has something to be held again.
 */
function bookReturned(turnAt: string): string {
  return `update webhook_endpoint_states s set in_flight = greatest(0, s.in_flight - r.returned),
    turn_at = least(s.turn_at, ${turnAt}), must_hold = s.must_hold or s.status <> 'active'
  from (select organization_id, endpoint_id, count(*)::integer as returned, min(due_at) as due_at from freed group by 1, 2) r
  where s.organization_id = r.organization_id and s.endpoint_id = r.endpoint_id`;
}

const RETURN_ENDED_LEASES: Statement<{ id: string }> = {
  name: 'return_ended_leases',
  text: `with freed as (
      update webhook_planned_attempts a set claim_id = null, leased_until = null
      where (a.organization_id, a.endpoint_id) in (select * from unnest($1::text[], $2::text[]))
        and a.claim_id is not null and a.leased_until <= (select clock_timestamp())
      returning a.organization_id, a.endpoint_id, a.id, a.due_at
    ), booked as (${bookReturned('r.due_at')})
    select id from freed`,
};

/** What was claimed and not begun goes to the end of the row: it had its turn, and there was no place. */
const RETURN_CLAIMS: Statement<never> = {
  name: 'return_claims',
  text: `with freed as (
      update webhook_planned_attempts a set claim_id = null, leased_until = null
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as g (organization_id, endpoint_id, id, claim_id)
      where a.organization_id = g.organization_id and a.endpoint_id = g.endpoint_id and a.id = g.id
        and a.claim_id = g.claim_id
      returning a.organization_id, a.endpoint_id, a.due_at
    )
    ${bookReturned('clock_timestamp()')}`,
};
