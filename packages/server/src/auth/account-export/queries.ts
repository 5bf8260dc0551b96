import type { Queries, Statement } from '../../database/index.ts';

/** The address of the user whose identifier is $1. */
const ADDRESS = '(select email from users where id = $1)';

/** $2 as the time that `timeOf` wrote; of before everything at the beginning. */
const TIME_BEFORE = "to_timestamp(coalesce(nullif($2, ''), '0')::float8 / 1000)";

/** The last row of a section that was exported: its organization, its time or nothing, and its identifier. */
export type Position = readonly [first: string, id: string];

/** One thing that is kept about a user. */
export interface ExportedRow {
  /** The first half of its position. */
  at: string | null;
  id: string;
  item: Record<string, unknown>;
}

/** The sections of an export: each is read by an index that begins with the user or their address, a page at a time. */
export const SECTIONS = {
  organizations: section(
    'organizations',
    `m.organization_id as at, m.user_id as id, jsonb_build_object('id', o.id, 'name', o.name, 'role', m.role,
      'joined_at', m.created_at) as item`,
    `memberships m join organizations o on o.id = m.organization_id
    where m.user_id = $1 and m.organization_id > $2 and $3::text is not null`,
    'm.organization_id',
  ),
  membership_events: section(
    'membership_events',
    `organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'type', type,
      'created_at', created, 'object', object) as item`,
    `events where type like 'org.member.%' and object ->> 'email' = ${ADDRESS} and (organization_id, id) > ($2, $3)`,
    'organization_id, id',
  ),
  oauth_grants: section(
    'oauth_grants',
    `null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'app_id', app_id,
      'scopes', to_jsonb(scopes), 'created_at', created_at, 'ended_at', ended_at) as item`,
    'oauth_grants where user_id = $1 and $2::text is not null and id > $3',
    'id',
  ),
  browser_logins: section(
    'browser_logins',
    `${timeOf('created_at')} as at, public_id as id, jsonb_build_object('id', public_id,
      'created_at', created_at, 'last_seen_at', last_seen_at, 'client_address', client_address,
      'user_agent', user_agent) as item`,
    `oauth_artifacts where user_id = $1 and public_id is not null and (created_at, public_id) > (${TIME_BEFORE}, $3)`,
    'created_at, public_id',
  ),
  oauth_apps: section(
    'oauth_apps',
    `null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'name', name,
      'created_at', created_at) as item`,
    'oauth_apps where created_by = $1 and $2::text is not null and id > $3',
    'id',
  ),
  invitations_received: section(
    'invitations_received',
    `${timeOf('created_at')} as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
      'role', role, 'created_at', created_at, 'expires_at', expires_at, 'accepted_at', accepted_at) as item`,
    `invitations where email = ${ADDRESS} and (created_at, id) > (${TIME_BEFORE}, $3)`,
    'created_at, id',
  ),
  invitations_sent: section(
    'invitations_sent',
    `${timeOf('created_at')} as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
      'role', role, 'created_at', created_at) as item`,
    `invitations where invited_by = $1 and (created_at, id) > (${TIME_BEFORE}, $3)`,
    'created_at, id',
  ),
  mails_waiting: section(
    'mails_waiting',
    `null::text as at, id, jsonb_build_object('id', id, 'kind', kind, 'created_at', created_at) as item`,
    `outgoing_mails where recipient = ${ADDRESS} and $2::text is not null and id > $3`,
    'id',
  ),
  login_sessions: section(
    'login_sessions',
    `null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
      'created_at', created_at, 'last_seen_at', last_seen_at, 'ends_at', ends_at, 'ended_at', ended_at,
      'client_address', client_address, 'user_agent', user_agent) as item`,
    `login_sessions where user_id = $1 and $2::text is not null and id > $3`,
    'id',
  ),
  api_tokens: section(
    'api_tokens',
    `organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'name', name,
      'prefix', prefix, 'scopes', to_jsonb(scopes), 'created_at', created_at, 'expires_at', expires_at,
      'revoked_at', revoked_at, 'last_used_at', last_used_at) as item`,
    'api_tokens where user_id = $1 and (organization_id, id) > ($2, $3)',
    'organization_id, id',
  ),
  held_seats: section(
    'held_seats',
    `s.organization_id as at, s.session_id as id, jsonb_build_object('id', s.session_id,
      'organization_id', s.organization_id, 'license_id', s.license_id, 'hardware_id', s.hardware_id,
      'metadata', s.metadata, 'started_at', s.started_at, 'last_heartbeat', s.last_heartbeat) as item`,
    `memberships m join licenses l on l.organization_id = m.organization_id
      join seat_slots s on s.organization_id = l.organization_id and s.license_id = l.id and s.user_id = $1
    where m.user_id = $1 and s.session_id is not null and (s.organization_id, s.session_id) > ($2, $3)`,
    's.organization_id, s.session_id',
  ),
  seat_sessions: section(
    'seat_sessions',
    `organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'license_id', license_id,
      'hardware_id', hardware_id, 'metadata', metadata, 'started_at', started_at, 'last_heartbeat', last_heartbeat,
      'ended_at', ended_at, 'status', status) as item`,
    'seat_sessions where user_id = $1 and (organization_id, id) > ($2, $3)',
    'organization_id, id',
  ),
  audit_entries: section(
    'audit_entries',
    // The before and after states may contain other people's data; action and target do not.
    `organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'action', action,
      'target_type', target_type, 'target_id', target_id, 'client_address', client_address, 'created_at', created_at
    ) || case when target_id = $1 then jsonb_build_object('before', before, 'after', after) else '{}' end as item`,
    'audit_entries where actor_user_id = $1 and (organization_id, id) > ($2, $3)',
    'organization_id, id',
  ),
  audit_entries_about_you: {
    name: 'export_audit_entries_about_you',
    // The address in these is that of the actor.
    text: `select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'action', action,
        'target_type', target_type, 'target_id', target_id, 'before', before, 'after', after, 'created_at', created_at
      ) as item
    from (
      (select * from audit_entries where target_id = $1 and target_type in ('user', 'member')
          and actor_user_id is distinct from $1 and (organization_id, id) > ($2, $3)
        order by organization_id, id limit $4)
      union all
      (select * from audit_entries where coalesce(after ->> 'email', before ->> 'email') is not null
          and coalesce(after ->> 'email', before ->> 'email') = ${ADDRESS}
          and target_type not in ('user', 'member') and actor_user_id is distinct from $1
          and (organization_id, id) > ($2, $3)
        order by organization_id, id limit $4)
    ) a order by organization_id, id limit $4`,
  },
} as const satisfies Record<string, Statement<ExportedRow>>;

