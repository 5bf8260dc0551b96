import { many, maybeOne, statement } from '../../database/index.ts';

/** The last row of a section that was exported: its organization, its time or null, and its identifier. */
export type Position = readonly [first: string, id: string];

/** One stored row about a user. */
export interface ExportedRow {
  /** The first half of its position. */
  at: string | null;
  id: string;
  item: Record<string, unknown>;
}

/** The parameters of every section's statement: the user, the position after which the page begins, and its size. */
const PARAMETERS = { userId: 'text', first: 'text', id: 'text', limit: 'integer' } as const;

/**
 * The sections of an export: each is read by an index that begins with the user or their address, a page at a time. All take
 * the same parameters, so a section whose position has one half compares the other half with null.
 */
export const SECTIONS = {
  organizations: defineSection(
    'organizations',
    ({ userId, first, id, limit }) => `
      select m.organization_id as at, m.user_id as id, jsonb_build_object('id', o.id, 'name', o.name, 'role', m.role,
        'joined_at', m.created_at) as item
      from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and m.organization_id > ${first} and ${id} is not null
      order by m.organization_id limit ${limit}`,
  ),
  membership_events: defineSection(
    'membership_events',
    ({ userId, first, id, limit }) => `
      select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'type', type,
        'created_at', created, 'object', object) as item
      from events
      where type like 'org.member.%' and object ->> 'email' = ${addressOf(userId)}
        and (organization_id, id) > (${first}, ${id})
      order by organization_id, id limit ${limit}`,
  ),
  oauth_grants: defineSection(
    'oauth_grants',
    ({ userId, first, id, limit }) => `
      select null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'app_id', app_id,
        'scopes', to_jsonb(scopes), 'created_at', created_at, 'ended_at', ended_at) as item
      from oauth_grants where user_id = ${userId} and ${first} is not null and id > ${id}
      order by id limit ${limit}`,
  ),
  browser_logins: defineSection(
    'browser_logins',
    ({ userId, first, id, limit }) => `
      select ${millisecondsOf('created_at')} as at, public_id as id, jsonb_build_object('id', public_id,
        'created_at', created_at, 'last_seen_at', last_seen_at, 'client_address', client_address,
        'user_agent', user_agent) as item
      from oauth_artifacts
      where user_id = ${userId} and public_id is not null and (created_at, public_id) > (${timeAt(first)}, ${id})
      order by created_at, public_id limit ${limit}`,
  ),
  oauth_apps: defineSection(
    'oauth_apps',
    ({ userId, first, id, limit }) => `
      select null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'name', name,
        'created_at', created_at) as item
      from oauth_apps where created_by = ${userId} and ${first} is not null and id > ${id}
      order by id limit ${limit}`,
  ),
  invitations_received: defineSection(
    'invitations_received',
    ({ userId, first, id, limit }) => `
      select ${millisecondsOf('created_at')} as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'role', role, 'created_at', created_at, 'expires_at', expires_at, 'accepted_at', accepted_at) as item
      from invitations where email = ${addressOf(userId)} and (created_at, id) > (${timeAt(first)}, ${id})
      order by created_at, id limit ${limit}`,
  ),
  invitations_sent: defineSection(
    'invitations_sent',
    ({ userId, first, id, limit }) => `
      select ${millisecondsOf('created_at')} as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'role', role, 'created_at', created_at) as item
      from invitations where invited_by = ${userId} and (created_at, id) > (${timeAt(first)}, ${id})
      order by created_at, id limit ${limit}`,
  ),
  mails_waiting: defineSection(
    'mails_waiting',
    ({ userId, first, id, limit }) => `
      select null::text as at, id, jsonb_build_object('id', id, 'kind', kind, 'created_at', created_at) as item
      from outgoing_mails where recipient = ${addressOf(userId)} and ${first} is not null and id > ${id}
      order by id limit ${limit}`,
  ),
  login_sessions: defineSection(
    'login_sessions',
    ({ userId, first, id, limit }) => `
      select null::text as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'created_at', created_at, 'last_seen_at', last_seen_at, 'ends_at', ends_at, 'ended_at', ended_at,
        'client_address', client_address, 'user_agent', user_agent) as item
      from login_sessions where user_id = ${userId} and ${first} is not null and id > ${id}
      order by id limit ${limit}`,
  ),
  api_tokens: defineSection(
    'api_tokens',
    ({ userId, first, id, limit }) => `
      select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'name', name,
        'prefix', prefix, 'scopes', to_jsonb(scopes), 'created_at', created_at, 'expires_at', expires_at,
        'revoked_at', revoked_at, 'last_used_at', last_used_at) as item
      from api_tokens where user_id = ${userId} and (organization_id, id) > (${first}, ${id})
      order by organization_id, id limit ${limit}`,
  ),
  held_seats: defineSection(
    'held_seats',
    ({ userId, first, id, limit }) => `
      select s.organization_id as at, s.session_id as id, jsonb_build_object('id', s.session_id,
        'organization_id', s.organization_id, 'license_id', s.license_id, 'hardware_id', s.hardware_id,
        'metadata', s.metadata, 'started_at', s.started_at, 'last_heartbeat', s.last_heartbeat) as item
      from memberships m join licenses l on l.organization_id = m.organization_id
        join seat_slots s on s.organization_id = l.organization_id and s.license_id = l.id and s.user_id = ${userId}
      where m.user_id = ${userId} and s.session_id is not null and (s.organization_id, s.session_id) > (${first}, ${id})
      order by s.organization_id, s.session_id limit ${limit}`,
  ),
  seat_sessions: defineSection(
    'seat_sessions',
    ({ userId, first, id, limit }) => `
      select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'license_id', license_id, 'hardware_id', hardware_id, 'metadata', metadata, 'started_at', started_at,
        'last_heartbeat', last_heartbeat, 'ended_at', ended_at, 'status', status) as item
      from seat_sessions where user_id = ${userId} and (organization_id, id) > (${first}, ${id})
      order by organization_id, id limit ${limit}`,
  ),
  audit_entries: defineSection(
    'audit_entries',
    // The before and after states may contain other people's data; action and target do not.
    ({ userId, first, id, limit }) => `
      select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'action', action, 'target_type', target_type, 'target_id', target_id, 'client_address', client_address,
        'created_at', created_at
      ) || case when target_id = ${userId} then jsonb_build_object('before', before, 'after', after) else '{}' end as item
      from audit_entries where actor_user_id = ${userId} and (organization_id, id) > (${first}, ${id})
      order by organization_id, id limit ${limit}`,
  ),
  audit_entries_about_you: defineSection(
    'audit_entries_about_you',
    // Without the client address, because it belongs to the actor, who is someone else.
    ({ userId, first, id, limit }) => `
      select organization_id as at, id, jsonb_build_object('id', id, 'organization_id', organization_id,
        'action', action, 'target_type', target_type, 'target_id', target_id, 'before', before, 'after', after,
        'created_at', created_at) as item
      from (
        (select * from audit_entries where target_id = ${userId} and target_type in ('user', 'member')
            and actor_user_id is distinct from ${userId} and (organization_id, id) > (${first}, ${id})
          order by organization_id, id limit ${limit})
        union all
        (select * from audit_entries where coalesce(after ->> 'email', before ->> 'email') is not null
            and coalesce(after ->> 'email', before ->> 'email') = ${addressOf(userId)}
            and target_type not in ('user', 'member') and actor_user_id is distinct from ${userId}
            and (organization_id, id) > (${first}, ${id})
          order by organization_id, id limit ${limit})
      ) a order by organization_id, id limit ${limit}`,
  ),
};

