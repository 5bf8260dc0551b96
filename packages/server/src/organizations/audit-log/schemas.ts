import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Shown = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'What the API shows of the thing.',
});

/** An entry of the audit log as the API shows one. */
export const AuditLogEntry = Type.Object(
  {
    id: Type.String({ pattern: idPattern('auditEntry') }),
    action: Type.String({ description: 'A noun and what happened to it, such as `member.removed`.' }),
    actor: Type.Object({
      type: Type.Enum(['user', 'operator', 'operator_token', 'unknown'], {
        description: "`operator` is a command on the server; `operator_token` is one of the operator's own programs.",
      }),
      user_id: Type.Union([Type.String(), Type.Null()], { description: 'Null where nobody was logged in.' }),
      credential: Type.Object({
        kind: Type.Enum(['session', 'api', 'oauth', 'none', 'operator']),
        id: Type.Union([Type.String(), Type.Null()], {
          description: 'The login, the API token or the OAuth grant.',
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
