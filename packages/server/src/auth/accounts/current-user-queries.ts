import type { Queries, Statement } from '../../database/index.ts';
import { ACCESS, type Role } from '../../http/index.ts';

/** A user and what they are called, as found for one organization. */
export interface CurrentUserRow {
  position: number;
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  created_at: Date;
  email_verified: boolean;
  two_factor_enabled: boolean;
  organization_id: string;
  organization_name: string;
  role: Role;
}

/**
 * Users in organizations that they are members of, many at once. Where a token is given, it is checked here and says whose
 * it is; the user is given where that was done before.
 */
export async function findCurrentUsers(
  database: Queries,
  questions: ReadonlyArray<{ organizationId: string; userId: string; uncheckedTokenHash: Buffer | null }>,
): Promise<CurrentUserRow[]> {
  return database.query(FIND_CURRENT_USERS, [
    questions.map((question) => question.organizationId),
    questions.map((question) => (question.uncheckedTokenHash === null ? question.userId : null)),
    questions.map((question) => question.uncheckedTokenHash),
    ACCESS.readProfile.scope,
  ]);
}

const FIND_CURRENT_USERS: Statement<CurrentUserRow> = {
  name: 'find_current_users',
  text: `select w.position::integer as position, u.id, u.email, u.name, u.avatar_url, u.created_at,
      u.email_verified_at is not null as email_verified, f.enabled_at is not null as two_factor_enabled,
      o.id as organization_id, o.name as organization_name, m.role
    from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as w (organization_id, user_id, token_hash, position)
    left join bearer_tokens b on b.token_hash = w.token_hash and b.revoked_at is null
      and (b.expires_at is null or b.expires_at > clock_timestamp())
      and (b.scopes is null or $4::text = any(b.scopes))
      and (b.kind = 'session' or b.organization_id = w.organization_id)
    join users u on u.id = coalesce(w.user_id, b.user_id)
    join memberships m on m.organization_id = w.organization_id and m.user_id = u.id
    join organizations o on o.id = m.organization_id
    left join two_factor_secrets f on f.user_id = u.id`,
};
