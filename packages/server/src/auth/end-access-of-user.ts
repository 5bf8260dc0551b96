import type { Queries } from '../database/index.ts';
import { endLoginsOfUser } from './login-sessions/end-logins-of-user.ts';
import { endGrantsOfUser } from './oauth-grants/end-grants.ts';
import { spendOneTimeTokensOfUser } from './one-time-tokens/queries.ts';
import { spendChallengesOfUser } from './two-factor/challenge-queries.ts';

/**
 * Ends all that was opened with a password that is another now: mailed reset tokens, logins that wait for the second
 * factor, logins, and what apps may do; only the login named stays, and API tokens do. The caller has written the new
 * password. Challenges go before the logins: one that is just being answered is waited for, and its login is found then.
 */
export async function endAccessOfUser(tx: Queries, userId: string, exceptLoginId?: string): Promise<void> {
  await spendOneTimeTokensOfUser(tx, 'reset_password', userId);
  await spendChallengesOfUser(tx, userId);
  await endLoginsOfUser(tx, userId, exceptLoginId);
  await endGrantsOfUser(tx, userId);
}
