import type { LicenseDemand } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addOperatorOptions, given, type OperatorOptions } from '../operator/options.ts';
import { requireLicense } from '../operator/require-license.ts';
import { withOperator } from '../operator/with-operator.ts';
import { print } from '../output.ts';
import { parseTime } from '../parse-time.ts';
import { formatTime } from '../printing/formats.ts';
import { Table, terminalWidth } from '../printing/table.ts';

interface DemandOptions extends OperatorOptions {
  from?: string;
  to?: string;
  interval?: 'hour' | 'day';
}

/** `seathold demand`: how many seats of a license were requested. */
export function addDemandCommand(program: Command): void {
  addOperatorOptions(
    program
      .command('demand')
      .description(
        'Show how many seats of a license were in use, how many acquires were refused, and how many seats would have been enough.',
      )
      .argument('<license>', 'the ID of the license, lic_…, or its key')
      .option('--from <time>', 'the start, in ISO 8601 (default: 7 days before the end)', parseTime)
      .option('--to <time>', 'the end, in ISO 8601 (default: now)', parseTime)
      .addOption(new Option('--interval <interval>', 'one line for each').choices(['hour', 'day']).default('day')),
  ).action(show);
}

function show(name: string, options: DemandOptions): Promise<void> {
  return withOperator(options, async (client) => {
    const license = await requireLicense(client, name);
    const demand = await client.licenses.getDemand(
      license.id,
      given({ from: options.from, to: options.to, interval: options.interval }),
      { organizationId: license.organization_id },
    );
    print(options.json === true, demand, describe(demand, license.max_seats));
  });
}

function describe({ points, suggested_seats: suggested }: LicenseDemand, maxSeats: number): string[] {
  const table = new Table<LicenseDemand['points'][number]>(
    [
      { title: 'FROM', value: ({ at }) => formatTime(at) },
      { title: 'SEATS IN USE AT MOST', value: ({ peak }) => peak, align: 'right' },
      { title: 'REFUSED', value: ({ refused }) => refused, align: 'right' },
    ],
    terminalWidth(),
  );
  return [...table.add(points), '', `${suggested} seats would have been enough; the license has ${maxSeats}.`];
}
