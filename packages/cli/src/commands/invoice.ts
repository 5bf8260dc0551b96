import type { OperatorInvoice, Seathold } from '@seathold/client';
import { type Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.ts';
import {
  addListOptions,
  addOperatorOptions,
  given,
  type ListOptions,
  type OperatorOptions,
} from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';
import { formatAmount, formatTime } from '../printing/formats.ts';
import { pageSize, printList } from '../printing/print-list.ts';

interface InvoiceListOptions extends ListOptions {
  organization?: string;
  status?: OperatorInvoice['status'];
  number?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold invoice …`: the invoices of all organizations. */
export function addInvoiceCommand(program: Command): void {
  const invoice = program.command('invoice').description('Look up invoices.');
  addListOptions(invoice.command('list').description('List the invoices of all organizations, newest first.'))
    .option('--organization <id>', 'only those of this organization')
    .addOption(
      new Option('--status <status>', 'only those with this status').choices([
        'draft',
        'open',
        'paid',
        'void',
        'uncollectible',
      ] as const),
    )
    .option('--number <number>', 'only the one with this number')
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold invoice list --status open --created-before 2027-01-01')
    .action(list);
  addOperatorOptions(
    invoice
      .command('show')
      .description('Show an invoice.')
      .argument('<number>', 'the invoice number, or its ID, inv_…, with --organization')
      .option('--organization <id>', 'the organization that the invoice belongs to'),
  ).action(show);
}

function list(options: InvoiceListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listInvoices({
        limit: pageSize(options),
        ...given({
          organization_id: options.organization,
          status: options.status,
          number: options.number,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'NUMBER', value: ({ number }) => number },
          { title: 'STATUS', value: ({ status }) => status },
          {
            title: 'AMOUNT DUE',
            value: ({ amount_due: amount, currency }) => formatAmount(amount, currency),
            align: 'right',
          },
          { title: 'BUYER', value: ({ buyer_name: name }) => name, canShrink: true },
          { title: 'CREATED', value: ({ created_at: at }) => formatTime(at) },
          { title: 'PAID', value: ({ paid_at: at }) => formatTime(at) },
          { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
          { title: 'ID', value: ({ id }) => id },
        ],
        empty: 'No invoices.',
      },
    ),
  );
}

function show(name: string, options: OperatorOptions & { organization?: string }): Promise<void> {
  const { organization } = options;
  if (name.startsWith('inv_') && organization === undefined) {
    throw new CommandFailure(
      'missing_input',
      'To show an invoice by its ID, specify its organization with --organization.',
    );
  }
  return withOperator(options, async (client) => {
    const found = name.startsWith('inv_')
      ? await client.invoices.get(name, given({ organizationId: organization }))
      : await findInvoice(client, name, organization);
    if (found === undefined) {
      throw new CommandFailure('not_found', `There is no invoice with the number ${name}.`);
    }
    printRecord(found, options);
  });
}

async function findInvoice(client: Seathold, number: string, organization: string | undefined) {
  const { data } = await client.operator.listInvoices({
    number,
    limit: 1,
    ...given({ organization_id: organization }),
  });
  return data[0];
}
