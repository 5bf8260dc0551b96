import type { Command } from 'commander';
import { print } from '../output.ts';
import { withInstallation } from '../with-installation.ts';

/** `seathold keys rotate`: a new key signs license tokens; tokens in the field stay valid. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('The keys that sign license tokens.');
  keys
    .command('rotate')
    .description('Sign with a new key from now on; the old one stays published until its last token has expired.')
    .option('--sandbox', 'in the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (options: { sandbox?: boolean; json?: boolean }) => {
      await withInstallation(options.sandbox === true, async (operator, installation) => {
        const keyId = await operator.rotateLicenseKey(installation);
        print(options.json === true, { key_id: keyId }, [`${keyId} signs license tokens now.`]);
      });
    });
}
