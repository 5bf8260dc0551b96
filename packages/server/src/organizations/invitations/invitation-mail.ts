import { type Mail, namedInMail } from '../../mail/index.ts';
import type { Invitation } from '../events.ts';

/**
 * The mail of an invitation, with the code to accept it. It goes to strangers, so names chosen by users are not in its
 * subject, and cannot become links in its text.
 */
export function invitationMail(told: {
  organization: { name: string };
  /** Undefined if staff or a program of the vendor invites. */
  inviter: { name: string; email: string } | undefined;
  invitation: Pick<Invitation, 'email' | 'role'>;
  token: string;
  baseUrl: string;
}): Mail {
  const { organization, inviter, invitation, token, baseUrl } = told;
  const invitedBy =
    inviter === undefined ? 'You have been invited' : `${namedInMail(inviter.name)} (${inviter.email}) has invited you`;
  // A fragment reaches no server and no log.
  const acceptance = new URLSearchParams({ code: token, email: invitation.email });
  return {
    kind: 'invitation',
    recipient: invitation.email,
    content: {
      subject: 'You have been invited to join an organization',
      paragraphs: [
        `${invitedBy} to join the organization ${namedInMail(organization.name)} with the role ${invitation.role}.`,
        'If you do not have an account yet, you can create one when you accept. The invitation is valid for 7 days and only for this email address.',
      ],
      code: token,
      codeNote: 'Or enter this code on the invitation page:',
      link: { label: 'Accept invitation', url: `${baseUrl}/accept-invitation#${acceptance}` },
      closing: 'If you were not expecting this invitation, you can ignore this email.',
    },
  };
}
