import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { exportAccount } from './export-account.ts';
import { AccountExport } from './schemas.ts';

/** The endpoint for users to export everything stored about them. */
export function accountExportRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me/export',
      operationId: 'exportMe',
      tag: 'Authentication',
      summary: 'Export your account data',
      description:
        "Returns all data that we keep about you, without secrets and without other people's data. Sections are returned in pages of 2,000 items: pass `cursor` until `next_cursor` is null. Completed sections are omitted from the next page.",
      access: ACCESS.exportProfile,
      query: Type.Object({ cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })) }),
      status: 200,
      response: AccountExport,
      errors: { forbidden: HTTP_ERRORS.forbidden },
      example: { data: EXAMPLE },
      handle: async (context, { query }) => ({ data: await exportAccount(context, query.cursor) }),
    }),
  ];
}

const EXAMPLE: AccountExport = {
  user: { id: 'usr_01k9m2v5x8e4bt3q6r7s8t9vwx', email: 'ada@example.com', name: 'Ada Lovelace' },
  organizations: [{ id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz', name: 'Ada Lovelace', role: 'admin' }],
  login_sessions: [{ id: 'login_01k9m2v5x9f0ct4r7s8t9vwxyz', client_address: '203.0.113.7' }],
  seat_sessions: [],
  next_cursor: null,
};
