import type { ListedOrganization } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { parseTime } from '../../parse-time.ts';
import { formatAmount, formatTime } from '../../printing/formats.ts';
import { pageSize, printList } from '../../printing/print-list.ts';

interface OrgListOptions extends ListOptions {
  status?: ListedOrganization['status'];
  externalId?: string;
  sort?: 'created_at' | '-created_at' | 'name' | '-name';
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold org list`: finds customers by any known detail. */
export function addOrgListCommand(org: Command): void {
  addListOptions(
    org
      .command('list')
      .description('List or find organizations.')
      .argument(
        '[query]',
        "what to find: the beginning of a name, an ID, a member's email address, a license key, or an invoice number",
      ),
  )
    .addOption(new Option('--status <status>', 'only those with this status').choices(['active', 'suspended'] as const))
    .option('--external-id <id>', 'only the one with this external ID')
    .addOption(
      new Option('--sort <field>', 'the order; - for descending').choices([
        'created_at',
        '-created_at',
        'name',
        '-name',
      ] as const),
    )
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExamples:\n  $ seathold org list acme\n  $ seathold org list grace@acme.example')
    .action(list);
}

function list(query: string | undefined, options: OrgListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listOperatedOrganizations({
        limit: pageSize(options),
        ...given({
          query,
          status: options.status,
          external_id: options.externalId,
          sort: options.sort,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'ID', value: ({ id }) => id },
          { title: 'NAME', value: ({ name }) => name, canShrink: true },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'SEATS', value: ({ seats }) => `${seats.used} of ${seats.included}`, align: 'right' },
          { title: 'PLAN', value: ({ plan_name: name }) => name, canShrink: true },
          {
            title: 'CREDIT',
            value: ({ balance, balance_currency: currency }) =>
              currency === null ? null : formatAmount(balance, currency),
            align: 'right',
          },
          { title: 'MEMBERS', value: ({ member_count: count }) => count, align: 'right' },
          { title: 'LAST ACTIVE', value: ({ last_active_at: at }) => formatTime(at) },
          { title: 'CREATED', value: ({ created_at: at }) => formatTime(at) },
        ],
        empty: 'No organizations.',
      },
    ),
  );
}
