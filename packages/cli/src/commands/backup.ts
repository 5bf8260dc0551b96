import type { Command } from 'commander';
import { cancelOnSignal, describeSize } from '../backup/run-backup.ts';
import { CommandFailure } from '../command-failure.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { print } from '../output.ts';

/** `seathold backup …`: copies of all data, made while the service runs. */
export function addBackupCommand(program: Command, version: string): void {
  const backup = program.command('backup').description('Back up all data while the service runs, and check backups.');
  addCreate(backup, version);
  addVerify(backup);
}

interface CreateOptions {
  encryptToKeyFile?: string;
  json?: boolean;
}

function addCreate(backup: Command, version: string): void {
  backup
    .command('create <target>')
    .description(
      'Back up production and, if it is on, the sandbox into a new folder, or as a tar stream to standard output (-). The service can keep running. The master key is not in the backup.',
    )
    .option('--encrypt-to-key-file <file>', 'encrypt with the key in this file (default: SEATHOLD_BACKUP_KEY, if set)')
    .option('--json', 'print JSON; with -, to standard error')
    .addHelpText(
      'after',
      '\nExamples:\n  $ seathold backup create /backups/monday\n  $ seathold backup create - --encrypt-to-key-file backup.key | ssh backups "cat > monday.tar"',
    )
    .action((target: string, options: CreateOptions) =>
      cancelOnSignal(async (signal) => {
        const { createBackup } = await import('@seathold/server/operator/backup/create-backup');
        const isStream = target === '-';
        const made = await createBackup(process.env, {
          target: isStream ? standardOutput() : target,
          keyFile: options.encryptToKeyFile,
          serviceVersion: version,
          signal,
        });
        const value = { target, ...made };
        const lines = [
          `Backup ${made.id} is complete${isStream ? '' : `: ${target}`}${made.isEncrypted ? ', encrypted' : ''}.`,
          ...made.environments.map(
            ({ environment, tables, rows, bytes }) =>
              `  ${environment}: ${tables} tables, ${rows} rows, ${describeSize(bytes)}`,
          ),
          'The master key is not in it. Keep a copy of the key in another place.',
        ];
        if (isStream) {
          process.stderr.write(`${options.json === true ? JSON.stringify(value) : lines.join('\n')}\n`);
        } else {
          print(options.json === true, value, lines);
        }
      }),
    );
}

/** A reader that closes the pipe early got no backup, so that is a failure here and no end of the work. */
function standardOutput(): NodeJS.WriteStream {
  if (process.stdout.isTTY) {
    throw new CommandFailure('invalid_argument', 'A backup is not text. Redirect standard output to a file or a pipe.');
  }
  process.stdout.removeAllListeners('error');
  return process.stdout;
}

interface VerifyOptions {
  masterKeyFile?: string;
  decryptWithKeyFile?: string;
  json?: boolean;
}

function addVerify(backup: Command): void {
  backup
    .command('verify <source>')
    .description(
      'Restore a backup (a folder, a tar file, or - for standard input) into a temporary folder, and check that its data is complete and consistent.',
    )
    .option('--master-key-file <file>', 'a copy of master.key (default: SEATHOLD_MASTER_KEY, or master.key in the data folder)')
    .option('--decrypt-with-key-file <file>', 'the key that the backup is encrypted with (default: SEATHOLD_BACKUP_KEY)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ seathold backup verify /backups/monday\n  $ seathold backup verify monday.tar --json')
    .action((source: string, options: VerifyOptions) =>
      cancelOnSignal(async (signal) => {
        const { verifyBackup } = await import('@seathold/server/operator/backup/verify-backup');
        const { header, environments, notes, isKeyChecked, findings } = await verifyBackup(process.env, {
          source,
          masterKeyFile: options.masterKeyFile,
          keyFile: options.decryptWithKeyFile,
          signal,
        });
        const faults = findings.filter(({ ok }) => !ok);
        const value = { source, id: header.id, created_at: header.created_at, environments, notes, isKeyChecked, findings };
        print(options.json === true, value, [
          `Backup ${header.id} of ${header.created_at}:`,
          ...environments.map(
            ({ environment, tables, rows, bytes }) =>
              `  ${environment}: ${tables} tables, ${rows} rows, ${describeSize(bytes)}; all checksums are correct`,
          ),
          ...notes,
          isKeyChecked
            ? 'The master key is the right one.'
            : 'The master key was not checked, because there is none here.',
          faults.length === 0
            ? `All ${findings.length} invariants hold.`
            : `${faults.length} of ${findings.length} invariants do not hold:`,
          ...faults.flatMap(({ check, detail, faults: list = [] }) => [
            `FAULT  ${check}: ${detail}`,
            ...list.map((each) => `         ${each}`),
          ]),
        ]);
        process.exitCode = faults.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failure;
      }),
    );
}
