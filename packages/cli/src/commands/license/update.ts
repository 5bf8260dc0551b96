import type { Command } from 'commander';
import { CommandFailure } from '../../command-failure.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { parsePolicy } from './parse-policy.ts';
import { addTermOptions, parseExpiry, parseSeats, productName, type TermOptions } from './terms.ts';

interface UpdateOptions extends OperatorOptions, TermOptions {
  product?: string;
  seats?: number;
  expires?: string | null;
}

/** `seathold license update`: changes the terms of a license. */
export function addLicenseUpdateCommand(license: Command): void {
  addOperatorOptions(
    addTermOptions(
      license
        .command('update')
        .description('Change the terms of a license. --feature and --metadata replace all features and all metadata.')
        .argument('<license_id>', 'the ID of the license, lic_…')
        .option('--product <name>', 'the product that the license is for', productName)
        .option('--seats <number>', 'the number of seats. Sessions in use are not ended', parseSeats)
        .option('--expires <time>', 'when the license expires, in ISO 8601, or never', parseExpiry),
    ),
  )
    .addHelpText('after', '\nExample:\n  $ seathold license update lic_… --seats 20 --policy session_timeout=600')
    .action(update);
}

async function update(id: string, options: UpdateOptions): Promise<void> {
  const change = given({
    product: options.product,
    max_seats: options.seats,
    expires_at: options.expires,
    features: options.feature && Object.fromEntries(options.feature),
    external_id: options.externalId,
    metadata: options.metadata,
    policy: options.policy && parsePolicy(options.policy),
  });
  if (Object.keys(change).length === 0) {
    throw new CommandFailure('invalid_argument', 'There is nothing to change. Set at least one option.');
  }
  await withOperator(options, async (client) => {
    printRecord(await client.operator.changeLicense(id, change), options);
  });
}
