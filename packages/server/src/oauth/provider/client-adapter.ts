import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Queries } from '../../database/index.ts';
import { findOauthClient, type OauthClient } from '../apps/find-client.ts';
import { DEVICE_GRANT } from '../device-grant.ts';

/** Names of the client's metadata that are our own. */
export const CLIENT_PROPERTIES = ['secret_hashes'];

/** Shows the library our OAuth apps as its clients. */
export function createClientAdapter(database: Queries): Adapter {
  return {
    async find(id) {
      const client = IDENTIFIER.test(id) ? await findOauthClient(database, id) : undefined;
      return client === undefined ? undefined : presentClient(client);
    },
    upsert: async () => undefined,
    destroy: async () => undefined,
    consume: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/** Values that can be queried in PostgreSQL: a client_id is the caller's text. */
const IDENTIFIER = /^[\x21-\x7e]{1,128}$/;

/** The library caches clients by the hash of this, so a changed app is immediately another client. */
function presentClient(client: OauthClient): AdapterPayload {
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: [...client.redirectUris],
    scope: client.scopes.join(' '),
    // For this type, the library compares redirect URIs character by character.
    application_type: 'web',
    grant_types: [
      ...(client.redirectUris.length > 0 ? ['authorization_code'] : []),
      ...(client.hasDeviceFlow ? [DEVICE_GRANT] : []),
      'refresh_token',
    ],
    response_types: client.redirectUris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: client.isConfidential ? 'client_secret_basic' : 'none',
    // The library requires a secret and then calls compareClientSecret, which only knows the hashes.
    ...(client.isConfidential ? { client_secret: 'kept as a hash' } : {}),
    secret_hashes: client.secretHashes.map((hash) => hash.toString('hex')),
  };
}
