import type { OperatorPayment } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { parseTime } from '../../parse-time.ts';
import { formatAmount, formatTime } from '../../printing/formats.ts';
import { pageSize, printList } from '../../printing/print-list.ts';

interface PaymentListOptions extends ListOptions {
  organization?: string;
  status?: OperatorPayment['status'];
  providerRef?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold payment list`: the payments of all organizations. */
export function addPaymentListCommand(payments: Command): void {
  addListOptions(payments.command('list').description('List the payments of all organizations, newest first.'))
    .option('--organization <id>', 'only those of this organization')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices([
        'pending',
        'requires_action',
        'processing',
        'succeeded',
        'declined',
        'canceled',
        'orphaned',
      ] as const),
    )
    .option('--provider-ref <id>', "only the one with this ID in the payment provider's dashboard")
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold payment list --status declined --created-after 2027-01-01')
    .action(list);
}

function list(options: PaymentListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listPayments({
        limit: pageSize(options),
        ...given({
          organization_id: options.organization,
          status: options.status,
          provider_ref: options.providerRef,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'ID', value: ({ id }) => id },
          { title: 'STATUS', value: ({ status }) => status },
          { title: 'AMOUNT', value: ({ amount, currency }) => formatAmount(amount, currency), align: 'right' },
          { title: 'DECLINED', value: ({ decline_code: code }) => code, canShrink: true },
          { title: 'CREATED', value: ({ created_at: at }) => formatTime(at) },
          { title: 'PROVIDER REF', value: ({ provider_ref: ref }) => ref },
          { title: 'INVOICE', value: ({ invoice_id: id }) => id },
          { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
        ],
        empty: 'No payments.',
      },
    ),
  );
}
