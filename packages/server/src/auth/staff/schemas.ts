import { type Static, Type } from 'typebox';
import { STAFF_ROLES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { EmailInput } from '../../users/index.ts';

const Role = Type.Enum([...STAFF_ROLES], {
  description:
    '`viewer` can see everything. `support` can also manage seats, licenses, members, projects, and webhooks. `finance` can also manage subscriptions, invoices, and payments. `owner` can do everything.',
});

/** The body of POST /v1/operator/staff. */
export const StaffInput = Type.Object({ email: EmailInput, role: Role }, { additionalProperties: false });
export type StaffInput = Static<typeof StaffInput>;

/** The body of PATCH /v1/operator/staff/{user_id}. */
export const StaffChange = Type.Object({ role: Role }, { additionalProperties: false });

/** A staff member as shown in the API. */
export const StaffMember = Type.Object(
  {
    user_id: Type.String({ pattern: idPattern('user') }),
    email: Type.String(),
    name: Type.String(),
    role: Role,
    two_factor_enabled: Type.Boolean({
      description: 'The role takes effect only for logins with two-factor authentication.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.Union([Type.String(), Type.Null()], {
      description: 'The ID of the user or operator token that added them. Null for a command run on the server.',
    }),
  },
  { title: 'StaffMember' },
);
export type StaffMember = Static<typeof StaffMember>;