export type Section = keyof typeof SECTIONS;

/** Singletons: the user and their second factor. No hashes, no secrets, and no one else's address. */
export const findPerson = statement({
  name: 'export_person',
  parameters: { userId: 'text' },
  returns: maybeOne<{ sections: Record<string, unknown> }>(),
  sql: ({ userId }) => `
    select jsonb_build_object(
      'user', jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name, 'avatar_url', u.avatar_url,
        'email_verified_at', u.email_verified_at, 'password_changed_at', u.password_changed_at,
        'failed_logins', u.failed_logins, 'locked_until', u.locked_until, 'last_login_at', u.last_login_at,
        'created_at', u.created_at, 'updated_at', u.updated_at),
      'two_factor', (
        select jsonb_build_object('enabled_at', max(t.enabled_at), 'recovery_codes_left', (
          select count(*) from recovery_codes r where r.user_id = ${userId} and r.used_at is null))
        from two_factor_secrets t where t.user_id = ${userId})
    ) as sections
    from users u where u.id = ${userId} and u.deleted_at is null`,
});

function defineSection(name: string, sql: (placeholders: Record<keyof typeof PARAMETERS, string>) => string) {
  return statement({ name: `export_${name}`, parameters: PARAMETERS, returns: many<ExportedRow>(), sql });
}

function addressOf(userId: string): string {
  return `(select email from users where id = ${userId})`;
}

/** The first half of a position in a section ordered by time: milliseconds, the precision of stored times. */
function millisecondsOf(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::bigint::text`;
}

/** Reads the time that `millisecondsOf` wrote; for the first page, a time before all others. */
function timeAt(first: string): string {
  return `to_timestamp(coalesce(nullif(${first}, ''), '0')::float8 / 1000)`;
}
