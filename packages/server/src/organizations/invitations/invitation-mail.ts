import { type Mail, namedInMail } from '../../mail/index.ts';
import type { Invitation } from '../events.ts';

/**
 * The mail of an invitation, with the code to accept it. It goes to strangers, so names that users chose freely are not in its
 * subject, and cannot be links in its text.
 */
export function invitationMail(told: {
  organization: { name: string };
  /** Undefined where staff or a program of the vendor's invite. */
  inviter: { name: string; email: string } | undefined;
  invitation: Pick<Invitation, 'email' | 'role'>;
  token: string;
  authUrl: string;
}): Mail {
  const { organization, inviter, invitation, token, authUrl } = told;
  const invitedBy =
    inviter === undefined ? 'You have been invited' : `${namedInMail(inviter.name)} (${inviter.email}) has invited you`;
  return {
    kind: 'invitation',
    recipient: invitation.email,
    content: {
      subject: 'You have been invited to join an organization',
      paragraphs: [
        `${invitedBy} to join the organization ${namedInMail(organization.name)} with the role ${invitation.role}.`,
        'To accept, log in with this email address and enter the code below. If you do not have an account yet, register with this address first. The code is valid for 7 days and works only for this address.',
      ],
      code: token,
      link: { label: 'Accept invitation', url: `${authUrl}/accept-invitation` },
      closing: 'If you were not expecting this invitation, you can ignore this email.',
    },
  };
}
