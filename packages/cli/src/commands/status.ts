import type { Overview } from '@seathold/client';
import type { Command } from 'commander';
import { addOperatorOptions, addWatchOption, given, type OperatorOptions } from '../operator/options.ts';
import { watch } from '../operator/watch.ts';
import { withOperator } from '../operator/with-operator.ts';
import { columns, print } from '../output.ts';
import { parseTime } from '../parse-time.ts';
import { formatAmount, formatTime } from '../printing/formats.ts';

interface StatusOptions extends OperatorOptions {
  from?: string;
  to?: string;
  watch?: number;
}

/** `seathold status`: how the whole installation is doing. */
export function addStatusCommand(program: Command): void {
  addWatchOption(
    addOperatorOptions(
      program
        .command('status')
        .description(
          'Show revenue, subscriptions, seats, refusals, deliveries, waiting emails, and late background jobs.',
        )
        .option('--from <time>', 'the start, in ISO 8601 (default: 30 days before the end)', parseTime)
        .option('--to <time>', 'the end, in ISO 8601 (default: now)', parseTime),
    ),
  )
    .addHelpText('after', '\nExample:\n  $ seathold status --watch')
    .action(show);
}

function show(options: StatusOptions): Promise<void> {
  return withOperator(options, (client) =>
    watch(options.watch, async () => {
      const overview = await client.operator.getOverview(given({ from: options.from, to: options.to }));
      print(options.json === true, overview, describe(overview));
    }),
  );
}

function describe(overview: Overview): string[] {
  const { seats, deliveries, mrr } = overview;
  const revenue = mrr.map(({ amount, currency }) => formatAmount(amount, currency)).join(', ');
  const now = columns([
    ['Revenue a month', revenue === '' ? '-' : revenue],
    [
      'Subscriptions',
      `${overview.active_subscriptions} active, ${overview.trials} trialing, ${overview.past_due} past due`,
    ],
    ['Seats', `${seats.used} of ${seats.sold} in use`],
    ['Mails waiting', String(overview.mails_waiting)],
    ['Late jobs', overview.jobs_late === 0 ? 'none' : overview.late_jobs.join(', ')],
  ]);
  const during = columns([
    ['Subscriptions', `${overview.new} began, ${overview.churned} ended`],
    ['Seats', `at most ${seats.peak} in use`],
    ['Refusals', String(overview.refusals)],
    ['Deliveries', `${deliveries.succeeded} succeeded, ${deliveries.failed} failed`],
  ]);
  return ['Now:', ...indent(now), `${formatTime(overview.from)} to ${formatTime(overview.to)} UTC:`, ...indent(during)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
