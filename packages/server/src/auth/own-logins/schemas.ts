import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

/** A login of the user as the API shows one. */
export const OwnLogin = Type.Object(
  {
    id: Type.String({ pattern: idPattern('loginSession') }),
    kind: Type.Enum(['api', 'browser'], {
      description: '`api` was opened by POST /v1/auth/login, `browser` at the pages where apps are allowed in.',
    }),
    created_at: Timestamp,
    last_seen_at: Type.String({
      format: 'date-time',
      description: 'When it was opened or last refreshed, or a browser last used it.',
    }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends unless it is refreshed before.' }),
    client_address: Type.Union([Type.String(), Type.Null()]),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    organization_id: Type.Union([Type.String({ pattern: idPattern('organization') }), Type.Null()], {
      description: 'Where its requests act that name no other organization; null for a browser, which asks each time.',
    }),
    is_current: Type.Boolean({ description: 'Whether it is the login that asks.' }),
  },
  { title: 'OwnLogin' },
);
export type OwnLogin = Static<typeof OwnLogin>;
