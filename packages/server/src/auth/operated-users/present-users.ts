import type { Queries } from '../../database/index.ts';
import { listOrganizationsOfUsers } from '../../organizations/index.ts';
import type { OperatedUserRow } from '../../users/index.ts';
import { listUsersWithTwoFactor } from '../two-factor/queries.ts';
import type { OperatedUser } from './schemas.ts';

/** Users with their organizations and whether they have a second factor, read for all of them together. */
export async function presentUsers(database: Queries, rows: readonly OperatedUserRow[]): Promise<OperatedUser[]> {
  if (rows.length === 0) {
    return [];
  }
  const userIds = rows.map((row) => row.id);
  const [organizations, secured] = await Promise.all([
    listOrganizationsOfUsers(database, { userIds }),
    listUsersWithTwoFactor(database, { userIds }),
  ]);
  const withTwoFactor = new Set(secured.map((row) => row.user_id));
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    email_verified: row.is_verified,
    two_factor_enabled: withTwoFactor.has(row.id),
    is_locked: row.is_locked,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    organizations: organizations
      .filter(({ user_id: userId }) => userId === row.id)
      .map(({ id, name, role }) => ({ id, name, role })),
    created_at: row.created_at.toISOString(),
  }));
}
