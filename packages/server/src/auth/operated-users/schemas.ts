import { type Static, Type } from 'typebox';
import { ROLES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';

const Time = Type.String({ format: 'date-time' });

/** A user as shown to the vendor's staff and programs. */
export const OperatedUser = Type.Object(
  {
    id: Type.String({ pattern: idPattern('user') }),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean(),
    two_factor_enabled: Type.Boolean(),
    is_locked: Type.Boolean({
      description: 'Whether the account is locked after too many incorrect passwords or codes.',
    }),
    last_login_at: Type.Union([Time, Type.Null()]),
    organizations: Type.Array(
      Type.Object({
        id: Type.String({ pattern: idPattern('organization') }),
        name: Type.String(),
        role: Type.Enum([...ROLES]),
      }),
      { description: 'Oldest membership first.' },
    ),
    created_at: Time,
  },
  { title: 'OperatedUser' },
);
export type OperatedUser = Static<typeof OperatedUser>;
