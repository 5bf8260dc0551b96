import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { OPERATED_USER_LIST } from '../../users/index.ts';
import type { RemovalTools } from '../two-factor/remove-two-factor.ts';
import { disableTwoFactorOfUser } from './disable-two-factor-of-user.ts';
import { getOperatedUser } from './get-operated-user.ts';
import { listOperatedUsers } from './list-operated-users.ts';
import { OperatedUser } from './schemas.ts';
import { unlockOperatedUser } from './unlock-operated-user.ts';

/** The endpoints at /v1/operator/users. */
export function operatedUserRoutes(tools: RemovalTools): Route[] {
  return [LIST, GET_ONE, UNLOCK, disableRoute(tools)];
}

const EXAMPLE = {
  id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1m',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  email_verified: true,
  two_factor_enabled: true,
  is_locked: false,
  last_login_at: '2026-11-21T11:58:02.000Z',
  organizations: [{ id: 'org_01kagt2m8xf3q9wz5r7e6b4c1m', name: 'Analytical Engines', role: 'admin' }],
  created_at: '2026-11-02T09:30:00.000Z',
} as const;

const { conflict, not_found } = HTTP_ERRORS;

const SHARED = { tag: 'Operator', status: 200, response: OperatedUser } as const;
const ITEM = { ...SHARED, params: Type.Object({ user_id: Type.String() }) } as const;

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/operator/users',
  operationId: 'listOperatedUsers',
  summary: 'List users',
  description:
    'Lists the users of all organizations. `query` matches an ID, or the start of an email address or a name, ignoring case.',
  access: ACCESS.staffRead,
  list: OPERATED_USER_LIST,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: (context, { page }) => listOperatedUsers(context, page),
});

const GET_ONE = defineRoute({
  ...ITEM,
  method: 'GET',
  path: '/v1/operator/users/{user_id}',
  operationId: 'getOperatedUser',
  summary: 'Get a user',
  access: ACCESS.staffRead,
  errors: { not_found },
  example: { data: EXAMPLE },
  handle: async ({ database }, { params }) => ({ data: await getOperatedUser(database, params.user_id) }),
});

const UNLOCK = defineRoute({
  ...ITEM,
  method: 'POST',
  path: '/v1/operator/users/{user_id}/unlock',
  operationId: 'unlockOperatedUser',
  summary: 'Unlock a user',
  description:
    'Unlocks an account that was locked after too many incorrect passwords or codes. For staff members, the role `owner` is required.',
  access: ACCESS.staffSupport,
  errors: { not_found, conflict },
  example: { data: EXAMPLE },
  handle: async (context, { params }) => ({ data: await unlockOperatedUser(context, params.user_id) }),
});

function disableRoute(tools: RemovalTools): Route {
  return defineRoute({
    ...ITEM,
    method: 'POST',
    path: '/v1/operator/users/{user_id}/disable-two-factor',
    operationId: 'disableTwoFactorOfOperatedUser',
    summary: "Turn off a user's two-factor authentication",
    description:
      'For a user who lost their device and recovery codes. Verify their identity first. The user is notified by email. For staff members, the role `owner` is required.',
    access: ACCESS.staffSupport,
    errors: { not_found, conflict },
    example: { data: { ...EXAMPLE, two_factor_enabled: false } },
    handle: async (context, { params }) => ({ data: await disableTwoFactorOfUser(context, tools, params.user_id) }),
  });
}
