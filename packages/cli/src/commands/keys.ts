import type { Command } from 'commander';
import { print } from '../output.ts';
import { withBothInstallations, withInstallation } from '../with-installation.ts';

interface Options {
  json?: boolean;
}

/** `seathold keys`: the keys that sign license tokens, and the master key that encrypts stored secrets. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Manage the keys that sign license tokens, and the master key.');
  keys
    .command('rotate')
    .description('Sign with a new key from now on; the old one stays published until its last token has expired.')
    .option('--sandbox', 'in the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (options: Options & { sandbox?: boolean }) => {
      await withInstallation(options.sandbox === true, async (operator, installation) => {
        const keyId = await operator.rotateLicenseKey(installation);
        print(options.json === true, { key_id: keyId }, [`${keyId} signs license tokens now.`]);
      });
    });
  addMasterKeyCommands(keys);
}

function addMasterKeyCommands(keys: Command): void {
  keys
    .command('rotate-master')
    .description(
      'Re-encrypt everything in production and the sandbox under a new master key, while the service runs. Run it again to resume.',
    )
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withBothInstallations(async (operator, installations) => {
        const { keyId, reencrypted } = await operator.rotateMasterKey(installations);
        print(options.json === true, { key_id: keyId, reencrypted }, [
          `${keyId} is now the active key; re-encrypted ${reencrypted} ciphertexts.`,
          'The old key still decrypts. Keep a copy with your older backups, then run seathold keys remove-retired to remove it here.',
        ]);
      }),
    );
  keys
    .command('remove-retired')
    .description('Remove master keys that no ciphertext uses anymore.')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withBothInstallations(async (operator, installations) => {
        const removed = await operator.removeRetiredKeys(installations);
        print(options.json === true, { removed }, [
          removed.length === 0 ? 'There are no retired master keys.' : `Removed: ${removed.join(', ')}.`,
        ]);
      }),
    );
}
