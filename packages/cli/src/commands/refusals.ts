import type { OperatorRefusal } from '@seathold/client';
import { type Command, Option } from 'commander';
import { addListOptions, addWatchOption, given, type ListOptions } from '../operator/options.ts';
import { watch } from '../operator/watch.ts';
import { withOperator } from '../operator/with-operator.ts';
import { parseTime } from '../parse-time.ts';
import { formatTime } from '../printing/formats.ts';
import { pageSize, printList } from '../printing/print-list.ts';

interface RefusalOptions extends ListOptions {
  organization?: string;
  license?: string;
  user?: string;
  code?: OperatorRefusal['code'];
  createdAfter?: string;
  watch?: number;
}

/** `seathold refusals`: who was refused a seat. */
export function addRefusalsCommand(program: Command): void {
  addWatchOption(
    addListOptions(program.command('refusals').description('List who was refused a seat, and why, newest first.')),
  )
    .option('--organization <id>', 'only those of this organization')
    .option('--license <id>', 'only those of this license')
    .option('--user <id>', 'only those of this user')
    .addOption(
      new Option('--code <code>', 'only those with this error code').choices([
        'no_seats_available',
        'license_expired',
        'license_suspended',
        'license_revoked',
        'user_not_allowed',
        'offline_not_allowed',
      ] as const),
    )
    .option('--created-after <time>', 'only those after this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold refusals --code no_seats_available --watch')
    .action(list);
}

function list(options: RefusalOptions): Promise<void> {
  return withOperator(options, (client) =>
    watch(options.watch, () =>
      printList(
        client.operator.listRefusals({
          limit: pageSize(options),
          ...given({
            organization_id: options.organization,
            license_id: options.license,
            user_id: options.user,
            code: options.code,
            created_after: options.createdAfter,
          }),
        }),
        options,
        {
          columns: [
            { title: 'LAST', value: ({ last_at: at }) => formatTime(at) },
            { title: 'TIMES', value: ({ count }) => count, align: 'right' },
            { title: 'CODE', value: ({ code }) => code },
            { title: 'LICENSE', value: ({ license_id: id }) => id },
            { title: 'USER', value: ({ user_id: id }) => id },
            {
              title: 'SEATS',
              value: ({ active_seats: active, max_seats: max }) => `${active} of ${max}`,
              align: 'right',
            },
            { title: 'ORGANIZATION', value: ({ organization_id: id }) => id },
          ],
          empty: 'No refusals.',
        },
      ),
    ),
  );
}
