import type { Command } from 'commander';
import { print } from '../output.ts';
import { withAllInstallations, withInstallation } from '../with-installation.ts';

interface Options {
  json?: boolean;
}

/** `seathold keys`: the keys that sign license tokens, and the master key that encrypts stored secrets. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Manage the keys that sign license tokens, and the master key.');
  keys
    .command('rotate')
    .description('Sign license tokens with a new key. The old key stays published until its last token expires.')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (options: Options & { sandbox?: boolean }) => {
      await withInstallation(licenses, options.sandbox === true, async (operator, installation) => {
        const keyId = await operator.rotateLicenseKey(installation);
        print(options.json === true, { key_id: keyId }, [`License tokens are now signed with ${keyId}.`]);
      });
    });
  addMasterKeyCommands(keys);
}

function addMasterKeyCommands(keys: Command): void {
  keys
    .command('rotate-master')
    .description(
      'Re-encrypt all stored secrets with a new master key, in production and, if it is on, in the sandbox. The service can keep running. If interrupted, run it again to resume.',
    )
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withAllInstallations(rotation, async (operator, installations) => {
        const { keyId, reencrypted } = await operator.rotateMasterKey(installations);
        print(options.json === true, { key_id: keyId, reencrypted }, [
          `${keyId} is now the active key. ${reencrypted} stored secrets were re-encrypted.`,
          'The old key can still decrypt. Keep a copy of it with your older backups, then run `seathold keys remove-retired` to remove it here.',
          ...adviceOn(installations),
        ]);
      }),
    );
  keys
    .command('remove-retired')
    .description('Remove master keys that no stored secret uses anymore.')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withAllInstallations(removal, async (operator, installations) => {
        const removed = await operator.removeRetiredKeys(installations);
        print(options.json === true, { removed }, [
          removed.length === 0 ? 'There are no retired master keys.' : `Removed: ${removed.join(', ')}.`,
          ...adviceOn(installations),
        ]);
      }),
    );
}

const licenses = () => import('@seathold/server/operator/manage-licenses');
const rotation = () => import('@seathold/server/operator/keys/rotate-master-key');
const removal = () => import('@seathold/server/operator/keys/remove-retired-keys');

/** The database of a disabled sandbox is not opened, so nothing in it is re-encrypted or counted. */
function adviceOn(installations: readonly unknown[]): string[] {
  return installations.length > 1
    ? []
    : ['The sandbox is off and was not changed. If you turn it on later, it needs its current key.'];
}
