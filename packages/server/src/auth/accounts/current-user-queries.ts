import { arrays, many, statement } from '../../database/index.ts';
import type { Role, StaffRole } from '../../http/index.ts';

/** A user as the API shows one, found for one organization. */
export interface CurrentUserRow {
  /** The position of the question in the batch. */
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
  staff_role: StaffRole | null;
}

/**
 * Users in organizations that they are members of, many at once. A question contains the user if their token was
 * checked before. Otherwise it contains the token; the statement checks the token and its scope, and finds its user.
 */
export const listCurrentUsers = statement({
  name: 'list_current_users',
  parameters: {
    asked: arrays({
      position: 'integer',
      organization_id: 'text',
      user_id: 'text | null',
      token_hash: 'bytea | null',
    }),
    scope: 'text',
  },
  returns: many<CurrentUserRow>(),
  sql: ({ asked, scope }) => `
    select asked.position, u.id, u.email, u.name, u.avatar_url, u.created_at,
      u.email_verified_at is not null as email_verified, f.enabled_at is not null as two_factor_enabled,
      o.id as organization_id, o.name as organization_name, m.role, s.role as staff_role
    from ${asked}
    left join bearer_tokens b on b.token_hash = asked.token_hash and b.revoked_at is null
      and (b.expires_at is null or b.expires_at > clock_timestamp())
      and (b.scopes is null or ${scope} = any(b.scopes))
      and (b.kind = 'session' or b.organization_id = asked.organization_id)
    join users u on u.id = coalesce(asked.user_id, b.user_id)
    join memberships m on m.organization_id = asked.organization_id and m.user_id = u.id
    join organizations o on o.id = m.organization_id
    left join two_factor_secrets f on f.user_id = u.id
    left join staff_members s on s.user_id = u.id`,
});
