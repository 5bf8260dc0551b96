import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { requireLicense } from '../../operator/require-license.ts';
import { withOperator } from '../../operator/with-operator.ts';

/** `seathold license show`: one license. */
export function addLicenseShowCommand(license: Command): void {
  addOperatorOptions(license.command('show').description('Show a license.'))
    .argument('<license>', 'the ID of the license, lic_…, or its key')
    .action((name: string, options: OperatorOptions) =>
      withOperator(options, async (client) => printRecord(await requireLicense(client, name), options)),
    );
}
