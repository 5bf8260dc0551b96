import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Shown = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'The target as the API returns it.',
});

/** An entry of the audit log as the API shows one. */
export const AuditLogEntry = Type.Object(
  {
    id: Type.String({ pattern: idPattern('auditEntry') }),
    action: Type.String({ description: 'The resource and what happened to it, for example `member.removed`.' }),
    actor: Type.Object({
      type: Type.Enum(['user', 'operator', 'operator_token', 'unknown'], {
        description: '`operator` is a command run on the server. `operator_token` is a program of the operator.',
      }),
      user_id: Type.Union([Type.String(), Type.Null()], { description: 'Null if no user was logged in.' }),
      credential: Type.Object({
        kind: Type.Enum(['session', 'api', 'oauth', 'none', 'operator']),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'The session, API token, or OAuth grant.',
        }),
      }),
    }),
    request_id: TextOrNull,
    client_address: TextOrNull,
    target: Type.Object({ type: Type.String(), id: Type.String() }),
    before: Shown,
    after: Shown,
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'AuditLogEntry' },
);
