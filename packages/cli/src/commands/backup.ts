import type { Command } from 'commander';
import { cancelOnSignal, describeEnvironment, describeLoaded } from '../backup/run-backup.ts';
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
    .command('create')
    .argument('<target>', 'a new folder, or - for a tar stream on standard output')
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
      cancelOnSignal((signal) => create(target, options, version, signal)),
    );
}

async function create(target: string, options: CreateOptions, serviceVersion: string, signal: AbortSignal) {
  const { createBackup } = await import('@seathold/server/operator/backup/create-backup');
  const isStream = target === '-';
  const made = await createBackup(process.env, {
    target: isStream ? standardOutput() : target,
    keyFile: options.encryptToKeyFile,
    serviceVersion,
    signal,
  });
  const { id, createdAt, isEncrypted, seconds, environments } = made;
  const value = { target, id, created_at: createdAt, encrypted: isEncrypted, seconds, environments };
  const lines = [
    `Backup ${id} is complete${isStream ? '' : `: ${target}`}${isEncrypted ? ' (encrypted)' : ''}.`,
    ...environments.map(describeEnvironment),
    'The master key is not in it. Keep a copy of the key in another place.',
  ];
  const text = options.json === true ? JSON.stringify(value, undefined, 2) : lines.join('\n');
  (isStream ? process.stderr : process.stdout).write(`${text}\n`);
}

/** A reader that closes the pipe early did not get a backup, so this is a failure. */
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
    .command('verify')
    .argument('<source>', 'a folder, a tar file, or - for standard input')
    .description(
      'Restore a backup (a folder, a tar file, or - for standard input) into a temporary folder, and check that its data is complete and consistent.',
    )
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
      '\nExamples:\n  $ seathold backup verify /backups/monday\n  $ seathold backup verify monday.tar --json',
    )
    .action((source: string, options: VerifyOptions) => cancelOnSignal((signal) => verify(source, options, signal)));
}

async function verify(source: string, options: VerifyOptions, signal: AbortSignal): Promise<void> {
  const { verifyBackup } = await import('@seathold/server/operator/backup/verify-backup');
  const verified = await verifyBackup(process.env, {
    source,
    masterKeyFile: options.masterKeyFile,
    keyFile: options.decryptWithKeyFile,
    signal,
  });
  const { header, isKeyChecked, findings } = verified;
  const faults = findings.filter(({ ok }) => !ok);
  const value = { ...describeLoaded(source, verified), master_key_checked: isKeyChecked, findings };
  print(options.json === true, value, [
    `Backup ${header.id} of ${header.created_at} can be restored:`,
    ...verified.environments.map(describeEnvironment),
    ...verified.notes,
    isKeyChecked ? 'The master key is the correct one.' : 'There is no master key here, so it was not checked.',
    faults.length === 0
      ? `All ${findings.length} invariants hold.`
      : `${faults.length} of ${findings.length} invariants do not hold:`,
    ...faults.flatMap(({ check, detail, faults: list = [] }) => [
      `FAULT  ${check}: ${detail}`,
      ...list.map((each) => `         ${each}`),
    ]),
  ]);
  process.exitCode = faults.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failure;
}
