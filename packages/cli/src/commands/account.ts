import type { Command } from 'commander';
import { print } from '../output.ts';
import { withInstallation } from '../with-installation.ts';

/** `seathold account disable-two-factor`: for who has lost the authenticator app and the recovery codes. */
export function addAccountCommand(program: Command): void {
  const account = program.command('account').description('The accounts of users.');
  account
    .command('disable-two-factor <email>')
    .description("Take a user's second factor away, once you know that it is them who asks. They are told by mail.")
    .option('--sandbox', 'in the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { sandbox?: boolean; json?: boolean }) => {
      await withInstallation(accounts, options.sandbox === true, async (operator, installation) => {
        const wasOn = await operator.operatorDisableTwoFactor(installation, email);
        const line = wasOn
          ? `${email} logs in with the password alone from now on.`
          : `${email} had no second factor; nothing was changed.`;
        print(options.json === true, { email, was_enabled: wasOn }, [line]);
      });
    });
}

const accounts = () => import('@seathold/server/operator/manage-accounts');
