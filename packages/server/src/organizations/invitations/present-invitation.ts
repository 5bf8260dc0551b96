import type { Invitation } from '../events.ts';
import type { InvitationRow } from './queries.ts';

/** An invitation as the API and the events show one: never its token. */
export function presentInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    organization_id: row.organization_id,
    email: row.email,
    role: row.role,
    status: row.status,
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
  };
}
