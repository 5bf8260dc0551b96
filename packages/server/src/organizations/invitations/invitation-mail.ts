import { type Mail, namedInMail } from '../../mail/index.ts';
import type { Invitation } from '../events.ts';

/**
 * The mail that tells somebody who invited them to what, with the code by which they accept. It goes to strangers, so what
 * people chose freely is not in its subject, and cannot be followed in its text.
 */
export function invitationMail(told: {
  organization: { name: string };
  inviter: { name: string; email: string };
  invitation: Pick<Invitation, 'email' | 'role'>;
  token: string;
  authUrl: string;
}): Mail {
  const { organization, inviter, invitation, token, authUrl } = told;
  return {
    kind: 'invitation',
    recipient: invitation.email,
    content: {
      subject: 'You are invited to an organization on Seathold',
      paragraphs: [
        `${namedInMail(inviter.name)} (${inviter.email}) invites you to the organization ${namedInMail(organization.name)}, with the role ${invitation.role}.`,
        'To accept, log in with this e-mail address, or register with it first, and enter the code below. It is good for 7 days and only for this address.',
        'If you do not know what this is about, you need do nothing.',
      ],
      code: token,
      link: { label: 'Accept the invitation', url: `${authUrl}/accept-invitation` },
    },
  };
}
