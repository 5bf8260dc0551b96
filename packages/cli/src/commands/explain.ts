import type { SeatExplanation } from '@seathold/client';
import { type Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import { print } from '../output.ts';
import { formatTime } from '../printing/formats.ts';
import { Table, terminalWidth, visible } from '../printing/table.ts';

interface ExplainOptions extends OperatorOptions {
  email?: string;
  user?: string;
  key?: string;
  license?: string;
}

/** `seathold explain`: why a user gets no seat of a license. */
export function addExplainCommand(program: Command): void {
  addOperatorOptions(
    program
      .command('explain')
      .description('Explain whether a user can get a seat of a license, and why not.')
      .option('--email <address>', "the user's email address")
      .addOption(new Option('--user <id>', 'the ID of the user, usr_…').conflicts('email'))
      .option('--key <key>', 'the license key')
      .addOption(new Option('--license <id>', 'the ID of the license, lic_…').conflicts('key')),
  )
    .addHelpText('after', '\nExample:\n  $ seathold explain --email ada@example.com --key AB12-CD34-EF56-GH78')
    .action(explain);
}

async function explain(options: ExplainOptions): Promise<void> {
  const { email, user, key, license } = options;
  if ((email ?? user) === undefined || (key ?? license) === undefined) {
    throw new CommandFailure(
      'missing_input',
      'Specify the user with --email or --user, and the license with --key or --license.',
    );
  }
  await withOperator(options, async (client) => {
    const explanation = await client.operator.explain(
      given({ email, user_id: user, license_key: key, license_id: license }),
    );
    print(options.json === true, explanation, describe(explanation));
  });
}

function describe({ can_acquire: canAcquire, reasons, user, license, sessions, refusals }: SeatExplanation): string[] {
  const who = `${visible(user.name)} <${visible(user.email)}>`;
  const what = `${visible(license.product)} (${license.id}, ${license.active_seats} of ${license.max_seats} seats in use)`;
  return [
    canAcquire ? `${who} can get a seat of ${what}.` : `${who} cannot get a seat of ${what}:`,
    ...reasons.map(
      ({ code, message, since }) =>
        `  ${code}: ${visible(message)}${since === null ? '' : ` Since ${formatTime(since)} UTC.`}`,
    ),
    ...section(
      'Seats are held by:',
      reasons.flatMap(({ holders = [] }) => holders),
      new Table(
        [
          { title: 'USER', value: ({ user: holder, user_id: id }) => holder?.email ?? id, canShrink: true },
          { title: 'MACHINE', value: ({ hostname, hardware_id: id }) => hostname ?? id, canShrink: true },
          { title: 'SINCE', value: ({ started_at: at }) => formatTime(at) },
          { title: 'LAST HEARTBEAT', value: ({ last_heartbeat: at }) => formatTime(at) },
          { title: 'SESSION', value: ({ id }) => id },
        ],
        terminalWidth(),
      ),
    ),
    ...section(
      'Their own sessions:',
      sessions,
      new Table(
        [
          { title: 'MACHINE', value: ({ hostname, hardware_id: id }) => hostname ?? id, canShrink: true },
          { title: 'SINCE', value: ({ started_at: at }) => formatTime(at) },
          { title: 'SESSION', value: ({ id }) => id },
        ],
        terminalWidth(),
      ),
    ),
    ...section(
      'Last refusals:',
      refusals,
      new Table(
        [
          { title: 'LAST', value: ({ last_at: at }) => formatTime(at) },
          { title: 'TIMES', value: ({ count }) => count, align: 'right' },
          { title: 'CODE', value: ({ code }) => code },
          {
            title: 'SEATS',
            value: ({ active_seats: active, max_seats: max }) => `${active} of ${max}`,
            align: 'right',
          },
          { title: 'MACHINE', value: ({ hardware_id: id }) => id },
        ],
        terminalWidth(),
      ),
    ),
  ];
}

function section<Item>(title: string, items: readonly Item[], table: Table<Item>): string[] {
  return items.length === 0 ? [] : ['', title, ...table.add(items)];
}
