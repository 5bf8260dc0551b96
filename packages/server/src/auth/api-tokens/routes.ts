import { Type } from 'typebox';
import { actorOf } from '../../audit/index.ts';
import { ACCESS, type AuthorizedContext, defineRoute, HTTP_ERRORS, notFound, type Route } from '../../http/index.ts';
import { API_TOKEN_LIST } from './api-token-list.ts';
import { createApiToken } from './create-api-token.ts';
import { endApiToken } from './end-api-token.ts';
import { getApiToken } from './get-api-token.ts';
import type { ApiTokenPrefix, Issuing } from './issue-api-token.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { rotateApiToken } from './rotate-api-token.ts';
import { ApiToken, ApiTokenInput, CreatedApiToken, RotationInput } from './schemas.ts';

/** The endpoints at /v1/api-tokens. All require a session token: an API token cannot create API tokens. */
export function apiTokenRoutes(prefix: ApiTokenPrefix): Route[] {
  return [createRoute(prefix), LIST, GET_ONE, rotateRoute(prefix), DELETE_ONE];
}

const SHARED = { tag: 'API tokens', access: ACCESS.writeProfile } as const;

const EXAMPLE_INPUT = {
  name: 'Nightly build',
  scopes: ['read:licenses', 'manage:licenses'],
  expires_at: '2027-01-31T12:00:00.000Z',
};

const EXAMPLE = {
  id: 'tok_01k9m2v5x8e4bt3q6r7s8t9vwx',
  ...EXAMPLE_INPUT,
  prefix: 'svc_live_7Kq2',
  status: 'active',
  created_at: '2026-11-02T09:30:00.000Z',
  last_used_at: null,
  replaced_by: null,
};

const EXAMPLE_CREATED = { ...EXAMPLE, token: `svc_live_${'7Kq2mN'.repeat(7)}` };

const Params = Type.Object({ id: Type.String() });

/** The caller creates it for themselves, in the organization of the request. */
function issuingOf(context: AuthorizedContext, prefix: ApiTokenPrefix): Issuing {
  return { owner: context.principal, actor: actorOf(context), prefix };
}

function createRoute(prefix: ApiTokenPrefix): Route {
  return defineRoute({
    ...SHARED,
    method: 'POST',
    path: '/v1/api-tokens',
    operationId: 'createApiToken',
    summary: 'Create an API token',
    description:
      'Creates a long-lived token for servers, the command line, and CI. It acts in the organization of this request with the given scopes, and never exceeds the current role of its owner. We email the owner 7 days and 1 day before it expires, and when it is 90 days old and should be rotated.',
    body: ApiTokenInput,
    status: 201,
    response: CreatedApiToken,
    errors: { forbidden: HTTP_ERRORS.forbidden, validation_failed: HTTP_ERRORS.validation_failed },
    example: { body: EXAMPLE_INPUT, data: EXAMPLE_CREATED },
    handle: async (context, { body }) => ({
      data: await createApiToken(context.database, issuingOf(context, prefix), body),
    }),
  });
}

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/api-tokens',
  operationId: 'listApiTokens',
  summary: 'List API tokens',
  description:
    'Lists the tokens that you created in this organization, including expired ones. Secrets are never returned.',
  list: API_TOKEN_LIST,
  status: 200,
  response: ApiToken,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: (context, { page }) => listApiTokens(context, page),
});

const GET_ONE = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/api-tokens/{id}',
  operationId: 'getApiToken',
  summary: 'Get an API token',
  description: 'Returns a token that you created in this organization. The secret is never returned.',
  params: Params,
  status: 200,
  response: ApiToken,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE },
  handle: async (context, { params }) => ({ data: await getApiToken(context, params.id) }),
});

function rotateRoute(prefix: ApiTokenPrefix): Route {
  return defineRoute({
    ...SHARED,
    method: 'POST',
    path: '/v1/api-tokens/{id}/rotate',
    operationId: 'rotateApiToken',
    summary: 'Rotate an API token',
    description:
      'Creates a new token with the same name and scopes to replace this one. The old token keeps working during the overlap. A token can be rotated only once.',
    params: Params,
    body: RotationInput,
    status: 201,
    response: CreatedApiToken,
    errors: {
      not_found: HTTP_ERRORS.not_found,
      conflict: HTTP_ERRORS.conflict,
      forbidden: HTTP_ERRORS.forbidden,
      validation_failed: HTTP_ERRORS.validation_failed,
    },
    example: { body: { overlap_seconds: 3600 }, data: EXAMPLE_CREATED },
    handle: async (context, { params, body }) => ({
      data: await rotateApiToken(context.database, issuingOf(context, prefix), params.id, body),
    }),
  });
}

const DELETE_ONE = defineRoute({
  ...SHARED,
  method: 'DELETE',
  path: '/v1/api-tokens/{id}',
  operationId: 'deleteApiToken',
  summary: 'Revoke an API token',
  description: 'The token stops working immediately.',
  params: Params,
  status: 204,
  errors: { not_found: HTTP_ERRORS.not_found },
  handle: async (context, { params }) => {
    if (!(await endApiToken(context.database, context.principal, actorOf(context), params.id))) {
      throw notFound('api_token');
    }
    return { data: undefined };
  },
});
