import type { Command } from 'commander';
import { findOperatorUrl } from '../../access/find-operator-access.ts';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { changeLicenseHere } from './change-here.ts';
import { parseExpiry, parseSeats } from './terms.ts';

/** `seathold license extend` and `seats`: the two most common changes. */
export function addLicenseTermCommands(license: Command): void {
  addOperatorOptions(license.command('extend').description('Set when a license expires.'))
    .argument('<license_id>', 'the ID of the license, lic_…')
    .argument('<time>', 'a time in ISO 8601, or never', parseExpiry)
    .action((id: string, expiresAt: string | null, options: OperatorOptions) =>
      findOperatorUrl(options) === undefined
        ? changeLicenseHere(id, { kind: 'extend', expiresAt }, options)
        : changeByApi(id, { expires_at: expiresAt }, options),
    );
  addOperatorOptions(license.command('seats').description('Set the number of seats. Sessions in use are not ended.'))
    .argument('<license_id>', 'the ID of the license, lic_…')
    .argument('<number>', 'the number of seats', parseSeats)
    .action((id: string, maxSeats: number, options: OperatorOptions) =>
      findOperatorUrl(options) === undefined
        ? changeLicenseHere(id, { kind: 'resize', maxSeats }, options)
        : changeByApi(id, { max_seats: maxSeats }, options),
    );
}

function changeByApi(
  id: string,
  change: { expires_at: string | null } | { max_seats: number },
  options: OperatorOptions,
): Promise<void> {
  return withOperator(options, async (client) => {
    printRecord(await client.operator.changeLicense(id, change), options);
  });
}
