import { ALL_SCOPES, type ApiFragment, headersOfStatus, refusalsOfEverything, SCOPES } from '../http/index.ts';
import { ANY_CLIENT, DEVICE_CODES, type Form, INTROSPECTION, METADATA, PAGE, TOKENS } from './described-bodies.ts';
import { describeEndpoint, errorResponses, OAUTH_TAG, UNAVAILABLE } from './described-endpoint.ts';
import { DEVICE_GRANT } from './device-grant.ts';
import { describeAuthorizationServer } from './metadata.ts';

/** The authorization server for the API reference: the library's endpoints have no rows in the table of routes. */
export function describeOauth(authUrl: string, baseUrl: string): ApiFragment {
  const { origin, pathname } = new URL(authUrl);
  const basePath = pathname.replace(/\/$/, '');
  const at = (path: string, methods: Readonly<Record<string, unknown>>) => [
    path,
    origin === baseUrl ? methods : { servers: [{ url: origin }], ...methods },
  ];
  const wellKnown = '/.well-known/oauth-authorization-server';
  const metadata = describeAuthorizationServer(authUrl);
  return {
    tag: TAG,
    paths: Object.fromEntries([
      at(wellKnown, { get: describeMetadata('getOauthMetadataOfHost', metadata) }),
      ...(basePath === '' ? [] : [at(wellKnown + basePath, { get: describeMetadata('getOauthMetadata', metadata) })]),
      at(`${basePath}/authorize`, { get: AUTHORIZE }),
      at(`${basePath}/device_authorization`, { post: DEVICE }),
      at(`${basePath}/token`, { post: TOKEN }),
      at(`${basePath}/revoke`, { post: REVOKE }),
      at(`${basePath}/introspect`, { post: INTROSPECT }),
    ]),
    securitySchemes: {
      oauth2: {
        type: 'oauth2',
        description:
          'How an OAuth app gets an access token. The app sends it as a `bearer` token, which lists the scope that each operation requires.',
        flows: {
          authorizationCode: {
            authorizationUrl: `${authUrl}/authorize`,
            tokenUrl: `${authUrl}/token`,
            refreshUrl: `${authUrl}/token`,
            scopes: SCOPES,
          },
        },
      },
      oauthClient: {
        type: 'http',
        scheme: 'basic',
        description:
          'The client_id and client_secret of a confidential OAuth app (RFC 6749 §2.3.1). You can send both in the body instead. Public apps send only client_id in the body.',
      },
    },
  };
}

const TAG = {
  name: OAUTH_TAG,
  description:
    'The authorization server for OAuth apps: RFC 6749 with PKCE (RFC 7636), revocation (RFC 7009), introspection (RFC 7662), metadata (RFC 8414), devices without a browser (RFC 8628), and issuer identification (RFC 9207). Responses follow these standards and do not use the envelope of the API.',
};

function describeMetadata(operationId: string, metadata: Readonly<Record<string, unknown>>): unknown {
  return {
    operationId,
    tags: [OAUTH_TAG],
    summary: 'Get authorization server metadata',
    description: 'The metadata of RFC 8414, identical at both addresses. No authentication required.',
    security: [],
    parameters: [],
    responses: {
      200: {
        description: 'The metadata. You can cache it for five minutes.',
        headers: headersOfStatus(200),
        content: { 'application/json': { schema: METADATA, example: metadata } },
      },
      ...errorResponses(UNAVAILABLE),
      ...refusalsOfEverything(),
    },
  };
}

const queryParameter = (name: string, required: boolean, schema: unknown, description: string) => ({
  name,
  in: 'query',
  required,
  schema,
  description,
});
const TEXT = { type: 'string' };

const AUTHORIZE = {
  operationId: 'authorizeOauthApp',
  tags: [OAUTH_TAG],
  summary: 'Authorize an app',
  description:
    'Redirect the browser here. The user logs in and gives consent on our pages. Then the browser is redirected to redirect_uri with `code`, `state`, and `iss`, or with `error`, `error_description`, `state`, and `iss`. Unknown parameters are ignored. No authentication required.',
  security: [],
  parameters: [
    queryParameter(
      'response_type',
      true,
      { type: 'string', const: 'code' },
      'Only the authorization code grant is supported.',
    ),
    queryParameter('client_id', true, TEXT, 'The ID of the app.'),
    queryParameter('redirect_uri', true, TEXT, "One of the app's redirect URIs, compared character by character."),
    queryParameter(
      'scope',
      false,
      TEXT,
      `Scopes separated by spaces: ${ALL_SCOPES.join(', ')}. If omitted, all scopes of the app.`,
    ),
    queryParameter('state', false, TEXT, 'Returned unchanged.'),
    queryParameter('code_challenge', false, TEXT, 'PKCE (RFC 7636). Required for public apps.'),
    queryParameter('code_challenge_method', false, { type: 'string', const: 'S256' }, 'Required with code_challenge.'),
    queryParameter('response_mode', false, { type: 'string', const: 'query' }, 'The only supported value.'),
    queryParameter('prompt', false, TEXT, '`login` and `consent` always prompt the user. `none` never does.'),
    queryParameter('login_hint', false, TEXT, 'The email address to prefill on the login page.'),
  ],
  responses: {
    303: {
      description: 'A redirect to one of our pages, or back to the app.',
      headers: {
        ...headersOfStatus(303),
        Location: { description: 'The redirect target.', required: true, schema: { type: 'string', format: 'uri' } },
      },
    },
    ...Object.fromEntries(
      [
        [400, 'The app or its redirect_uri is unknown. Shows an error page instead of redirecting.'],
        [429, 'Too many requests. Shows an error page.'],
        [500, 'Something went wrong on our side. Shows an error page.'],
        [503, 'The service is temporarily unavailable. Shows an error page.'],
      ].map(([status, description]) => [
        status,
        { description, headers: headersOfStatus(Number(status)), content: { 'text/html': PAGE } },
      ]),
    ),
    ...refusalsOfEverything(),
  },
};

