import type { Mail } from '../../mail/index.ts';
import type { SetupLink } from './create-setup-link.ts';
import type { StaffMember } from './schemas.ts';

/** The mail to a new person: the link for setting a password and two-factor. */
export function setupMail({ email, role }: StaffMember, { token, url }: SetupLink): Mail {
  return {
    kind: 'staff-setup',
    recipient: email,
    content: {
      subject: 'Set up your staff account',
      paragraphs: [
        'Hello,',
        `You have been added as a staff member with the role ${role}. Set a password and two-factor authentication to log in. The link is valid for 30 minutes and can be used once.`,
      ],
      code: token,
      codeNote: 'Or enter this code on the setup page:',
      link: { label: 'Set up your account', url },
      closing: 'If you were not expecting this, you can ignore this email.',
    },
  };
}

/** The mail to a person who has an account. */
export function addedMail({ baseUrl }: { baseUrl: string }, member: StaffMember): Mail {
  return {
    kind: 'staff-added',
    recipient: member.email,
    content: {
      subject: 'You have been added as a staff member',
      paragraphs: [
        'Hello,',
        `Your account now has the staff role ${member.role}.`,
        member.two_factor_enabled
          ? 'To use it, log in again with a code from your authenticator app.'
          : 'The role applies only to logins with two-factor authentication. Turn it on first.',
      ],
      link: { label: 'Open Seathold', url: baseUrl },
      closing: 'If you were not expecting this, contact the operator of this service.',
    },
  };
}
