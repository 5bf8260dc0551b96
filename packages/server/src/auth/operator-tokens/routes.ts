import { Type } from 'typebox';
import { INSTALLATION, staffActorOf } from '../../audit/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { createOperatorToken } from './create-operator-token.ts';
import { revokeOperatorToken } from './manage-operator-tokens.ts';
import { OPERATOR_TOKEN_LIST } from './operator-token-list.ts';
import { presentOperatorToken } from './present-operator-token.ts';
import { CreatedOperatorToken, OperatorToken, OperatorTokenInput } from './schemas.ts';

/** The endpoints at /v1/operator/tokens. */
export function operatorTokenRoutes(): Route[] {
  return [LIST, CREATE, REVOKE];
}

const SHARED = { tag: 'Operator' } as const;

const EXAMPLE_INPUT = { name: 'metering', role: 'finance', expires_at: '2027-12-31T00:00:00.000Z' } as const;
const EXAMPLE = {
  id: 'optok_01kagt2m8xf3q9wz5r7e6b4c1n',
  ...EXAMPLE_INPUT,
  prefix: 'svc_opt_7Kq2',
  status: 'active',
  created_at: '2026-11-02T09:30:00.000Z',
  created_by: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
  revoked_at: null,
  revoked_because: null,
  last_used_at: null,
};

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/operator/tokens',
  operationId: 'listOperatorTokens',
  summary: 'List operator tokens',
  description: 'Includes revoked and expired tokens while they are retained. The tokens themselves are never returned.',
  access: ACCESS.staffRead,
  list: OPERATOR_TOKEN_LIST,
  status: 200,
  response: OperatorToken,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: ({ database }, { page }) => OPERATOR_TOKEN_LIST.getPage(database, page, {}, presentOperatorToken),
});

const CREATE = defineRoute({
  ...SHARED,
  method: 'POST',
  path: '/v1/operator/tokens',
  operationId: 'createOperatorToken',
  summary: 'Create an operator token',
  description: 'Creates a token for one of your own programs. The token is shown only once.',
  access: ACCESS.staffOwn,
  body: OperatorTokenInput,
  status: 201,
  response: CreatedOperatorToken,
  errors: { validation_failed: HTTP_ERRORS.validation_failed },
  example: { body: EXAMPLE_INPUT, data: { ...EXAMPLE, token: `svc_opt_${'7Kq2mN'.repeat(7)}` } },
  handle: async (context, { body: { name, role, expires_at: expiresAt = null } }) => ({
    data: await createOperatorToken(context.database, staffActorOf(context, INSTALLATION), {
      name,
      role,
      expiresAt,
    }),
  }),
});

const REVOKE = defineRoute({
  ...SHARED,
  method: 'DELETE',
  path: '/v1/operator/tokens/{id}',
  operationId: 'revokeOperatorToken',
  summary: 'Revoke an operator token',
  description: 'It stops working immediately.',
  access: ACCESS.staffOwn,
  params: Type.Object({ id: Type.String() }),
  status: 204,
  errors: { not_found: HTTP_ERRORS.not_found },
  handle: async (context, { params }) => {
    await revokeOperatorToken(context.database, staffActorOf(context, INSTALLATION), params.id);
    return { data: undefined };
  },
});
