import { type Static, Type } from 'typebox';
import { ALL_SCOPES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

/** A user's grant to an app in one organization, as the API shows it. */
export const OauthGrant = Type.Object(
  {
    id: Type.String({ pattern: idPattern('oauthGrant') }),
    app: Type.Object({ id: Type.String({ pattern: idPattern('oauthApp') }), name: Type.String() }),
    organization_id: Type.String({
      pattern: idPattern('organization'),
      description: 'The organization that the app acts in, which is not necessarily the one that owns it.',
    }),
    scopes: Type.Array(Type.Enum([...ALL_SCOPES])),
    created_at: Timestamp,
    updated_at: Type.String({ format: 'date-time', description: 'When the user last authorized the app.' }),
  },
  { title: 'OauthGrant' },
);
export type OauthGrant = Static<typeof OauthGrant>;
