import type { Queries } from '../../database/index.ts';
import { parseEmail } from '../../users/index.ts';
import { findPersonByEmail, findPersonById, type PersonRow } from './queries.ts';

/** Finds a user by ID or address, member or not; undefined if the installation has no such user. */
export async function findPerson(
  database: Queries,
  organizationId: string,
  by: { userId: string } | { email: string },
): Promise<PersonRow | undefined> {
  if ('userId' in by) {
    return findPersonById(database, { organizationId, userId: by.userId });
  }
  const email = parseEmail(by.email);
  return email === undefined ? undefined : findPersonByEmail(database, { organizationId, email });
}
