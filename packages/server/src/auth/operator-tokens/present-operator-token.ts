import type { OperatorTokenRow } from './queries.ts';
import type { OperatorToken } from './schemas.ts';

/** The fields of a row that are shown. */
export function presentOperatorToken(row: OperatorTokenRow): OperatorToken {
  const alive = row.is_expired ? 'expired' : 'active';
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    prefix: row.prefix,
    status: row.revoked_at === null ? alive : 'revoked',
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoked_because: row.revoked_because,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
