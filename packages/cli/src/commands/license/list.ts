import type { OperatorLicense } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { parseTime } from '../../parse-time.ts';
import { formatExpiry } from '../../printing/formats.ts';
import { pageSize, printList } from '../../printing/print-list.ts';

interface LicenseListOptions extends ListOptions {
  organization?: string;
  product?: string;
  status?: OperatorLicense['status'];
  key?: string;
  externalId?: string;
  expiresBefore?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold license list`: the licenses of all organizations. */
export function addLicenseListCommand(license: Command): void {
  addListOptions(license.command('list').description('List the licenses of all organizations, newest first.'))
    .option('--organization <id>', 'only those of this organization')
    .option('--product <name>', 'only those of this product')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices([
        'active',
        'suspended',
        'expired',
        'revoked',
      ] as const),
    )
    .option('--key <key>', 'only the one with this license key')
    .option('--external-id <id>', 'only those with this external ID')
    .option('--expires-before <time>', 'only those that expire before this time, in ISO 8601', parseTime)
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold license list --url https://licenses.example.com --product studio --expires-before 2027-01-31',
    )
    .action(list);
}

function list(options: LicenseListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listLicenses({
        limit: pageSize(options),
        ...given({
          organization_id: options.organization,
          product: options.product,
          status: options.status,
          key: options.key,
          external_id: options.externalId,
          expires_before: options.expiresBefore,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'ID', value: ({ id }) => id },
          { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
          { title: 'PRODUCT', value: ({ product }) => product, canShrink: true },
          { title: 'STATUS', value: ({ status }) => status },
          {
            title: 'SEATS',
            value: ({ active_seats: active, max_seats: max }) => `${active} of ${max}`,
            align: 'right',
          },
          { title: 'EXPIRES', value: ({ expires_at: time }) => formatExpiry(time) },
          { title: 'KEY', value: ({ key }) => key },
          { title: 'EXTERNAL ID', value: ({ external_id: id }) => id, canShrink: true },
        ],
        empty: 'No licenses.',
      },
    ),
  );
}
