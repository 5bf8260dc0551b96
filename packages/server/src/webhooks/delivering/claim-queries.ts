import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from './delivering.ts';

/** An endpoint whose turn it is, and how much more it may hold. */
export interface TurnRow extends EndpointKey {
  status: 'active' | 'paused' | 'disabled';
  destination: string;
  room: number;
  is_silent: boolean;
}

/** An endpoint of which up to `room` attempts are to be claimed. */
export interface Allotment extends EndpointKey {
  isActive: boolean;
  room: number;
}

/** A planned attempt that this process alone may make until its lease ends. */
export interface ClaimedRow extends EndpointKey {
  id: string;
  delivery_id: string;
  kind: 'scheduled' | 'manual' | 'test' | 'replay';
  due_at: Date;
  event_id: string;
  event_type: string;
  created_at: Date;
  attempts: number;
  /** The event's object as JSON text; null when the event is kept no more. */
  object: string | null;
}

/** Where an endpoint's attempts go, and one of the secrets that sign them. */
export interface TargetRow extends EndpointKey {
  url: string;
  secret_id: string;
  secret: Buffer;
  /** The one that lives on, beside those that sign until a rotation is over. */
  is_current: boolean;
}

/** Which endpoints a claim may serve. */
export interface Turns {
  isCautious: boolean;
  /** How much each may have under way at the moment; its own limit may be less. */
  mostOfEach: number;
  /** Destinations and organizations that have no place left. */
  fullDestinations: readonly string[];
  fullOrganizations: readonly string[];
  /** Whether those whose last attempt got no answer are served as well. */
  includesSilent: boolean;
  limit: number;
}

/**
 * Locks endpoints of a lane whose turn has come and that have room, those who waited longest first. What another process
 * holds is passed over: it is being served.
 */
export async function lockTurns(tx: Queries, turns: Turns): Promise<TurnRow[]> {
  const { isCautious, mostOfEach, fullDestinations, fullOrganizations, includesSilent, limit } = turns;
  return tx.query(LOCK_TURNS, [isCautious, mostOfEach, fullDestinations, fullOrganizations, limit, includesSilent]);
}

/** Claims what is due of these endpoints, whose locks are held. Of those that are not active, only what a person asked for. */
export async function claimAttempts(
  tx: Queries,
  allotments: readonly Allotment[],
  claimId: string,
  leaseMs: number,
): Promise<ClaimedRow[]> {
  return tx.query(CLAIM_ATTEMPTS, [...columns(allotments), allotments.map((each) => each.room), claimId, leaseMs]);
}

/** Books what was claimed and sends each endpoint to the end of the row. */
export async function updateTurns(
  tx: Queries,
  allotments: readonly Allotment[],
  claimed: readonly number[],
): Promise<void> {
  await tx.query(UPDATE_TURNS, [...columns(allotments), claimed]);
}

/** Where these endpoints' attempts go, with the secrets that sign now, the newest first. */
export async function listTargets(database: Queries, keys: readonly EndpointKey[]): Promise<TargetRow[]> {
  return database.query(LIST_TARGETS, [keys.map((each) => each.organization_id), keys.map((each) => each.endpoint_id)]);
}

function columns(allotments: readonly Allotment[]): [string[], string[], boolean[]] {
  return [
    allotments.map((each) => each.organization_id),
    allotments.map((each) => each.endpoint_id),
    allotments.map((each) => each.isActive),
  ];
}

const LOCK_TURNS: Statement<TurnRow> = {
  name: 'lock_turns',
  text: `select organization_id, endpoint_id, status, destination,
      least(in_flight_limit, $2::integer) - in_flight as room, is_silent
    from webhook_endpoint_states
    where is_cautious = $1 and turn_at is not null and in_flight < in_flight_limit and in_flight < $2::integer
      and turn_at <= (select clock_timestamp()) and destination <> all($3::text[])
      and organization_id <> all($4::text[]) and ($6::boolean or not is_silent)
    order by turn_at limit $5 for no key update skip locked`,
};

/**
 * By priority one after the other, each along the index: a replay of a million never stands before a fresh event. The limits
 * tell the planner how few rows there are, which it cannot know of a list; without them it reads whole tables.
 */
const CLAIM_ATTEMPTS: Statement<ClaimedRow> = {
  name: 'claim_attempts',
  text: `with room as (
      select * from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[])
        as r (organization_id, endpoint_id, is_active, room)
    ), picked as materialized (
      select p.* from room r cross join lateral (
        select a.organization_id, a.endpoint_id, a.id
        from unnest(case when r.is_active then array[0, 1, 2] else array[0] end) as u (priority)
        cross join lateral (
          select organization_id, endpoint_id, id, priority, due_at from webhook_planned_attempts
          where organization_id = r.organization_id and endpoint_id = r.endpoint_id and priority = u.priority
            and claim_id is null and due_at <= (select clock_timestamp())
          order by due_at limit r.room
        ) a
        order by a.priority, a.due_at limit r.room
      ) p
    ), claimed as (
      update webhook_planned_attempts a set claim_id = $5,
        leased_until = clock_timestamp() + $6 * interval '1 millisecond'
      from (select * from picked limit 256) p
      where a.organization_id = p.organization_id and a.endpoint_id = p.endpoint_id and a.id = p.id
      returning a.organization_id, a.endpoint_id, a.id, a.delivery_id, a.kind, a.due_at
    )
    select c.*, d.event_id, d.event_type, d.created_at, d.attempts, coalesce(d.test_object, e.object)::text as object
    from claimed c
    cross join lateral (
      select * from webhook_deliveries where organization_id = c.organization_id and id = c.delivery_id limit 1
    ) d
    left join lateral (
      select object from events where organization_id = c.organization_id and id = d.event_id limit 1
    ) e on true`,
};

/** In a statement of its own, whose snapshot has the claim: the next of an endpoint is the first that nobody claimed. */
const UPDATE_TURNS: Statement<never> = {
  name: 'update_turns',
  text: `update webhook_endpoint_states s set in_flight = s.in_flight + g.claimed,
      turn_at = case when n.due_at is not null then greatest(n.due_at, clock_timestamp()) end
    from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[])
      as g (organization_id, endpoint_id, is_active, claimed)
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
};

const LIST_TARGETS: Statement<TargetRow> = {
  name: 'list_targets',
  text: `select w.organization_id, w.id as endpoint_id, w.url, s.id as secret_id, s.secret, s.ends_at is null as is_current
    from unnest($1::text[], $2::text[]) as g (organization_id, endpoint_id)
    join webhook_endpoints w on w.organization_id = g.organization_id and w.id = g.endpoint_id
    join webhook_secrets s on s.organization_id = w.organization_id and s.endpoint_id = w.id
    where s.ends_at is null or s.ends_at > clock_timestamp()
    order by s.created_at desc, s.id desc`,
};
