import { ApiError } from '../../http/index.ts';
import { endOfRetention, type Job } from '../../jobs/index.ts';
import { listMembershipIds } from '../../organizations/index.ts';
import { listUnverifiedUsers, lockUserById, type UnverifiedUserRow } from '../../users/index.ts';
import { NOBODY } from '../record-account-audit.ts';
import { endAccountOfUser } from './delete-account.ts';
import type { ForgettingTools } from './ending-tools.ts';
import { isActiveSince } from './is-active-since.ts';

/**
 * Deletes the accounts of users who never verified their address and were inactive for the retention period. Users stay if
 * their organization owns a license, pays for something, or would be left without an admin. No job if the setting is 0.
 */
export function deleteUnverifiedUsersJob(tools: ForgettingTools, days: number): Job[] {
  let after: UnverifiedUserRow | undefined;
  const run = async () => {
    const before = endOfRetention(tools.clock.nowMs(), days);
    const users = await listUnverifiedUsers(tools.database, {
      afterTime: after?.created_at ?? '-infinity',
      afterId: after?.id ?? '',
      before,
      limit: USERS,
    });
    for (const user of users) {
      await forgetUser(tools, user.id, before);
    }
    after = users.length < USERS ? undefined : users.at(-1);
    return after !== undefined;
  };
  return days === 0 ? [] : [{ name: 'auth.delete-unverified-users', everyMs: HOUR_MS, run }];
}

/** Deletes the account if it is still unused; checks again under the lock of its row. */
async function forgetUser(tools: ForgettingTools, userId: string, since: Date): Promise<void> {
  if (await isActiveSince(tools.database, tools, userId, since)) {
    return;
  }
  try {
    await tools.database.transaction(async (tx) => {
      const user = await lockUserById(tx, { userId });
      if (user === undefined || user.is_verified || (await isActiveSince(tx, tools, userId, since))) {
        return;
      }
      for (const organizationId of await listMembershipIds(tx, userId)) {
        if (await tools.hasLiveLicense(tx, organizationId, new Date(tools.clock.nowMs()))) {
          return;
        }
      }
      await endAccountOfUser(tx, tools, userId, NOBODY);
    });
  } catch (error) {
    // The user cannot leave, because others depend on them.
    if (!(error instanceof ApiError)) {
      throw error;
    }
  }
}

const USERS = 100;
const HOUR_MS = 3_600_000;
