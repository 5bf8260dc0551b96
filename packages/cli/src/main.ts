import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addAccountCommand } from './commands/account.ts';
import { addCatalogCommand } from './commands/catalog.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addLicenseCommand } from './commands/license.ts';
import { addLoginCommand } from './commands/login.ts';
import { addLogoutCommand } from './commands/logout.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOperatorCommand } from './commands/operator.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStaffCommand } from './commands/staff.ts';
import { addWebhooksCommand } from './commands/webhooks.ts';
import { EXIT_CODES, reportFailure } from './exit-codes.ts';

/** Runs the command line. What a command answers goes to standard output, everything else to standard error. */
export async function run(words: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    process.exitCode =
      error instanceof CommanderError ? usageCode(error) : reportFailure(error, words.includes('--json'));
  }
}

/** Every command there is. */
export function createProgram(): Command {
  const program = new Command('seathold')
    .description('Floating licenses, subscriptions, and signed webhooks in one process.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  for (const add of [
    addServeCommand,
    addMigrateCommand,
    addConfigCommand,
    addLicenseCommand,
    addCatalogCommand,
    addKeysCommand,
    addPaymentsCommand,
    addAccountCommand,
    addOperatorCommand,
    addStaffCommand,
    addDoctorCommand,
    addLoginCommand,
    addLogoutCommand,
    addWebhooksCommand,
  ]) {
    add(program, packageJson.version);
  }
  return program;
}

/** Commander has printed help, version or the mistake already. */
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

Exit codes: 0 success, 1 failure, 2 usage error, 4 not found, 5 conflict, 7 database or service unreachable, 78 invalid settings, 130 canceled.`;
