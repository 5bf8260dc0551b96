import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Queries } from '../../database/index.ts';
import { ALL_SCOPES, scopesOfRole } from '../../http/index.ts';
import { findGrantForTokens, type GrantForTokensRow } from './artifact-queries.ts';

/**
 * Shows the library our grants as its own. It never writes one: the consent page creates grants, and the API ends them.
 * One that has ended, whose app was deleted or whose user left the organization is not found.
 */
export function createGrantAdapter(database: Queries): Adapter {
  return {
    async find(id) {
      const row = await findGrantForTokens(database, { grantId: id });
      return row === undefined ? undefined : presentGrant(row);
    },
    upsert: async () => undefined,
    destroy: async () => undefined,
    consume: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/**
 * Scopes that the user's current role does not allow count as refused: they are in no token, and the library does not
 * request them again and again.
 */
function presentGrant(row: GrantForTokensRow): AdapterPayload {
  const allowed: readonly string[] = scopesOfRole(row.role);
  const refused = ALL_SCOPES.filter((scope) => !allowed.includes(scope));
  return {
    kind: 'Grant',
    jti: row.id,
    accountId: row.user_id,
    clientId: row.app_id,
    openid: { scope: row.scopes.filter((scope) => row.app_scopes.includes(scope)).join(' ') },
    ...(refused.length === 0 ? {} : { rejected: { openid: { scope: refused.join(' ') } } }),
  };
}
