import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { requireLicense } from '../../operator/require-license.ts';
import { withOperator } from '../../operator/with-operator.ts';

/** `seathold license show`: one license with its active sessions. */
export function addLicenseShowCommand(license: Command): void {
  addOperatorOptions(license.command('show').description('Show a license and its active sessions.'))
    .argument('<license>', 'the ID of the license, lic_…, or its key')
    .action((name: string, options: OperatorOptions) =>
      withOperator(options, async (client) => {
        const id = name.startsWith('lic_') ? name : (await requireLicense(client, name)).id;
        printRecord(await client.operator.getLicense(id), options);
      }),
    );
}
