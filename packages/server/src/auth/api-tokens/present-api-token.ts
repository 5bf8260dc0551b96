import { isScope } from '../../http/index.ts';
import type { ApiTokenRow } from './queries.ts';
import type { ApiToken } from './schemas.ts';

/** An API token as the API shows it. */
export function presentApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.filter(isScope),
    status: row.is_expired ? 'expired' : 'active',
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    replaced_by: row.replaced_by,
  };
}
