import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { print } from '../../output.ts';

/** `seathold org delete`: erases a customer. */
export function addOrgDeleteCommand(org: Command): void {
  addOperatorOptions(
    org
      .command('delete')
      .description('Delete an organization with its licenses, projects and members. This cannot be undone.')
      .argument('<organization_id>', 'the ID of the organization, org_…')
      .requiredOption('--confirm <name>', 'the exact name of the organization'),
  )
    .addHelpText('after', '\nExample:\n  $ seathold org delete org_… --confirm "Acme"')
    .action((id: string, options: OperatorOptions & { confirm: string }) =>
      withOperator(options, async (client) => {
        const deleted = await client.operator.deleteOperatedOrganization(id, { confirm: options.confirm });
        print(options.json === true, deleted, [`${id} is being deleted.`]);
      }),
    );
}
