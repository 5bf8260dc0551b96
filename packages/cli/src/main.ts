import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addAccountCommand } from './commands/account.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addConformanceCommand } from './commands/conformance.ts';
import { addCreditCommand } from './commands/credit.ts';
import { addDemandCommand } from './commands/demand.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addInvoiceCommand } from './commands/invoice.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addLicenseCommand } from './commands/license.ts';
import { addLoginCommand } from './commands/login.ts';
import { addLogoutCommand } from './commands/logout.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOperatorCommand } from './commands/operator.ts';
import { addOrgCommand } from './commands/org.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addProductCommand } from './commands/product.ts';
import { addRefusalsCommand } from './commands/refusals.ts';
import { addRequestCommand } from './commands/request.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addSeatCommand } from './commands/seat.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStaffCommand } from './commands/staff.ts';
import { addStatusCommand } from './commands/status.ts';
import { addSubscriptionCommand } from './commands/subscription.ts';
import { addTokenCommand } from './commands/token.ts';
import { addUpgradeDataCommand } from './commands/upgrade-data.ts';
import { addUsageCommand } from './commands/usage.ts';
import { addUserCommand } from './commands/user.ts';
import { addWebhooksCommand } from './commands/webhooks.ts';
import { EXIT_CODES, reportFailure } from './exit-codes.ts';

/** Runs the command line. The output of a command goes to standard output, everything else to standard error. */
export async function run(words: readonly string[]): Promise<void> {
  const program = createProgram();
  process.stdout.on('error', endWithReader);
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    process.exitCode =
      error instanceof CommanderError ? usageCode(error) : reportFailure(error, words.includes('--json'));
  }
}

/** `seathold … | head` closes the pipe when it has enough; there is no reader left. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  process.exit(EXIT_CODES.ok);
}

/** All commands. */
export function createProgram(): Command {
  const program = new Command('seathold')
    .description('Floating licenses, subscriptions, and signed webhooks in one process.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) {
      add(program, packageJson.version);
    }
  }
  return program;
}

type AddCommand = (program: Command, version: string) => void;

/** All commands, in the groups shown by the help. */
const GROUPS: ReadonlyArray<readonly [heading: string, commands: readonly AddCommand[]]> = [
  [
    'Your customers:',
    [
      addOrgCommand,
      addUserCommand,
      addLicenseCommand,
      addSeatCommand,
      addExplainCommand,
      addRefusalsCommand,
      addDemandCommand,
      addSubscriptionCommand,
      addInvoiceCommand,
      addPaymentsCommand,
      addCreditCommand,
      addImportCommand,
      addUsageCommand,
      addAccountCommand,
    ],
  ],
  [
    'Your business:',
    [
      addStatusCommand,
      addProductCommand,
      addCatalogCommand,
      addStaffCommand,
      addTokenCommand,
      addOperatorCommand,
      addExportCommand,
      addAuditCommand,
      addRequestCommand,
    ],
  ],
  [
    'The server:',
    [
      addServeCommand,
      addMigrateCommand,
      addConfigCommand,
      addDoctorCommand,
      addKeysCommand,
      addBackupCommand,
      addRestoreCommand,
      addUpgradeDataCommand,
    ],
  ],
  [
    'Building on Seathold:',
    [addLoginCommand, addLogoutCommand, addWebhooksCommand, addConformanceCommand, addCompletionCommand],
  ],
];

/** Commander has already printed help, version or the error. */
function usageCode(error: CommanderError): number {
  return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
}

const EXAMPLES = `
Examples:
  $ seathold serve
  $ seathold license issue --organization jane@example.com --product studio --seats 5
  $ seathold catalog apply catalogue.yaml --dry-run
  $ seathold doctor --json
  $ seathold login --sandbox
  $ seathold webhooks listen --sandbox --forward-to http://localhost:3000/hooks

Exit codes: 0 success, 1 failure, 2 usage error, 3 not authenticated, 4 not found, 5 conflict, 6 not allowed, 7 database or service unreachable, 78 invalid settings, 130 canceled.`;
