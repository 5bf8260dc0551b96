import type { Queries } from '../../database/index.ts';
import { isScope, type Scope } from '../../http/index.ts';
import { findOauthClientRow } from './queries.ts';

/** An OAuth app for the authorization server. */
export interface OauthClient {
  /** Also the client_id. */
  id: string;
  /** Who owns the app; its grants may act in other organizations. */
  organizationId: string;
  organizationName: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  isConfidential: boolean;
  hasDeviceFlow: boolean;
  /** SHA-256 of each live client secret, at most two; none for a public app. */
  secretHashes: readonly Buffer[];
}

/** The app with this client_id; undefined if it is unknown, or if it or its organization was deleted. */
export async function findOauthClient(database: Queries, appId: string): Promise<OauthClient | undefined> {
  const row = await findOauthClientRow(database, { appId });
  return row === undefined
    ? undefined
    : {
        id: row.id,
        organizationId: row.organization_id,
        organizationName: row.organization_name,
        name: row.name,
        redirectUris: row.redirect_uris,
        scopes: row.scopes.filter(isScope),
        isConfidential: row.is_confidential,
        hasDeviceFlow: row.device_flow,
        secretHashes: row.secret_hashes,
      };
}
