import { ALL_SCOPES, type ApiFragment, headersOfStatus, refusalsOfEverything, SCOPES } from '../../http/index.ts';
import { ANY_CLIENT, type Form, formOf, INTROSPECTION, METADATA, PAGE, TOKENS } from './described-bodies.ts';
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
      at(`${basePath}/token`, { post: TOKEN }),
      at(`${basePath}/revoke`, { post: REVOKE }),
      at(`${basePath}/introspect`, { post: INTROSPECT }),
    ]),
    securitySchemes: {
      oauth2: {
        type: 'oauth2',
        description: 'An access token of an OAuth app, with what the user gave of the scopes that it asked for.',
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
          'client_id and client_secret of a confidential OAuth app (RFC 6749 §2.3.1). Both may stand in the body instead; a public app sends client_id there, alone.',
      },
    },
  };
}

const TAG = {
  name: 'OAuth',
  description:
    'The authorization server for OAuth apps: RFC 6749 with PKCE (RFC 7636), revocation (RFC 7009), introspection (RFC 7662), metadata (RFC 8414) and issuer identification (RFC 9207). Answers are those of these standards, without the envelope of the API.',
};

/** Each code that an endpoint can answer, by status: what it means, in the words of an answer. */
type Errors = Readonly<Record<number, Readonly<Record<string, string>>>>;

const UNAVAILABLE: Errors = {
  429: { rate_limit_exceeded: 'Too many requests; wait as long as Retry-After says.' },
  500: { server_error: 'Something went wrong on our side.' },
  503: { temporarily_unavailable: 'The service is away for the moment; try again.' },
};

/** What every endpoint that apps call can answer. */
const OF_FORMS: Errors = {
  400: {
    invalid_request: 'A parameter is missing, stands twice or is malformed, or the Origin is not one of the app.',
  },
  401: { invalid_client: 'The app is unknown or did not prove who it is.' },
  413: { invalid_request: 'The body must be at most 57344 bytes.' },
  415: { invalid_request: 'Send the body as Content-Type: application/x-www-form-urlencoded.' },
  ...UNAVAILABLE,
};

function errorResponses(errors: Errors): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, codes]) => [
      status,
      {
        description: Object.entries(codes)
          .map(([code, when]) => `\`${code}\`: ${when}`)
          .join('\n\n'),
        headers: errorHeadersOf(Number(status)),
        content: { 'application/json': { schema: errorSchema(Object.keys(codes)), examples: errorExamples(codes) } },
      },
    ]),
  );
}

function errorHeadersOf(status: number): Record<string, unknown> {
  const challenge = { description: 'RFC 7617.', required: false, schema: { type: 'string' } };
  return { ...headersOfStatus(status), ...(status === 401 ? { 'WWW-Authenticate': challenge } : {}) };
}

/** RFC 6749 section 5.2. */
function errorSchema(codes: readonly string[]): unknown {
  return {
    type: 'object',
    required: ['error', 'error_description'],
    additionalProperties: false,
    properties: {
      error: { type: 'string', enum: codes },
      error_description: { type: 'string' },
      ...(codes.includes('invalid_scope') ? { scope: { type: 'string', description: 'The scope that it was.' } } : {}),
    },
  };
}

function errorExamples(codes: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(codes).map(([error, when]) => [error, { value: { error, error_description: when } }]),
  );
}

