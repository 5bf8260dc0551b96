import type { OperatedUser, Seathold } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';

/** The user with this email address or ID. Throws not_found. */
export async function requireUser(client: Seathold, name: string): Promise<OperatedUser> {
  if (!name.includes('@')) {
    return client.operator.getOperatedUser(name);
  }
  const email = name.trim().toLowerCase();
  // The query finds prefixes, including those of names.
  for await (const user of client.operator.listOperatedUsers({ query: email, sort: 'email', limit: 100 })) {
    if (user.email === email) {
      return user;
    }
  }
  throw new CommandFailure('not_found', `There is no user with the email address ${name}.`);
}
