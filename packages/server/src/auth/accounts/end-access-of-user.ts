import type { Queries } from '../../database/index.ts';
import type { ConnectedApps } from '../connected-apps.ts';
import { endLoginsOfUser } from '../login-sessions/end-logins-of-user.ts';
import { updateOneTimeTokensOfUserSpent } from '../one-time-tokens/queries.ts';
import { updateChallengesOfUserSpent } from '../two-factor/challenge-queries.ts';

/**
 * Ends all access based on the previous password: mailed reset tokens, logins that wait for the second factor, login
 * sessions and the grants of apps. One login session can stay, and API tokens always do. The caller has written the new
 * password. Challenges end before login sessions: if one is being answered right now, this waits and then finds its
 * session.
 */
export async function endAccessOfUser(
  tx: Queries,
  { connectedApps }: { connectedApps: ConnectedApps },
  userId: string,
  exceptLoginId?: string,
): Promise<void> {
  await updateOneTimeTokensOfUserSpent(tx, { purpose: 'reset_password', userId });
  await updateChallengesOfUserSpent(tx, { userId });
  await endLoginsOfUser(tx, userId, exceptLoginId);
  await connectedApps.endAccessOfUser(tx, userId);
}
