import { type Command, InvalidArgumentError } from 'commander';
import { addOperatorOptions, given, type OperatorOptions } from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';

interface ReportOptions extends OperatorOptions {
  organization: string;
  meter: string;
  value: number;
  at?: string;
  idempotencyKey?: string;
}

/** `seathold usage report`: reports an organization's usage of a meter. */
export function addUsageCommand(program: Command): void {
  const usage = program.command('usage').description('Report what customers used.');
  addOperatorOptions(
    usage
      .command('report')
      .description('Record how much of a meter, such as AI tokens, an organization used.')
      .requiredOption('--organization <id>', 'the ID of the organization, org_…')
      .requiredOption('--meter <name>', 'a meter of the catalogue, for example ai_tokens')
      .requiredOption('--value <number>', 'the amount, with at most 6 decimal places', parseValue)
      .option('--at <time>', 'when, in ISO 8601 (default: now)', parseTime)
      .option('--idempotency-key <key>', 'your own ID for this record, so that a retry is not counted twice'),
  ).action(report);
}

function report(options: ReportOptions): Promise<void> {
  const { organization, meter, value, at = new Date().toISOString(), idempotencyKey } = options;
  return withOperator(options, async (client) => {
    const record = await client.operator.recordUsage({
      organization_id: organization,
      meter,
      value,
      at,
      ...given({ idempotency_key: idempotencyKey }),
    });
    printRecord(record, options);
  });
}

function parseValue(text: string): number {
  if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) {
    throw new InvalidArgumentError('It must be a number with at most 6 decimal places.');
  }
  return Number(text);
}
