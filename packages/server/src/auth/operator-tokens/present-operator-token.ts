import type { StaffRole } from '../../http/index.ts';
import type { OperatorTokenRow } from './queries.ts';

/** An operator token as the operator sees it. */
export interface OperatorToken {
  id: string;
  name: string;
  role: StaffRole;
  /** Its first characters. */
  prefix: string;
  status: 'active' | 'expired' | 'revoked';
  /** ISO 8601, like the other times. */
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  revoked_because: 'command' | 'leak' | null;
  /** True to the minute. */
  last_used_at: string | null;
}

/** What is shown of a row. */
export function presentOperatorToken(row: OperatorTokenRow): OperatorToken {
  const alive = row.is_expired ? 'expired' : 'active';
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    prefix: row.prefix,
    status: row.revoked_at === null ? alive : 'revoked',
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoked_because: row.revoked_because,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