export type Section = keyof typeof SECTIONS;

/** What there is one of: the user and their second factor. Undefined when the user is gone. */
export async function readPerson(database: Queries, userId: string): Promise<Record<string, unknown> | undefined> {
  return (await database.query(READ_PERSON, [userId]))[0]?.sections;
}

function section(name: string, columns: string, from: string, order: string): Statement<ExportedRow> {
  return { name: `export_${name}`, text: `select ${columns} from ${from} order by ${order} limit $4` };
}

/** A time as the position of a section that is in the order of time: milliseconds, which is as exact as times are kept. */
function timeOf(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::bigint::text`;
}

/** No hash, no secret, and nobody else's address. */
const READ_PERSON: Statement<{ sections: Record<string, unknown> }> = {
  name: 'export_person',
  text: `select jsonb_build_object(
      'user', jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name, 'avatar_url', u.avatar_url,
        'email_verified_at', u.email_verified_at, 'password_changed_at', u.password_changed_at,
        'failed_logins', u.failed_logins, 'locked_until', u.locked_until,
        'created_at', u.created_at, 'updated_at', u.updated_at),
      'two_factor', (
        select jsonb_build_object('enabled_at', max(t.enabled_at), 'recovery_codes_left', (
          select count(*) from recovery_codes r where r.user_id = $1 and r.used_at is null))
        from two_factor_secrets t where t.user_id = $1)
    ) as sections
    from users u where u.id = $1 and u.deleted_at is null`,
};
