import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { findUserByEmail, parseEmail } from '../../users/index.ts';
import { recordAccountAudit } from '../record-account-audit.ts';
import { updateChallengesOfUserSpent } from './challenge-queries.ts';
import { deleteRecoveryCodes, deleteSecret, updateLoginSessionsWithoutTwoFactor } from './queries.ts';
import { notifyOfTwoFactorChange } from './two-factor-mails.ts';

/**
 * Removes a user's second factor in the operator's name: for users who have lost it, and for the owner of an address that a
 * stranger had registered. Returns whether it was on. Throws `not_found` when nobody has this address.
 */
export async function removeTwoFactor(
  database: Queries,
  tools: { mailer: Mailer; authUrl: string },
  email: string,
): Promise<boolean> {
  const user = await findUserByEmail(database, { email: parseEmail(email) ?? '' });
  if (user === undefined) {
    throw notFound('user');
  }
  return database.transaction(async (tx) => {
    const wasOn = (await deleteSecret(tx, { userId: user.id }))?.was_enabled === true;
    if (wasOn) {
      await deleteRecoveryCodes(tx, { userId: user.id });
      await updateLoginSessionsWithoutTwoFactor(tx, { userId: user.id });
      await updateChallengesOfUserSpent(tx, { userId: user.id });
      const entry = { action: 'two_factor.disabled', targetType: 'user', targetId: user.id };
      if ((await recordAccountAudit(tx, user.id, OPERATOR_COMMAND, entry)) === 0) {
        // A user need not be a member of any organization.
        await recordAudit(tx, { ...OPERATOR_COMMAND, organizationId: INSTALLATION }, entry);
      }
      await notifyOfTwoFactorChange(tx, tools, user, 'disabled');
    }
    return wasOn;
  });
}
