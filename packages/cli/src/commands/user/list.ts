import { type Command, Option } from 'commander';
import { addListOptions, given, type ListOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { parseTime } from '../../parse-time.ts';
import { formatTime } from '../../printing/formats.ts';
import { pageSize, printList } from '../../printing/print-list.ts';

interface UserListOptions extends ListOptions {
  locked?: boolean;
  sort?: 'created_at' | '-created_at' | 'email' | '-email';
  createdAfter?: string;
  createdBefore?: string;
}

/** `seathold user list`: finds users by any known detail. */
export function addUserListCommand(user: Command): void {
  addListOptions(
    user
      .command('list')
      .description('List or find the users of all organizations.')
      .argument('[query]', 'what to find: the beginning of an email address or a name, or an ID'),
  )
    .option('--locked', 'only locked accounts (after too many incorrect passwords or codes)')
    .addOption(
      new Option('--sort <field>', 'the order; - for descending').choices([
        'created_at',
        '-created_at',
        'email',
        '-email',
      ] as const),
    )
    .option('--created-after <time>', 'only those created after this time, in ISO 8601', parseTime)
    .option('--created-before <time>', 'only those created before this time, in ISO 8601', parseTime)
    .addHelpText('after', '\nExamples:\n  $ seathold user list grace@acme.example\n  $ seathold user list --locked')
    .action(list);
}

function list(query: string | undefined, options: UserListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(
      client.operator.listOperatedUsers({
        limit: pageSize(options),
        ...given({
          query,
          is_locked: options.locked === true ? 'true' : undefined,
          sort: options.sort,
          created_after: options.createdAfter,
          created_before: options.createdBefore,
        }),
      }),
      options,
      {
        columns: [
          { title: 'ID', value: ({ id }) => id },
          { title: 'EMAIL', value: ({ email }) => email, canShrink: true },
          { title: 'NAME', value: ({ name }) => name, canShrink: true },
          { title: 'LOCKED', value: ({ is_locked: isLocked }) => (isLocked ? 'yes' : 'no') },
          { title: 'TWO-FACTOR', value: ({ two_factor_enabled: isOn }) => (isOn ? 'on' : 'off') },
          { title: 'LAST LOGIN', value: ({ last_login_at: at }) => formatTime(at) },
          {
            title: 'ORGANIZATIONS',
            value: ({ organizations }) => organizations.map(({ name, role }) => `${name} (${role})`).join(', '),
            canShrink: true,
          },
        ],
        empty: 'No users.',
      },
    ),
  );
}
