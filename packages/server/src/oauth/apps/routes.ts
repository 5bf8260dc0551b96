import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { createOauthApp } from './create-oauth-app.ts';
import { deleteOauthApp } from './delete-oauth-app.ts';
import { getOauthApp } from './get-oauth-app.ts';
import { listOauthApps } from './list-oauth-apps.ts';
import { OAUTH_APP_LIST } from './oauth-app-list.ts';
import { rotateClientSecret } from './rotate-client-secret.ts';
import { OauthApp, OauthAppChanges, OauthAppInput, OauthAppWithSecret, SecretRotation } from './schemas.ts';
import { updateOauthApp } from './update-oauth-app.ts';

/** The endpoints at /v1/oauth-apps. All require a session token. */
export function oauthAppRoutes(): Route[] {
  return [CREATE, LIST, GET, UPDATE, DELETE, ROTATE];
}

const SHARED = { tag: 'OAuth apps', access: ACCESS.writeProfile } as const;
const Params = Type.Object({ id: Type.String() });

const EXAMPLE_INPUT = {
  name: 'Render farm console',
  redirect_uris: ['https://console.example.com/oauth/callback'],
  scopes: ['read:profile', 'read:licenses'],
  confidential: true,
  device_flow: false,
};

const EXAMPLE_ID = 'app_01k9m2v5x8e4bt3q6r7s8t9vwx';
const EXAMPLE = {
  id: EXAMPLE_ID,
  client_id: EXAMPLE_ID,
  ...EXAMPLE_INPUT,
  created_by: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-02T09:30:00.000Z',
  secrets: [{ created_at: '2026-11-02T09:30:00.000Z', expires_at: null }],
};
const EXAMPLE_SECRET = `svc_ocs_${'7Kq2mN'.repeat(7)}`;

const CREATE = defineRoute({
  ...SHARED,
  method: 'POST',
  path: '/v1/oauth-apps',
  operationId: 'createOauthApp',
  summary: 'Register an OAuth app',
  description:
    'Registers an app that acts on behalf of users who authorize it. The organization owns the app: admins can see and change all of its apps, other members only those that they created. An organization can have at most 100 apps.',
  body: OauthAppInput,
  status: 201,
  response: OauthAppWithSecret,
  errors: { validation_failed: HTTP_ERRORS.validation_failed, conflict: HTTP_ERRORS.conflict },
  example: { body: EXAMPLE_INPUT, data: { ...EXAMPLE, client_secret: EXAMPLE_SECRET } },
  handle: async (context, { body }) => ({ data: await createOauthApp(context, body) }),
});

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/oauth-apps',
  operationId: 'listOauthApps',
  summary: 'List OAuth apps',
  description:
    'Admins see all apps of the organization, other members only those that they created. Secrets are never returned.',
  list: OAUTH_APP_LIST,
  status: 200,
  response: OauthApp,
  errors: {},
  example: { data: [EXAMPLE] },
  handle: (context, { page }) => listOauthApps(context, page),
});

const GET = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/oauth-apps/{id}',
  operationId: 'getOauthApp',
  summary: 'Get an OAuth app',
  description:
    'Returns the app with its valid secrets, which are never shown. Admins can read all apps of the organization, other members only those that they created.',
  params: Params,
  status: 200,
  response: OauthApp,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE },
  handle: async (context, { params }) => ({ data: await getOauthApp(context, params.id) }),
});

const UPDATE = defineRoute({
  ...SHARED,
  method: 'PATCH',
  path: '/v1/oauth-apps/{id}',
  operationId: 'updateOauthApp',
  summary: 'Update an OAuth app',
  description:
    'Fields that you omit stay unchanged. If you remove a scope, new tokens no longer include it. If you add a scope, users must authorize it first.',
  params: Params,
  body: OauthAppChanges,
  status: 200,
  response: OauthApp,
  errors: { not_found: HTTP_ERRORS.not_found, validation_failed: HTTP_ERRORS.validation_failed },
  example: { body: { name: 'Render farm' }, data: { ...EXAMPLE, name: 'Render farm' } },
  handle: async (context, { params, body }) => ({ data: await updateOauthApp(context, params.id, body) }),
});

const DELETE = defineRoute({
  ...SHARED,
  method: 'DELETE',
  path: '/v1/oauth-apps/{id}',
  operationId: 'deleteOauthApp',
  summary: 'Delete an OAuth app',
  description: 'Also revokes all authorizations that users gave to the app. Its tokens stop working immediately.',
  params: Params,
  status: 204,
  errors: { not_found: HTTP_ERRORS.not_found },
  handle: async (context, { params }) => ({ data: await deleteOauthApp(context, params.id) }),
});

const ROTATE = defineRoute({
  ...SHARED,
  method: 'POST',
  path: '/v1/oauth-apps/{id}/rotate-secret',
  operationId: 'rotateOauthAppSecret',
  summary: 'Rotate a client secret',
  description:
    'The previous secret keeps working during the overlap, so that the app can switch without downtime. Older secrets stop working immediately. Public apps have no secret.',
  params: Params,
  body: SecretRotation,
  status: 200,
  response: OauthAppWithSecret,
  errors: { not_found: HTTP_ERRORS.not_found, conflict: HTTP_ERRORS.conflict },
  example: {
    body: { overlap_seconds: 3600 },
    data: {
      ...EXAMPLE,
      secrets: [
        { created_at: '2026-12-01T08:00:00.000Z', expires_at: null },
        { created_at: '2026-11-02T09:30:00.000Z', expires_at: '2026-12-01T09:00:00.000Z' },
      ],
      client_secret: EXAMPLE_SECRET,
    },
  },
  handle: async (context, { params, body }) => ({ data: await rotateClientSecret(context, params.id, body) }),
});
