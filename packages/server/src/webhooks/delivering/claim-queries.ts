import { arrays, many, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';
import type { EndpointStatus } from '../endpoint-state/state-queries.ts';

/** An endpoint whose turn it is, and how much more it may have in flight. */
export interface TurnRow extends EndpointKey {
  status: EndpointStatus;
  destination: string;
  available: number;
  is_silent: boolean;
}

/** A planned attempt that only this process may make until its lease ends. */
export interface ClaimedRow extends EndpointKey {
  id: string;
  delivery_id: string;
  kind: 'scheduled' | 'manual' | 'test' | 'replay';
  due_at: Date;
  event_id: string;
  event_type: string;
  created_at: Date;
  attempts: number;
  /** The delivery's number at its endpoint; null if it is from before there were numbers. */
  sequence: number | null;
  /** The event's object as JSON text; null if the event is no longer kept. */
  object: string | null;
}

/** Where an endpoint's attempts go, and one of the secrets that sign them. */
export interface TargetRow extends EndpointKey {
  url: string;
  secret_id: string;
  secret: Buffer;
  /** The newest secret, as opposed to those that sign until a rotation ends. */
  is_current: boolean;
}

/**
 * Locks endpoints of a lane whose turn has come and that have capacity, the longest waiting first. It skips endpoints
 * locked by another process, which are being served. Full destinations and organizations have used up their quotas; a
 * silent endpoint did not answer the last attempt.
 */
export const lockTurns = statement({
  name: 'lock_turns',
  parameters: {
    isCautious: 'boolean',
    maxPerEndpoint: 'integer',
    fullDestinations: 'text[]',
    fullOrganizations: 'text[]',
    limit: 'integer',
    includesSilent: 'boolean',
  },
  returns: many<TurnRow>(),
  sql: ({ isCautious, maxPerEndpoint, fullDestinations, fullOrganizations, limit, includesSilent }) =>
    `select organization_id, endpoint_id, status, destination,
      least(in_flight_limit, ${maxPerEndpoint}) - in_flight as available, is_silent
    from webhook_endpoint_states
    where is_cautious = ${isCautious} and turn_at is not null and in_flight < in_flight_limit and in_flight < ${maxPerEndpoint}
      and turn_at <= (select clock_timestamp()) and destination <> all(${fullDestinations})
      and organization_id <> all(${fullOrganizations}) and (${includesSilent} or not is_silent)
    order by turn_at limit ${limit} for no key update skip locked`,
});

/**
 * Claims up to `available` due attempts of each endpoint, whose locks are held. For inactive endpoints, only manual
 * ones.
 *
 * Priorities are searched one after the other, each along the index, so a replay of a million never delays a fresh
 * event. The limits tell the planner how few rows there are; without them it reads whole tables.
 */
export const claimAttempts = statement({
  name: 'claim_attempts',
  parameters: {
    allotments: arrays({ organization_id: 'text', endpoint_id: 'text', is_active: 'boolean', available: 'integer' }),
    claimId: 'text',
    leaseMs: 'float8',
  },
  returns: many<ClaimedRow>(),
  sql: ({ allotments, claimId, leaseMs }) => `with allotted as (
      select * from ${allotments}
    ), picked as materialized (
      select p.* from allotted r cross join lateral (
        select a.organization_id, a.endpoint_id, a.id
        from unnest(case when r.is_active then array[0, 1, 2] else array[0] end) as u (priority)
        cross join lateral (
          select organization_id, endpoint_id, id, priority, due_at from webhook_planned_attempts
          where organization_id = r.organization_id and endpoint_id = r.endpoint_id and priority = u.priority
            and claim_id is null and due_at <= (select clock_timestamp())
          order by due_at limit r.available
        ) a
        order by a.priority, a.due_at limit r.available
      ) p
    ), claimed as (
      update webhook_planned_attempts a set claim_id = ${claimId},
        leased_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from (select * from picked limit 256) p
      where a.organization_id = p.organization_id and a.endpoint_id = p.endpoint_id and a.id = p.id
      returning a.organization_id, a.endpoint_id, a.id, a.delivery_id, a.kind, a.due_at
    )
    select c.*, d.event_id, d.event_type, d.created_at, d.attempts, d.sequence::float8 as sequence,
      coalesce(d.test_object, e.object)::text as object
    from claimed c
    cross join lateral (
      select * from webhook_deliveries where organization_id = c.organization_id and id = c.delivery_id limit 1
    ) d
    left join lateral (
      select object from events where organization_id = c.organization_id and id = d.event_id limit 1
    ) e on true`,
});

/**
 * Counts claimed attempts as in flight and requeues each endpoint. A separate statement, whose snapshot includes the
 * claim: the endpoint's next turn is when its first unclaimed attempt is due.
 */
export const updateTurns = statement({
  name: 'update_turns',
  parameters: {
    served: arrays({ organization_id: 'text', endpoint_id: 'text', is_active: 'boolean', claimed: 'integer' }),
  },
  sql: ({ served }) => `update webhook_endpoint_states s set in_flight = s.in_flight + g.claimed,
      turn_at = case when n.due_at is not null then greatest(n.due_at, clock_timestamp()) end
    from (select * from ${served}) g
    left join lateral (
      select min(a.due_at) as due_at from unnest(case when g.is_active then array[0, 1, 2] else array[0] end) as u (priority)
      cross join lateral (
        select due_at from webhook_planned_attempts
        where organization_id = g.organization_id and endpoint_id = g.endpoint_id and priority = u.priority
          and claim_id is null
        order by due_at limit 1
      ) a
    ) n on true
    where s.organization_id = g.organization_id and s.endpoint_id = g.endpoint_id`,
});

/** Where these endpoints' attempts go, with the secrets that sign now, the newest first. */
export const listTargets = statement({
  name: 'list_targets',
  parameters: { organizationIds: 'text[]', endpointIds: 'text[]' },
  returns: many<TargetRow>(),
  sql: ({ organizationIds, endpointIds }) =>
    `select w.organization_id, w.id as endpoint_id, w.url, s.id as secret_id, s.secret, s.ends_at is null as is_current
    from unnest(${organizationIds}, ${endpointIds}) as g (organization_id, endpoint_id)
    join webhook_endpoints w on w.organization_id = g.organization_id and w.id = g.endpoint_id
    join webhook_secrets s on s.organization_id = w.organization_id and s.endpoint_id = w.id
    where s.ends_at is null or s.ends_at > clock_timestamp()
    order by s.created_at desc, s.id desc`,
});
