import type { OperatorSubscription } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';
import { formatAmount, formatTime } from '../printing/formats.ts';
import { pageSize, printList } from '../printing/print-list.ts';

interface SubscriptionListOptions extends ListOptions {
  organization?: string;
  status?: OperatorSubscription['status'];
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold subscription list`: the subscriptions of all organizations. */
export function addSubscriptionCommand(program: Command): void {
  const subscription = program.command('subscription').description('Look up subscriptions.');
  addListOptions(subscription.command('list').description('List the subscriptions of all organizations, newest first.'))
    .option('--organization <id>', 'only those of this organization')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices([
        'incomplete',
        'active',
        'past_due',
        'canceled',
        'expired',
      ] as const),
    )
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold subscription list --status past_due')
    .action(list);
}

function list(options: SubscriptionListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listSubscriptions({
        limit: pageSize(options),
        ...given({
          organization_id: options.organization,
          status: options.status,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'ID', value: ({ id }) => id },
          { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'PLAN', value: ({ plan }) => plan.name, canShrink: true },
          { title: 'SEATS', value: ({ quantity }) => quantity, align: 'right' },
          {
            title: 'PRICE',
            value: ({ plan: { price, currency } }) => (price === null ? null : formatAmount(price, currency)),
            align: 'right',
          },
          { title: 'PERIOD ENDS', value: ({ current_period_end: at }) => formatTime(at) },
          { title: 'CREATED', value: ({ created_at: at }) => formatTime(at) },
        ],
        empty: 'No subscriptions.',
      },
    ),
  );
}
