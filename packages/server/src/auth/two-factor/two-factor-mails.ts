import type { Queries } from '../../database/index.ts';
import { countRecoveryCodes } from './queries.ts';
import type { TwoFactorTools } from './two-factor-tools.ts';

type MailTools = Pick<TwoFactorTools, 'mailer' | 'baseUrl'>;

/** No mail of this room contains the user's name: someone who registers another person's address chooses it. */
interface Recipient {
  id: string;
  email: string;
}

/** Notifies a user that two-factor was turned on or off, or that the recovery codes were renewed. */
export async function notifyOfTwoFactorChange(
  tx: Queries,
  tools: MailTools,
  user: Recipient,
  change: keyof typeof CHANGES,
): Promise<void> {
  const { subject, text } = CHANGES[change];
  await tools.mailer.queue(tx, {
    kind: `two-factor-${change}`,
    recipient: user.email,
    content: { subject, paragraphs: ['Hello,', text, NOT_YOU], link: resetLink(tools) },
  });
}

/** Mails a user that a recovery code was used and how many are left. The one that was used no longer counts. */
export async function notifyOfRecoveryCode(tx: Queries, tools: MailTools, user: Recipient): Promise<void> {
  const { count: left } = await countRecoveryCodes(tx, { userId: user.id });
  const codes = left === 1 ? 'One recovery code is' : `${left} recovery codes are`;
  await tools.mailer.queue(tx, {
    kind: 'recovery-code-used',
    recipient: user.email,
    content: {
      subject: 'A recovery code was used for your account',
      paragraphs: [
        'Hello,',
        `A recovery code was used instead of a code from your authenticator app. ${codes} left.`,
        NOT_YOU,
      ],
      link: resetLink(tools),
    },
  });
}

const CHANGES = {
  enabled: {
    subject: 'Two-factor authentication was turned on',
    text: 'Two-factor authentication was turned on for your account. When you log in, you now need a code from your authenticator app. Keep your recovery codes in a safe place.',
  },
  disabled: {
    subject: 'Two-factor authentication was turned off',
    text: 'Two-factor authentication was turned off for your account. You can now log in with your password alone.',
  },
  'recovery-codes-renewed': {
    subject: 'Your recovery codes were regenerated',
    text: 'New recovery codes were generated for your account. Your old codes no longer work.',
  },
} as const;

const NOT_YOU = 'If this was not you, reset your password now. This also ends all of your sessions.';

function resetLink({ baseUrl }: MailTools) {
  return { label: 'Reset your password', url: `${baseUrl}/forgot-password` };
}
