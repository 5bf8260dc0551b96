import type { ActorType, AuditEntryRow } from '../../audit/index.ts';

/** An entry as the API shows it, with the email address of its actor if that is shown. */
export function presentAuditEntry(row: AuditEntryRow, email: string | null) {
  const type = actorTypeOf(row);
  return {
    id: row.id,
    action: row.action,
    actor: {
      type,
      id: type === 'operator_token' ? row.credential_id : row.actor_user_id,
      email,
      user_id: row.actor_user_id,
      credential: { kind: row.credential_kind, id: row.credential_id },
    },
    request_id: row.request_id,
    client_address: row.client_address,
    target: { type: row.target_type, id: row.target_id },
    before: row.before,
    after: row.after,
    created_at: row.created_at.toISOString(),
  };
}

function actorTypeOf(row: AuditEntryRow): ActorType {
  if (row.by_staff) {
    return 'staff';
  }
  if (row.credential_kind === 'operator') {
    return row.credential_id === null ? 'operator' : 'operator_token';
  }
  return row.actor_user_id === null ? 'unknown' : 'user';
}
