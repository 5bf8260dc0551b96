import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { findOperatedUser } from '../../users/index.ts';
import { presentUsers } from './present-users.ts';
import type { OperatedUser } from './schemas.ts';

/** A user of the installation, as seen by the vendor. Throws `not_found`. */
export async function getOperatedUser(database: Queries, userId: string): Promise<OperatedUser> {
  const row = await findOperatedUser(database, { userId });
  const [user] = row === undefined ? [] : await presentUsers(database, [row]);
  if (user === undefined) {
    throw notFound('user');
  }
  return user;
}
