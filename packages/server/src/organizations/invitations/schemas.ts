import { type Static, Type } from 'typebox';
import { ROLES } from '../../http/index.ts';
import { EmailInput } from '../../users/index.ts';

/** The body of POST /v1/orgs/{organization_id}/invitations. */
export const InvitationInput = Type.Object(
  { email: EmailInput, role: Type.Enum([...ROLES]) },
  { additionalProperties: false },
);
export type InvitationInput = Static<typeof InvitationInput>;

/** The body of POST /v1/invitations/accept. */
export const InvitationAcceptance = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 255, description: 'The code from the email.' }) },
  { additionalProperties: false },
);
export type InvitationAcceptance = Static<typeof InvitationAcceptance>;
