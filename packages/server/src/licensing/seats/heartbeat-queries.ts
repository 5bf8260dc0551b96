import { type Statement, serviceTime, wallTime } from '../../database/index.ts';

/** A session that is alive after a heartbeat. Times in milliseconds since 1970. */
export interface BeatenRow {
  session_id: string;
  user_id: string;
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
  features: Record<string, boolean>;
  max_seats: number;
}

const milliseconds = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;
const OFFSET = '$2::bigint';

/** The end of a token made now: the setting's life, cut at the license's own end on the real clock; whole seconds. */
const TOKEN_EXPIRY = `date_trunc('second', least(now.t + $7::int * interval '1 second',
  l.expires_at - ${OFFSET} * interval '1 millisecond'))`;

/**
 * Keeps sessions alive: one conditional statement for a whole batch, which touches no index (reap_at stays) and locks
 * nothing but the seats. A session past its timeout, or of a license that is not in force, is not found by it.
 * $1 organization, $2 clock offset, $3 sessions, $4 those of them that an admin asks for, $5 sessions and users as
 * `session user` for everyone else, $6 timeout and $7 token life by the settings, both in seconds.
 * The sessions come as one `= any`, not as a join, because that keeps the plan on their index whatever the statistics say.
 */
export const UPDATE_SLOTS_BEATEN: Statement<BeatenRow> = {
  name: 'update_slots_beaten',
  text: `
    update seat_slots s set
      last_heartbeat = now.t + ${OFFSET} * interval '1 millisecond',
      deadline = ${serviceTime(OFFSET)} + coalesce(l.session_timeout_seconds, $6::int) * interval '1 second',
      token_issued_at = case when ${renewsToken('s')} then now.t else s.token_issued_at end,
      token_expires_at = case when ${renewsToken('s')} then ${TOKEN_EXPIRY} else s.token_expires_at end
    from licenses l, service_clock c, (select clock_timestamp()::timestamptz(3) as t) now
    where s.organization_id = $1 and s.session_id = any($3::text[])
      and (s.session_id = any($4::text[]) or s.session_id || ' ' || s.user_id = any($5::text[]))
      and l.organization_id = s.organization_id and l.id = s.license_id
      and l.state = 'active' and l.expires_at > ${wallTime(OFFSET)}
      and s.deadline > ${serviceTime(OFFSET)}
    returning s.session_id, s.user_id, ${milliseconds('s.last_heartbeat')} as wall_ms, l.heartbeat_interval_seconds,
      case when s.token_issued_at = now.t then jsonb_build_object(
        'issued_ms', ${milliseconds('s.token_issued_at')}, 'expires_ms', ${milliseconds('s.token_expires_at')},
        'license_id', s.license_id, 'hardware_id', s.hardware_id, 'product', l.product, 'features', l.features,
        'max_seats', l.max_seats) end as fresh_token`,
};

/** Where a session stands that a heartbeat or release did not find alive. */
export interface SessionStandingRow {
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

/** $1 organization, $2 clock offset, $3 session ids. */
export const LIST_SESSION_STANDINGS: Statement<SessionStandingRow> = {
  name: 'list_session_standings',
  text: `
    select each.id, each.user_id, each.status, l.state as license_state,
      ${milliseconds('l.expires_at')} as license_expires_at_ms, l.expires_at <= ${wallTime(OFFSET)} as is_license_expired,
      ${milliseconds('each.last_heartbeat')} as last_heartbeat_ms, ${milliseconds('each.ended_at')} as ended_at_ms
    from (
      select s.session_id as id, s.license_id, s.user_id, s.last_heartbeat,
        case when s.deadline <= ${serviceTime(OFFSET)} then 'timed_out' else 'held' end as status,
        case when s.deadline <= ${serviceTime(OFFSET)} then s.deadline + c.away_ms * interval '1 millisecond' end as ended_at
      from seat_slots s cross join service_clock c
      where s.organization_id = $1 and s.session_id = any($3::text[])
      union all
      select h.id, h.license_id, h.user_id, h.last_heartbeat, h.status, h.ended_at from seat_sessions h
      where h.organization_id = $1 and h.id = any($3::text[])
    ) each
    join licenses l on l.organization_id = $1 and l.id = each.license_id`,
};

function renewsToken(slot: string): string {
  return `(${slot}.token_expires_at - clock_timestamp() < (${slot}.token_expires_at - ${slot}.token_issued_at) / 2)`;
}
