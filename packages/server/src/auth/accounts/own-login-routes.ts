import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { ConnectedApps } from '../connected-apps.ts';
import { endOwnLogin } from './end-own-login.ts';
import { listOwnLogins } from './list-own-logins.ts';
import { OWN_LOGIN_LIST } from './own-login-list.ts';
import { OwnLogin } from './schemas.ts';

/** The endpoints for users to list their logins and end those that they do not recognize. */
export function ownLoginRoutes(tools: { connectedApps: ConnectedApps }): Route[] {
  return [
    defineRoute({
      ...SHARED,
      method: 'GET',
      path: '/v1/auth/sessions',
      operationId: 'listSessions',
      summary: 'List your sessions',
      description:
        'Lists your active sessions on all devices, including the current one and browser sessions at the authorization server.',
      list: OWN_LOGIN_LIST,
      status: 200,
      response: OwnLogin,
      errors: { forbidden: HTTP_ERRORS.forbidden },
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listOwnLogins(context, page),
    }),
    defineRoute({
      ...SHARED,
      method: 'DELETE',
      path: '/v1/auth/sessions/{id}',
      operationId: 'deleteSession',
      summary: 'End a session',
      description:
        'Its access and refresh tokens stop working immediately. You can end the current session. A browser must log in again; apps stay connected.',
      params: Type.Object({ id: Type.String() }),
      status: 204,
      errors: { forbidden: HTTP_ERRORS.forbidden, not_found: HTTP_ERRORS.not_found },
      handle: async (context, { params }) => {
        await endOwnLogin(context, tools, params.id);
        return { data: undefined };
      },
    }),
  ];
}

const SHARED = { tag: 'Authentication', access: ACCESS.writeProfile } as const;

const EXAMPLE = {
  id: 'login_01k9m2v5x8e4bt3q6r7s8t9vwx',
  kind: 'api',
  created_at: '2026-11-02T09:30:00.000Z',
  last_seen_at: '2026-11-03T07:12:45.120Z',
  expires_at: '2026-12-03T07:12:45.120Z',
  client_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  organization_id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz',
  is_current: true,
};
