import { isScope } from '../../http/index.ts';
import type { OauthAppRow } from './queries.ts';
import type { OauthApp } from './schemas.ts';
import type { ClientSecretRow } from './secret-queries.ts';

/** An OAuth app as the API shows it; `secrets` may also contain those of other apps. */
export function presentOauthApp(row: OauthAppRow, secrets: readonly ClientSecretRow[]): OauthApp {
  return {
    id: row.id,
    client_id: row.id,
    name: row.name,
    redirect_uris: row.redirect_uris,
    scopes: row.scopes.filter(isScope),
    confidential: row.is_confidential,
    device_flow: row.device_flow,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    secrets: secrets
      .filter((secret) => secret.app_id === row.id)
      .map((secret) => ({
        created_at: secret.created_at.toISOString(),
        expires_at: secret.expires_at?.toISOString() ?? null,
      })),
  };
}
