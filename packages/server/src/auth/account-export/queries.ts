import type { Queries, Statement } from '../../database/index.ts';

/** The last row of a section that was exported: its organization or nothing, and its identifier. */
export type Position = readonly [organizationId: string, id: string];

/** One thing that is kept about a user. */
export interface ExportedRow {
  organization_id: string | null;
  id: string;
  item: Record<string, unknown>;
}

/**
 * The sections of an export that can be long: each is read by an index that begins with the user, a page at a time. Seats
 * that are in use are found by license, along the index of the machines of a user.
 */
export const LONG_SECTIONS = {
  login_sessions: section(
    'login_sessions',
    `null::text as organization_id, id, jsonb_build_object('id', id, 'organization_id', organization_id,
      'created_at', created_at, 'last_seen_at', last_seen_at, 'ends_at', ends_at, 'ended_at', ended_at,
      'client_address', client_address, 'user_agent', user_agent) as item`,
    `login_sessions where user_id = $1 and $2::text is not null and id > $3`,
    'id',
  ),
  api_tokens: section(
    'api_tokens',
    `organization_id, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'name', name,
      'prefix', prefix, 'scopes', to_jsonb(scopes), 'created_at', created_at, 'expires_at', expires_at,
      'revoked_at', revoked_at, 'last_used_at', last_used_at) as item`,
    'api_tokens where user_id = $1 and (organization_id, id) > ($2, $3)',
    'organization_id, id',
  ),
  seat_sessions: section(
    'seat_sessions',
    'organization_id, id, item',
    `(
        (select organization_id, id, jsonb_build_object('id', id, 'organization_id', organization_id,
            'license_id', license_id, 'hardware_id', hardware_id, 'metadata', metadata, 'started_at', started_at,
            'last_heartbeat', last_heartbeat, 'ended_at', ended_at, 'status', status) as item
          from seat_sessions where user_id = $1 and (organization_id, id) > ($2, $3)
          order by organization_id, id limit $4)
        union all
        (select s.organization_id, s.session_id, jsonb_build_object('id', s.session_id,
            'organization_id', s.organization_id, 'license_id', s.license_id, 'hardware_id', s.hardware_id,
            'metadata', s.metadata, 'started_at', s.started_at, 'last_heartbeat', s.last_heartbeat, 'ended_at', null,
            'status', 'active')
          from memberships m join licenses l on l.organization_id = m.organization_id
          join seat_slots s on s.organization_id = l.organization_id and s.license_id = l.id
            and s.user_id = $1 and s.session_id is not null
          where m.user_id = $1 and (s.organization_id, s.session_id) > ($2, $3)
          order by s.organization_id, s.session_id limit $4)
      ) as sessions`,
    'organization_id, id',
  ),
  audit_entries: section(
    'audit_entries',
    // What was before and after may tell of other people; what was done to which thing does not.
    `organization_id, id, jsonb_build_object('id', id, 'organization_id', organization_id, 'action', action,
      'target_type', target_type, 'target_id', target_id, 'client_address', client_address, 'created_at', created_at
    ) || case when target_id = $1 then jsonb_build_object('before', before, 'after', after) else '{}' end as item`,
    'audit_entries where actor_user_id = $1 and (organization_id, id) > ($2, $3)',
    'organization_id, id',
  ),
} as const;

export type LongSection = keyof typeof LONG_SECTIONS;

/** The sections that are short by what bounds them elsewhere, as one answer. */
export async function readShortSections(
  database: Queries,
  userId: string,
): Promise<Record<string, unknown> | undefined> {
  return (await database.query(READ_SHORT_SECTIONS, [userId]))[0]?.sections;
}

function section(name: string, columns: string, from: string, order: string): Statement<ExportedRow> {
  return { name: `export_${name}`, text: `select ${columns} from ${from} order by ${order} limit $4` };
}

/** No hash, no secret, and nobody else's address. */
const READ_SHORT_SECTIONS: Statement<{ sections: Record<string, unknown> }> = {
  name: 'export_short_sections',
  text: `select jsonb_build_object(
      'user', jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name, 'avatar_url', u.avatar_url,
        'email_verified_at', u.email_verified_at, 'password_changed_at', u.password_changed_at,
        'created_at', u.created_at, 'updated_at', u.updated_at),
      'organizations', (
        select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'role', m.role,
          'joined_at', m.created_at) order by m.organization_id), '[]')
        from memberships m join organizations o on o.id = m.organization_id where m.user_id = $1),
      'two_factor', (
        select jsonb_build_object('enabled_at', max(t.enabled_at), 'recovery_codes_left', (
          select count(*) from recovery_codes r where r.user_id = $1 and r.used_at is null))
        from two_factor_secrets t where t.user_id = $1),
      'oauth_grants', (
        select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'organization_id', g.organization_id,
          'app_id', g.app_id, 'scopes', to_jsonb(g.scopes), 'created_at', g.created_at, 'ended_at', g.ended_at)
          order by g.id), '[]')
        from (select * from oauth_grants where user_id = $1 order by id limit 1000) g),
      'browser_logins', (
        select coalesce(jsonb_agg(jsonb_build_object('id', a.public_id, 'created_at', a.created_at,
          'last_seen_at', a.last_seen_at, 'client_address', a.client_address, 'user_agent', a.user_agent)
          order by a.created_at), '[]')
        from (
          select * from oauth_artifacts where user_id = $1 and public_id is not null order by created_at limit 1000
        ) a),
      'oauth_apps', (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'organization_id', p.organization_id, 'name', p.name,
          'created_at', p.created_at) order by p.id), '[]')
        from (select * from oauth_apps where created_by = $1 order by id limit 1000) p),
      'invitations_received', (
        select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'organization_id', i.organization_id, 'role', i.role,
          'created_at', i.created_at, 'expires_at', i.expires_at, 'accepted_at', i.accepted_at) order by i.id), '[]')
        from (select * from invitations where email = u.email order by created_at limit 1000) i),
      'invitations_sent', (
        select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'organization_id', i.organization_id, 'role', i.role,
          'created_at', i.created_at) order by i.id), '[]')
        from (select * from invitations where invited_by = $1 order by created_at limit 1000) i),
      'mails_waiting', (
        select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'kind', w.kind, 'created_at', w.created_at)
          order by w.id), '[]')
        from (select * from outgoing_mails where recipient = u.email order by id limit 1000) w)
    ) as sections
    from users u where u.id = $1 and u.deleted_at is null`,
};
