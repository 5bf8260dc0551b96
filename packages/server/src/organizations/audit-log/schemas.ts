import { Type } from 'typebox';
import { ACTOR_TYPES } from '../../audit/index.ts';
import { idPattern } from '../../ids/index.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Shown = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
  description: 'The target as the API returns it.',
});

const actorOf = (emailDescription: string) =>
  Type.Object({
    type: Type.Enum([...ACTOR_TYPES], {
      description:
        "`staff` is a staff member of the vendor, `operator_token` is one of the vendor's programs, and `operator` is a command run on the server.",
    }),
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'The ID of the user or the operator token. Null for the other types.',
    }),
    email: Type.Union([Type.String(), Type.Null()], { description: emailDescription }),
    user_id: Type.Union([Type.String(), Type.Null()], { description: 'Null if no user was logged in.' }),
    credential: Type.Object(
      {
        kind: Type.Enum(['session', 'api', 'oauth', 'portal', 'none', 'operator']),
        id: Type.Union([Type.String(), Type.Null()], { description: 'The session, API token, or OAuth grant.' }),
      },
      { title: 'AuditCredential' },
    ),
  });

/** An entry of the audit log as the API shows one. */
export const AuditLogEntry = Type.Object(
  {
    id: Type.String({ pattern: idPattern('auditEntry') }),
    action: Type.String({ description: 'The resource and what happened to it, for example `member.removed`.' }),
    actor: actorOf('The email address of staff. Null for all others.'),
    request_id: TextOrNull,
    client_address: TextOrNull,
    target: Type.Object({ type: Type.String(), id: Type.String() }),
    before: Shown,
    after: Shown,
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'AuditLogEntry' },
);

/** The same as the vendor sees it. */
export const OperatorAuditLogEntry = Type.Object(
  {
    organization_id: Type.Union([Type.String({ pattern: idPattern('organization') }), Type.Null()], {
      description: 'Null for changes to the installation itself, such as to the catalogue.',
    }),
    ...AuditLogEntry.properties,
    actor: actorOf("The user's email address. Null if the account was deleted, and for actors that are not users."),
  },
  { title: 'OperatorAuditLogEntry' },
);
