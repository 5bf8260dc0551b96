import { type Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.ts';
import type { ImportedFile } from '../import/check-file.ts';
import { addOperatorOptions, type OperatorOptions, wholeNumber } from '../operator/options.ts';
import { print } from '../output.ts';

interface ImportOptions extends OperatorOptions {
  kind?: ImportedFile['kind'];
  format?: ImportedFile['format'];
  dryRun?: boolean;
  concurrency: number;
  restart?: boolean;
}

/** `seathold import`: brings organizations, users, and licenses from another system. */
export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description('Import organizations, users, and licenses with their keys from a CSV or JSONL file.')
    .argument('<file>', 'a .csv or .jsonl file')
    .addOption(
      new Option('--kind <kind>', 'the kind of lines that do not specify one').choices([
        'organization',
        'user',
        'license',
      ]),
    )
    .addOption(new Option('--format <format>', 'the format (default: from the file name)').choices(['csv', 'jsonl']))
    .option('--dry-run', 'check everything and change nothing')
    .addOption(
      new Option('--concurrency <number>', 'how many lines to import at the same time')
        .argParser(wholeNumber(1, 64))
        .default(8),
    )
    .option('--restart', 'start at the first line, even if an earlier import of this file was interrupted');
  addOperatorOptions(command)
    .addHelpText('after', '\nExample:\n  $ seathold import customers.csv --kind organization --dry-run')
    .action(importFile);
}

async function importFile(path: string, options: ImportOptions): Promise<void> {
  const [{ formatOf }, { checkFile, hashFile }, { Report, describeTotals }, { importChecked }] = await Promise.all([
    import('../import/read-records.ts'),
    import('../import/check-file.ts'),
    import('../import/report.ts'),
    import('../import/import-checked.ts'),
  ]);
  const { kind, dryRun: isDryRun = false, json = false } = options;
  const file = { path, kind, format: options.format ?? formatOf(path) };
  const report = new Report(path, json);
  const hash = await hashFile(path);
  const { rows, wrong } = await checkFile(file, report.error);
  if (wrong > 0 && !isDryRun) {
    throw new CommandFailure('validation_failed', `Nothing was imported: ${wrong} of ${rows} lines have errors.`);
  }
  const totals = await importChecked({ ...options, isDryRun }, { file, rows, report, hash });
  print(json, { dry_run: isDryRun, lines: rows, invalid: wrong, ...totals }, describeTotals(totals, isDryRun));
  const failed = wrong + Object.values(totals).reduce((sum, { failed: some }) => sum + some, 0);
  if (failed > 0) {
    throw new CommandFailure('import_incomplete', `${failed} of ${rows} lines failed. Correct them and import again.`);
  }
}
