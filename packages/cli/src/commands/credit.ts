import { type Command, InvalidArgumentError } from 'commander';
import { addOperatorOptions, given, type OperatorOptions, wholeNumber } from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { withOperator } from '../operator/with-operator.ts';

interface CreditOptions extends OperatorOptions {
  organization: string;
  amount: number;
  currency: string;
  reason: string;
  idempotencyKey?: string;
}

/** `seathold credit add`: credit that a customer's next invoices use first. */
export function addCreditCommand(program: Command): void {
  const credit = program.command('credit').description("Manage customers' credit.");
  addOperatorOptions(
    credit
      .command('add')
      .description('Grant credit to an organization. Its next invoices use it first. This cannot be undone.')
      .requiredOption('--organization <id>', 'the ID of the organization, org_…')
      .requiredOption(
        '--amount <minor units>',
        'the amount in minor units, for example 5000 for 50.00 USD',
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      )
      .requiredOption('--currency <code>', 'the currency, for example usd', parseCurrency)
      .requiredOption('--reason <text>', 'why. The customer sees it')
      .option(
        '--idempotency-key <key>',
        'makes retries safe: within 24 hours, the same key grants the credit only once',
      ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold credit add --organization org_… --amount 5000 --currency usd --reason "Outage on 20 January"',
    )
    .action(add);
}

function add(options: CreditOptions): Promise<void> {
  const { organization, amount, currency, reason, idempotencyKey } = options;
  return withOperator(options, async (client) => {
    const made = await client.operator.createCredit(
      { organization_id: organization, amount, currency, reason },
      given({ idempotencyKey }),
    );
    printRecord(made, options);
  });
}

function parseCurrency(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) {
    throw new InvalidArgumentError('It must be a code of three letters, for example usd.');
  }
  return text.toLowerCase();
}
