import { isScope } from '../../http/index.ts';
import type { GrantRow } from './queries.ts';
import type { OauthGrant } from './schemas.ts';

/** A grant as the API shows it. */
export function presentGrant(row: GrantRow): OauthGrant {
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name },
    organization_id: row.organization_id,
    scopes: row.scopes.filter(isScope),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
