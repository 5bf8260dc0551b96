import type { Command } from 'commander';
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
import { createBareProgram } from './create-bare-program.ts';

/** All commands. */
export function createProgram(): Command {
  const program = createBareProgram();
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
