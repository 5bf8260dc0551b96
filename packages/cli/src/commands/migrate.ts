import type { Command } from 'commander';
import { columns, print } from '../output.ts';

/** `seathold migrate`: brings both databases to the newest schema. `serve` does this automatically. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Migrate both databases to the latest schema. `serve` does this automatically.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { migrateInstallation } = await import('@seathold/server/operator/migrate-installation');
      const results = await migrateInstallation(process.env);
      const lines = columns(
        results.map((each) => [
          each.environment,
          each.applied.length === 0 ? `up to date (${each.current})` : `applied ${each.applied.join(', ')}`,
        ]),
      );
      print(options.json === true, results, lines);
    });
}
