import { type Command, Option } from 'commander';
import { createDownload } from '../operator/download.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';

interface ExportOptions extends Omit<OperatorOptions, 'json'> {
  format: 'csv' | 'jsonl';
  from?: string;
  to?: string;
  output?: string;
}

/** `seathold export`: files for accounting, of any size. */
export function addExportCommand(program: Command): void {
  const command = program.command('export').description('Download files for accounting.');
  for (const what of ['invoices', 'payments'] as const) {
    addOperatorOptions(
      command
        .command(what)
        .description(`Download the ${what} of all organizations.`)
        .addOption(new Option('--format <format>', 'the format').choices(['csv', 'jsonl']).default('csv'))
        .option('--from <time>', 'only those created at or after this time, in ISO 8601', parseTime)
        .option('--to <time>', 'only those created before this time, in ISO 8601', parseTime)
        .option('-o, --output <file>', 'write to this file instead of standard output'),
    )
      .addHelpText('after', `\nExample:\n  $ seathold export ${what} --from 2027-01-01 --to 2027-02-01 -o january.csv`)
      .action((options: ExportOptions) => download(what, options));
  }
}

/** An export has no time limit: the maximum value of a timer. */
const TIMEOUT_MS = 2 ** 31 - 1;

async function download(what: 'invoices' | 'payments', options: ExportOptions): Promise<void> {
  const { format, from, to, output } = options;
  const { fetch, finish } = await createDownload(output);
  let isComplete = false;
  try {
    await withOperator(
      options,
      async ({ operator }) => {
        const query = { format, ...given({ from, to }) };
        // Standard output cannot be undone, so another attempt would repeat it.
        const call = { timeoutMs: TIMEOUT_MS, ...(output === undefined ? { maxRetries: 0 } : {}) };
        await (what === 'invoices' ? operator.exportInvoices(query, call) : operator.exportPayments(query, call));
        isComplete = true;
      },
      { fetch },
    );
  } finally {
    await finish(isComplete);
  }
}
