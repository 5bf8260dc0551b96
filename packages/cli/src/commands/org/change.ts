import type { ChangeOperatedOrganizationBody } from '@seathold/client';
import type { Command } from 'commander';
import { CommandFailure } from '../../command-failure.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { addPair } from '../../parse-pair.ts';

interface UpdateOptions extends OperatorOptions {
  notes?: string;
  externalId?: string;
  metadata?: Record<string, string>;
}

/** `seathold org update`, `suspend` and `reinstate`. */
export function addOrgChangeCommands(org: Command): void {
  addOperatorOptions(
    org
      .command('update')
      .description('Change your notes about an organization. The customer does not see them.')
      .argument('<organization_id>', 'the ID of the organization, org_…')
      .option('--notes <text>', 'notes; empty to remove them')
      .option('--external-id <id>', 'your own ID for the organization; empty to remove it')
      .option('--metadata <name=value...>', 'your own data; replaces all of it', addPair),
  ).action(update);
  addOperatorOptions(
    org
      .command('suspend')
      .description('Suspend an organization. All its tokens are refused until it is reinstated.')
      .argument('<organization_id>', 'the ID of the organization, org_…')
      .requiredOption('--reason <text>', 'why. The customer sees it'),
  )
    .addHelpText('after', '\nExample:\n  $ seathold org suspend org_… --reason "Shares its license keys on a forum"')
    .action((id: string, options: OperatorOptions & { reason: string }) =>
      change(id, { status: 'suspended', reason: options.reason }, options),
    );
  addOperatorOptions(
    org
      .command('reinstate')
      .description('End the suspension of an organization.')
      .argument('<organization_id>', 'the ID of the organization, org_…'),
  ).action((id: string, options: OperatorOptions) => change(id, { status: 'active' }, options));
}

async function update(id: string, options: UpdateOptions): Promise<void> {
  const body = given({
    notes: emptyToNull(options.notes),
    external_id: emptyToNull(options.externalId),
    metadata: options.metadata,
  });
  if (Object.keys(body).length === 0) {
    throw new CommandFailure('invalid_argument', 'There is nothing to change. Set at least one option.');
  }
  await change(id, body, options);
}

function change(id: string, body: ChangeOperatedOrganizationBody, options: OperatorOptions): Promise<void> {
  return withOperator(options, async (client) => {
    printRecord(await client.operator.changeOperatedOrganization(id, body), options);
  });
}

function emptyToNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}
