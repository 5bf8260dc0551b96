import type { Command } from 'commander';
import { print } from '../output.ts';
import { withInstallation } from '../with-installation.ts';

/** `seathold account disable-two-factor`: for users who have lost the authenticator app and the recovery codes. */
export function addAccountCommand(program: Command): void {
  const account = program.command('account').description('Manage user accounts.');
  account
    .command('disable-two-factor')
    .argument('<email>', "the user's email address")
    .description(
      'Turn off two-factor authentication for a user who lost their device. Verify their identity first. The user is notified by email.',
    )
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { sandbox?: boolean; json?: boolean }) => {
      const environment = options.sandbox === true ? 'sandbox' : 'production';
      await withInstallation(accounts, options.sandbox === true, async (operator, installation) => {
        const wasOn = await operator.operatorDisableTwoFactor(installation, environment, email);
        const line = wasOn
          ? `Two-factor authentication is now off for ${email}.`
          : `Two-factor authentication was already off for ${email}.`;
        print(options.json === true, { email, was_enabled: wasOn }, [line]);
      });
    });
}

const accounts = () => import('@seathold/server/operator/manage-accounts');
