import type { Queries } from '../../database/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { countRecoveryCodes } from './queries.ts';

type MailTools = Pick<LoginTools, 'mailer' | 'baseUrl'>;

/** Never their name, here as in all mails of this room: whoever registers a stranger's address chooses it. */
interface Recipient {
  id: string;
  email: string;
}

/** Tells a user that two-factor was turned on or off, or that the recovery codes were renewed. */
export async function tellOfTwoFactor(
  tx: Queries,
  tools: MailTools,
  user: Recipient,
  change: keyof typeof CHANGES,
): Promise<void> {
  const { subject, text } = CHANGES[change];
  await tools.mailer.queue(tx, {
    kind: `two-factor-${change}`,
    recipient: user.email,
    content: { subject, paragraphs: ['Hello,', text, NOT_YOU], link: accountLink(tools) },
  });
}

/** Tells a user that a recovery code was used and how many are left. The code that was used counts as gone already. */
export async function tellOfRecoveryCode(tx: Queries, tools: MailTools, user: Recipient): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  const codes = left === 1 ? 'One recovery code is' : `${left} recovery codes are`;
  await tools.mailer.queue(tx, {
    kind: 'recovery-code-used',
    recipient: user.email,
    content: {
      subject: 'A recovery code was used for your Seathold account',
      paragraphs: [
        'Hello,',
        `A recovery code was just used in the place of a code from your authenticator app. ${codes} left.`,
        NOT_YOU,
      ],
      link: accountLink(tools),
    },
  });
}

const CHANGES = {
  enabled: {
    subject: 'Two-factor authentication is on',
    text: 'Two-factor authentication was just turned on for your account. From now on logging in asks for a code from your authenticator app; keep the recovery codes in a safe place.',
  },
  disabled: {
    subject: 'Two-factor authentication is off',
    text: 'Two-factor authentication was just turned off for your account. From now on the password alone is enough to log in.',
  },
  'recovery-codes-renewed': {
    subject: 'Your recovery codes were renewed',
    text: 'The recovery codes of your account were just made anew. The old ones work no longer.',
  },
} as const;

const NOT_YOU = 'If this was not you, change your password at once and end the logins that you do not know.';

function accountLink({ baseUrl }: MailTools) {
  return { label: 'Open Seathold', url: baseUrl };
}
