import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, notFound, type Route } from '../../http/index.ts';
import type { AuthDeps } from '../auth-tools.ts';
import { createApiToken } from './create-api-token.ts';
import { endApiToken } from './end-api-token.ts';
import { listApiTokens } from './list-api-tokens.ts';
import { ApiToken, ApiTokenInput, CreatedApiToken } from './schemas.ts';

/** The endpoints at /v1/api-tokens. All want a session token: a token cannot mint tokens. */
export function apiTokenRoutes(prefix: AuthDeps['apiTokenPrefix']): Route[] {
  return [
    defineRoute({
      ...SHARED,
      method: 'POST',
      path: '/v1/api-tokens',
      operationId: 'createApiToken',
      summary: 'Create an API token',
      description:
        'A long-lived token for servers, the command line and CI. It acts in the organization of the request, with the scopes given and never more than the present role of its owner allows.',
      body: ApiTokenInput,
      status: 201,
      response: CreatedApiToken,
      errors: { forbidden: HTTP_ERRORS.forbidden, validation_failed: HTTP_ERRORS.validation_failed },
      example: { body: EXAMPLE_INPUT, data: { ...EXAMPLE, token: `svc_live_${'7Kq2mN'.repeat(7)}` } },
      handle: async (context, { body }) => ({
        data: await createApiToken(context.database, prefix, context.principal, body),
      }),
    }),
    defineRoute({
      ...SHARED,
      method: 'GET',
      path: '/v1/api-tokens',
      operationId: 'listApiTokens',
      summary: 'List API tokens',
      description: 'Those that the user made in this organization, expired ones included; never the secrets.',
      list: API_TOKEN_LIST,
      status: 200,
      response: ApiToken,
      errors: {},
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listApiTokens(context, page),
    }),
    defineRoute({
      ...SHARED,
      method: 'DELETE',
      path: '/v1/api-tokens/{id}',
      operationId: 'deleteApiToken',
      summary: 'Revoke an API token',
      description: 'The token is dead at its next request.',
      params: Type.Object({ id: Type.String() }),
      status: 204,
      errors: { not_found: HTTP_ERRORS.not_found },
      handle: async (context, { params }) => {
        if (!(await endApiToken(context.database, context.principal, params.id))) {
          throw notFound('api_token');
        }
        return { data: undefined };
      },
    }),
  ];
}

const SHARED = { tag: 'API tokens', access: ACCESS.writeProfile } as const;

const API_TOKEN_LIST: ListDefinition = {
  defaultSort: '-created_at',
  sorts: { created_at: 'time', name: 'text' },
  filters: { created_after: { kind: 'time' }, created_before: { kind: 'time' } },
};

const EXAMPLE_INPUT = {
  name: 'Nightly build',
  scopes: ['read:licenses', 'manage:licenses'],
  expires_at: '2027-01-31T12:00:00.000Z',
};

const EXAMPLE = {
  id: 'tok_01k9m2v5x8e4bt3q6r7s8t9vwx',
  ...EXAMPLE_INPUT,
  prefix: 'svc_live_7Kq2',
  created_at: '2026-11-02T09:30:00.000Z',
  last_used_at: null,
};
