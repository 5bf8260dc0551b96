import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';

/** `seathold org show`: one organization. */
export function addOrgShowCommand(org: Command): void {
  addOperatorOptions(org.command('show').description('Show an organization, with your notes about it.'))
    .argument('<organization_id>', 'the ID of the organization, org_…')
    .action((id: string, options: OperatorOptions) =>
      withOperator(options, async (client) => {
        printRecord(await client.operator.getOperatedOrganization(id), options);
      }),
    );
}
