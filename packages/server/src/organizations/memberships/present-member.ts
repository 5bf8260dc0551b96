import { avatarUrlOf } from '../../users/index.ts';
import type { Member } from '../events.ts';
import type { MemberRow } from './queries.ts';

/** A member as the API and the events show it. `baseUrl` is the public address of the environment. */
export function presentMember(row: MemberRow, baseUrl: string): Member {
  return {
    user_id: row.user_id,
    organization_id: row.organization_id,
    email: row.email,
    name: row.name,
    avatar_url: avatarUrlOf(baseUrl, row.avatar_url),
    role: row.role,
    created_at: row.created_at.toISOString(),
  };
}
