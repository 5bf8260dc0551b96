import type { Command } from 'commander';
import { cancelOnSignal, describeEnvironment, describeLoaded } from '../backup/run-backup.ts';
import { print } from '../output.ts';

interface Options {
  databaseUrl?: string;
  sandboxDatabaseUrl?: string;
  masterKeyFile?: string;
  decryptWithKeyFile?: string;
  json?: boolean;
}

/** `seathold restore`: restores an installation from a backup. */
export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .argument('<source>', 'a folder, a tar file, or - for standard input')
    .description(
      'Restore a backup (a folder, a tar file, or - for standard input) into the empty data folder, or into two empty databases.',
    )
    .option(
      '--database-url <url>',
      'the empty database for production (default: DATABASE_URL; if not set, the data folder)',
    )
    .option('--sandbox-database-url <url>', 'the empty database for the sandbox (default: SANDBOX_DATABASE_URL)')
    .option(
      '--master-key-file <file>',
      'a copy of master.key (default: SEATHOLD_MASTER_KEY, or master.key in the data folder)',
    )
    .option(
      '--decrypt-with-key-file <file>',
      'the key that the backup is encrypted with (default: SEATHOLD_BACKUP_KEY)',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ SEATHOLD_DATA_DIR=./restored seathold restore /backups/monday --master-key-file master.key\n  $ seathold restore monday.tar --database-url postgres://… --sandbox-database-url postgres://… --master-key-file master.key',
    )
    .action((source: string, options: Options) =>
      cancelOnSignal(async (signal) => {
        const { restoreBackup } = await import('@seathold/server/operator/backup/restore-backup');
        const restored = await restoreBackup(process.env, {
          source,
          databaseUrl: options.databaseUrl,
          sandboxDatabaseUrl: options.sandboxDatabaseUrl,
          masterKeyFile: options.masterKeyFile,
          keyFile: options.decryptWithKeyFile,
          signal,
        });
        const { header, dataDir } = restored;
        print(options.json === true, { ...describeLoaded(source, restored), data_dir: dataDir ?? null }, [
          `Backup ${header.id} of ${header.created_at} is restored into ${dataDir ?? 'the databases'}.`,
          ...restored.environments.map(describeEnvironment),
          ...restored.notes,
          'Start the service, and run `seathold doctor`. If customers pay by card, run `seathold payments reconcile` for payments since the backup.',
        ]);
      }),
    );
}
