import type { OperatedUser, Seathold } from '@seathold/client';
import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { requireUser } from '../operator/require-user.ts';
import { withOperator } from '../operator/with-operator.ts';
import { addUserListCommand } from './user/list.ts';

/** `seathold user …`: the people in your customers' organizations. */
export function addUserCommand(program: Command): void {
  const user = program.command('user').description('Find users, and help those who cannot log in.');
  addUserListCommand(user);
  addForOne(
    user,
    'show',
    'Show a user with their organizations and anything that blocks their login.',
    (_, found) => found,
  );
  addForOne(
    user,
    'unlock',
    'Unlock an account that is locked after too many incorrect passwords or codes.',
    (client, { id }) => client.operator.unlockOperatedUser(id),
  );
  addForOne(
    user,
    'disable-two-factor',
    'Turn off two-factor authentication for a user who lost their device. Verify their identity first. The user is notified by email.',
    (client, { id }) => client.operator.disableTwoFactorOfOperatedUser(id),
  );
}

function addForOne(
  user: Command,
  name: string,
  description: string,
  act: (client: Seathold, found: OperatedUser) => OperatedUser | PromiseLike<OperatedUser>,
): void {
  addOperatorOptions(user.command(name).description(description))
    .argument('<user>', "the user's email address, or ID, usr_…")
    .action((named: string, options: OperatorOptions) =>
      withOperator(options, async (client) => {
        printRecord(await act(client, await requireUser(client, named)), options);
      }),
    );
}
