import { ALL_SCOPES } from '../http/index.ts';
import { DEVICE_GRANT } from './device-grant.ts';

/** The metadata of the authorization server, as in RFC 8414. The library's own document would claim OpenID Connect. */
export function describeAuthorizationServer(authUrl: string): Readonly<Record<string, unknown>> {
  const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/authorize`,
    token_endpoint: `${authUrl}/token`,
    revocation_endpoint: `${authUrl}/revoke`,
    introspection_endpoint: `${authUrl}/introspect`,
    device_authorization_endpoint: `${authUrl}/device_authorization`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ALL_SCOPES,
  };
}
