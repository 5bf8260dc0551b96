import type { FeatureValue } from '../../billing/index.ts';
import { type Statement, serviceTime, wallTime } from '../../database/index.ts';

/** A session that is alive after a heartbeat. Times in milliseconds since 1970. */
export interface BeatenRow {
  organization_id: string;
  session_id: string;
  user_id: string;
  /** The place of the token that was found alive for it, if the statement checked one. */
  token_place: number | null;
  wall_ms: number;
  heartbeat_interval_seconds: number | null;
  /** What a fresh license token says, when less than half of the last one's life is left. */
  fresh_token: FreshToken | null;
}

/** Made in the statement only when it is needed, since most heartbeats need none. Times on the real clock. */
export interface FreshToken {
  issued_ms: number;
  expires_ms: number;
  license_id: string;
  hardware_id: string;
  product: string;
  features: Record<string, FeatureValue>;
  max_seats: number;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
/** The end of a token made now: the setting's life, cut at the license's own end on the real clock; whole seconds. */
const TOKEN_EXPIRY = `date_trunc('second', least(beat.now + $6::int * interval '1 second',
  l.expires_at - beat.offset_ms * interval '1 millisecond'))`;

const NEW_DEADLINE = `${serviceTime('beat.offset_ms')} + coalesce(l.session_timeout_seconds, $5::int) * interval '1 second'`;

/**
 * Keeps sessions alive: one conditional statement for a whole batch, of any organizations, which touches no index (reap_at
 * stays, but for a timeout that was shortened) and locks nothing but the seats. It checks the callers' tokens too, so
 * that a heartbeat costs one round trip: a token that is revoked, expired, without the scope or of somebody who left finds
 * nothing. Neither does a session past its timeout, or of a license that is not in force, or of another member unless
 * an admin asks. $1 organizations, $2 sessions, $3 for each the place of its caller's token among $8 where the statement has
 * to check it, $4 or else its caller where that was done (null for an admin), $5 timeout and $6 token life by the settings in
 * seconds, $7 the scope, $8 tokens.
 */
export const UPDATE_SLOTS_BEATEN: Statement<BeatenRow> = {
  name: 'update_slots_beaten',
  text: `
    with caller as materialized (
      select t.place::int as place, b.user_id, b.kind, b.organization_id
      from unnest($8::bytea[]) with ordinality as t (token_hash, place) join bearer_tokens b on b.token_hash = t.token_hash
      where b.revoked_at is null and (b.expires_at is null or b.expires_at > clock_timestamp())
        and (b.scopes is null or $7::text = any(b.scopes))
    ), beat as materialized (
      select asked.organization_id, asked.session_id, asked.token_place, o.clock_offset_ms as offset_ms,
        clock_timestamp()::timestamptz(3) as now,
        case when asked.token_place is null then asked.user_id when m.role <> 'admin' then m.user_id end as user_id
      from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as asked (organization_id, session_id, token_place, user_id)
      join organizations o on o.id = asked.organization_id
      left join caller on caller.place = asked.token_place
        and (caller.kind = 'session' or caller.organization_id = asked.organization_id)
      left join memberships m on m.organization_id = asked.organization_id and m.user_id = caller.user_id
      where asked.token_place is null or m.role is not null
      -- Always in the same order, so that two batches wait for each other but never both ways.
      order by asked.organization_id, asked.session_id
    )
    update seat_slots s set
      last_heartbeat = beat.now + beat.offset_ms * interval '1 millisecond',
      deadline = ${NEW_DEADLINE},
      reap_at = least(s.reap_at, ${NEW_DEADLINE}),
      token_issued_at = case when ${renewsToken('s')} then beat.now else s.token_issued_at end,
      token_expires_at = case when ${renewsToken('s')} then ${TOKEN_EXPIRY} else s.token_expires_at end
    from beat, licenses l, service_clock c
    where s.organization_id = beat.organization_id and s.session_id = beat.session_id
      and coalesce(beat.user_id, s.user_id) = s.user_id
      and l.organization_id = s.organization_id and l.id = s.license_id
      and l.state = 'active' and l.expires_at > ${wallTime('beat.offset_ms')}
      and s.deadline > ${serviceTime('beat.offset_ms')}
    returning s.organization_id, s.session_id, s.user_id, beat.token_place, ${milliseconds('s.last_heartbeat')} as wall_ms,
      l.heartbeat_interval_seconds,
      case when s.token_issued_at = beat.now then jsonb_build_object(
        'issued_ms', ${milliseconds('s.token_issued_at')}, 'expires_ms', ${milliseconds('s.token_expires_at')},
        'license_id', s.license_id, 'hardware_id', s.hardware_id, 'product', l.product, 'features', l.features,
        'max_seats', l.max_seats) end as fresh_token`,
};

/** Where a session stands that a heartbeat or release did not find alive. */
export interface SessionStandingRow {
  organization_id: string;
  id: string;
  user_id: string;
  /** `held`: it still has its seat, so its license or its owner is what refused it. */
  status: 'held' | 'released' | 'timed_out';
  license_state: 'active' | 'suspended' | 'revoked';
  license_expires_at_ms: number;
  is_license_expired: boolean;
  last_heartbeat_ms: number;
  /** When it was released or timed out, on the organization's clock. */
  ended_at_ms: number | null;
}

/** $1 organizations, $2 their clock offsets, $3 session ids: as many of each. */
export const LIST_SESSION_STANDINGS: Statement<SessionStandingRow> = {
  name: 'list_session_standings',
  text: `
    select asked.organization_id, asked.session_id as id, each.user_id, each.status, l.state as license_state,
      ${milliseconds('l.expires_at')} as license_expires_at_ms,
      l.expires_at <= ${wallTime('asked.offset_ms')} as is_license_expired,
      ${milliseconds('each.last_heartbeat')} as last_heartbeat_ms, ${milliseconds('each.ended_at')} as ended_at_ms
    from unnest($1::text[], $2::bigint[], $3::text[]) as asked (organization_id, offset_ms, session_id)
    cross join service_clock c
    cross join lateral (
      select s.license_id, s.user_id, s.last_heartbeat,
        case when s.deadline <= ${serviceTime('asked.offset_ms')} then 'timed_out' else 'held' end as status,
        case when s.deadline <= ${serviceTime('asked.offset_ms')}
          then s.deadline + c.away_ms * interval '1 millisecond' end as ended_at
      from seat_slots s where s.organization_id = asked.organization_id and s.session_id = asked.session_id
      union all
      select h.license_id, h.user_id, h.last_heartbeat, h.status, h.ended_at from seat_sessions h
      where h.organization_id = asked.organization_id and h.id = asked.session_id
    ) each
    join licenses l on l.organization_id = asked.organization_id and l.id = each.license_id`,
};

function renewsToken(slot: string): string {
  return `(${slot}.token_expires_at - clock_timestamp() < (${slot}.token_expires_at - ${slot}.token_issued_at) / 2)`;
}