const TOKEN = describeEndpoint({
  operationId: 'createOauthTokens',
  summary: 'Get tokens',
  description:
    'Exchanges an authorization code, a device code, or a refresh token for tokens. An authorization code expires after 60 seconds and works once; if it is used twice, the tokens from the first use are revoked. Refresh tokens of public apps are replaced on each use. Those of confidential apps stay the same. With a device code, call every `interval` seconds until the response is not `authorization_pending` or `slow_down`.',
  form: {
    properties: {
      grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token', DEVICE_GRANT] },
      code: { type: 'string', description: 'For authorization_code: the code from the redirect.' },
      redirect_uri: {
        type: 'string',
        description: 'For authorization_code: the redirect_uri of the authorization request.',
      },
      code_verifier: {
        type: 'string',
        description: 'For authorization_code, if the authorization request had a code_challenge.',
      },
      device_code: { type: 'string', description: `For ${DEVICE_GRANT}: the device_code that the device got.` },
      refresh_token: { type: 'string', description: 'For refresh_token.' },
      scope: {
        type: 'string',
        description: 'For refresh_token: a subset of the granted scopes. If omitted, all of them.',
      },
      ...ANY_CLIENT,
    },
    required: ['grant_type'],
    example: {
      grant_type: 'authorization_code',
      code: 'svc_oac_1sPbD0oG7gq3v6nUXJk2yTFRmZ4c9wLEhA8QVxSN',
      redirect_uri: 'https://console.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  },
  success: { description: 'The tokens (RFC 6749 §5.1).', content: { 'application/json': TOKENS } },
  errors: {
    invalid_grant:
      'The code or refresh token is invalid, expired, revoked, or already used, or belongs to another request.',
    invalid_scope: 'The requested scopes exceed the granted scopes.',
    unauthorized_client: 'The app may not use this grant type. Turn on its `device_flow`.',
    unsupported_grant_type: `Only authorization_code, refresh_token, and ${DEVICE_GRANT} are supported.`,
    authorization_pending: 'The user has not allowed or denied access yet. Try again after the interval.',
    slow_down: 'The device polled too soon. Wait five seconds longer before each further request.',
    access_denied: 'The user denied access.',
    expired_token: 'The device code has expired. Get a new one.',
  },
});

const TOKEN_FORM: Form = {
  properties: {
    token: { type: 'string' },
    token_type_hint: { type: 'string', description: 'Optional and ignored. The token type is detected automatically.' },
    ...ANY_CLIENT,
  },
  required: ['token'],
  example: { token: 'svc_ort_5hTqL8rWc2JzXn0KyVb6PdGf3sMaEu9R1iYo7tCQ' },
};

const REVOKE = describeEndpoint({
  operationId: 'revokeOauthToken',
  summary: 'Revoke a token',
  description:
    'Revoking a refresh token also revokes all access tokens created from it. Revoking an access token affects only that token. A token that is unknown or belongs to another app gets the same response and is not revoked (RFC 7009).',
  form: TOKEN_FORM,
  success: { description: 'Success. The response has no body.' },
});

const INTROSPECT = describeEndpoint({
  operationId: 'introspectOauthToken',
  summary: 'Introspect a token',
  description:
    'Returns whether a token of the app is active. For a token that is unknown, inactive, or belongs to another app, returns only `active: false` (RFC 7662).',
  form: TOKEN_FORM,
  success: { description: 'The state of the token.', content: { 'application/json': INTROSPECTION } },
});

const DEVICE = describeEndpoint({
  operationId: 'createOauthDeviceCode',
  summary: 'Get a device code',
  description:
    'Starts the device flow (RFC 8628), for programs without a browser. Show `verification_uri` and `user_code` to the user, who enters the code in a browser on any device and gives consent there. Meanwhile, ask for tokens with the `device_code`. The app must have `device_flow` on.',
  form: {
    properties: {
      scope: {
        type: 'string',
        description: `Scopes separated by spaces: ${ALL_SCOPES.join(', ')}. If omitted, all scopes of the app.`,
      },
      ...ANY_CLIENT,
    },
    required: [],
    example: { client_id: 'app_01kg9xm2m8xf3q9wz5r7e6b4c1', scope: 'read:profile read:licenses' },
  },
  success: { description: 'The codes (RFC 8628 §3.2).', content: { 'application/json': DEVICE_CODES } },
  errors: {
    invalid_scope: 'A scope is unknown, or the app does not have it.',
    unauthorized_client: 'The app may not use the device flow. Turn on its `device_flow`.',
  },
});
