import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { endOwnGrant } from './end-own-grant.ts';
import { GRANT_LIST } from './grant-list.ts';
import { listOwnGrants } from './list-own-grants.ts';
import { OauthGrant } from './schemas.ts';

/** The endpoints at /v1/auth/grants: the user's grants to apps. */
export function oauthGrantRoutes(): Route[] {
  return [
    defineRoute({
      ...SHARED,
      method: 'GET',
      path: '/v1/auth/grants',
      operationId: 'listOauthGrants',
      summary: 'List connected apps',
      description: 'Lists the apps that you authorized, in all organizations, with the scopes of each.',
      list: GRANT_LIST,
      status: 200,
      response: OauthGrant,
      errors: {},
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listOwnGrants(context, page),
    }),
    defineRoute({
      ...SHARED,
      method: 'DELETE',
      path: '/v1/auth/grants/{id}',
      operationId: 'deleteOauthGrant',
      summary: 'Disconnect an app',
      description: 'All tokens that the app holds for you in that organization stop working immediately.',
      params: Type.Object({ id: Type.String() }),
      status: 204,
      errors: { not_found: HTTP_ERRORS.not_found },
      handle: async (context, { params }) => ({ data: await endOwnGrant(context, params.id) }),
    }),
  ];
}

const SHARED = { tag: 'OAuth apps', access: ACCESS.writeProfile } as const;

const EXAMPLE = {
  id: 'grant_01k9m2v5x8e4bt3q6r7s8t9vwz',
  app: { id: 'app_01k9m2v5x8e4bt3q6r7s8t9vwx', name: 'Render farm console' },
  organization_id: 'org_01kagt2m8xf3q9wz5r7e6b4c1j',
  scopes: ['read:profile', 'read:licenses'],
  created_at: '2026-11-03T10:00:00.000Z',
  updated_at: '2026-11-03T10:00:00.000Z',
};