function describeMetadata(operationId: string, metadata: Readonly<Record<string, unknown>>): unknown {
  return {
    operationId,
    tags: [TAG.name],
    summary: 'What the authorization server offers and where',
    description: 'The metadata of RFC 8414, the same at both addresses. Needs no token.',
    security: [],
    parameters: [],
    responses: {
      200: {
        description: 'The metadata; it may be kept for five minutes.',
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
  tags: [TAG.name],
  summary: 'Ask a user for leave to act for them',
  description:
    'Where an app sends the browser. The user logs in and agrees on pages of the service; then the browser is sent back to redirect_uri with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. Unknown parameters are ignored. Needs no token.',
  security: [],
  parameters: [
    queryParameter('response_type', true, { type: 'string', const: 'code' }, 'Only the authorization code grant.'),
    queryParameter('client_id', true, TEXT, 'The id of the app.'),
    queryParameter('redirect_uri', true, TEXT, 'One of the app, compared character by character.'),
    queryParameter(
      'scope',
      false,
      TEXT,
      `Separated by spaces, of: ${ALL_SCOPES.join(', ')}. Left out: all of the app.`,
    ),
    queryParameter('state', false, TEXT, 'Comes back as it was sent.'),
    queryParameter('code_challenge', false, TEXT, 'PKCE (RFC 7636); public apps must send it.'),
    queryParameter('code_challenge_method', false, { type: 'string', const: 'S256' }, 'Together with code_challenge.'),
    queryParameter('response_mode', false, { type: 'string', const: 'query' }, 'There is no other.'),
    queryParameter('prompt', false, TEXT, '`login` and `consent` ask in any case, `none` in no case.'),
    queryParameter('login_hint', false, TEXT, 'The e-mail address that the login page begins with.'),
  ],
  responses: {
    303: {
      description: 'To a page of the service, or back to the app.',
      headers: {
        ...headersOfStatus(303),
        Location: { description: 'Where to go.', required: true, schema: { type: 'string', format: 'uri' } },
      },
    },
    ...Object.fromEntries(
      [
        [400, 'The app or its redirect_uri is not known, so nothing is sent there: a page that says so.'],
        [429, 'Too many requests; a page that says so.'],
        [500, 'Something went wrong on our side; a page that says so.'],
        [503, 'The service is away for the moment; a page that says so.'],
      ].map(([status, description]) => [
        status,
        { description, headers: headersOfStatus(Number(status)), content: { 'text/html': PAGE } },
      ]),
    ),
    ...refusalsOfEverything(),
  },
};

/** An endpoint that apps call: it takes a form and knows them by their secret, or public apps by their id. */
function describeEndpoint(described: {
  operationId: string;
  summary: string;
  description: string;
  form: Form;
  success: Readonly<Record<string, unknown>>;
  errors?: Readonly<Record<string, string>>;
}): unknown {
  const { operationId, summary, description, form, success, errors } = described;
  return {
    operationId,
    tags: [TAG.name],
    summary,
    description,
    security: [{ oauthClient: [] }, {}],
    parameters: [],
    requestBody: { required: true, content: { 'application/x-www-form-urlencoded': formOf(form) } },
    responses: {
      200: { headers: headersOfStatus(200), ...success },
      ...errorResponses({ ...OF_FORMS, 400: { ...OF_FORMS[400], ...errors } }),
      ...refusalsOfEverything(),
    },
  };
}

const TOKEN = describeEndpoint({
  operationId: 'createOauthTokens',
  summary: 'Exchange a code or a refresh token for tokens',
  description:
    'A code lives 60 seconds and works once; used twice, it ends what the first use gave. The refresh token of a confidential app stays, that of a public app is replaced each time.',
  form: {
    properties: {
      grant_type: { type: 'string', enum: ['authorization_code', 'refresh_token'] },
      code: { type: 'string', description: 'With authorization_code: what the browser brought back.' },
      redirect_uri: {
        type: 'string',
        description: 'With authorization_code: the one that the code was asked for with.',
      },
      code_verifier: { type: 'string', description: 'With authorization_code, where there was a code_challenge.' },
      refresh_token: { type: 'string', description: 'With refresh_token.' },
      scope: {
        type: 'string',
        description: 'With refresh_token: fewer scopes than were given; left out, all of them.',
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
    invalid_grant: 'The code or refresh token is unknown, used, expired or ended, or belongs to another request.',
    invalid_scope: 'More was asked for than was given.',
    unsupported_grant_type: 'Only authorization_code and refresh_token.',
  },
});

const TOKEN_FORM: Form = {
  properties: {
    token: { type: 'string' },
    token_type_hint: { type: 'string', description: 'Needless: a token says by itself of which kind it is.' },
    ...ANY_CLIENT,
  },
  required: ['token'],
  example: { token: 'svc_ort_5hTqL8rWc2JzXn0KyVb6PdGf3sMaEu9R1iYo7tCQ' },
};

const REVOKE = describeEndpoint({
  operationId: 'revokeOauthToken',
  summary: 'End a token of the app',
  description:
    'A refresh token ends with all access tokens made from it, an access token alone. A token that is unknown or of another app is answered in the same way and stays (RFC 7009).',
  form: TOKEN_FORM,
  success: { description: 'Done; no content.' },
});

const INTROSPECT = describeEndpoint({
  operationId: 'introspectOauthToken',
  summary: 'Tell whether a token of the app is good',
  description:
    'Of a token that is unknown, ended or of another app it says `active: false` and nothing else (RFC 7662).',
  form: TOKEN_FORM,
  success: { description: 'What is known of the token.', content: { 'application/json': INTROSPECTION } },
});
