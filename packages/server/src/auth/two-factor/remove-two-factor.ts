import { type AuditActor, INSTALLATION, OPERATOR_COMMAND } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { findUserByEmail, parseEmail } from '../../users/index.ts';
import { recordActOnAccount } from '../record-account-audit.ts';
import { updateChallengesOfUserSpent } from './challenge-queries.ts';
import { deleteRecoveryCodes, deleteSecret, updateLoginSessionsWithoutTwoFactor } from './queries.ts';
import { notifyOfTwoFactorChange } from './two-factor-mails.ts';

/** The dependencies of removing a second factor. */
export interface RemovalTools {
  mailer: Mailer;
  baseUrl: string;
}

/**
 * Removes a user's second factor by the command on the server. Returns whether it was on. Throws `not_found` if no user
 * has this address.
 */
export async function removeTwoFactor(database: Queries, tools: RemovalTools, email: string): Promise<boolean> {
  const user = await findUserByEmail(database, { email: parseEmail(email) ?? '' });
  if (user === undefined) {
    throw notFound('user');
  }
  const actor = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
  return database.transaction((tx) => takeAwayTwoFactor(tx, tools, user, actor));
}

/**
 * Removes a user's second factor on behalf of the vendor: for users who have lost it, and for the owner of an address
 * that a stranger had registered. Logins no longer count as having passed it. Returns whether it was on.
 */
export async function takeAwayTwoFactor(
  tx: Queries,
  tools: RemovalTools,
  user: { id: string; email: string },
  actor: AuditActor,
): Promise<boolean> {
  const wasOn = (await deleteSecret(tx, { userId: user.id }))?.was_enabled === true;
  if (wasOn) {
    await deleteRecoveryCodes(tx, { userId: user.id });
    await updateLoginSessionsWithoutTwoFactor(tx, { userId: user.id });
    await updateChallengesOfUserSpent(tx, { userId: user.id });
    await recordActOnAccount(tx, user.id, actor, 'two_factor.disabled');
    await notifyOfTwoFactorChange(tx, tools, user, 'disabled');
  }
  return wasOn;
}
