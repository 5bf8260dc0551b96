import { INSTALLATION, staffActorOf } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { lockUserById } from '../../users/index.ts';
import { type RemovalTools, takeAwayTwoFactor } from '../two-factor/remove-two-factor.ts';
import { getOperatedUser } from './get-operated-user.ts';
import { requireManageable } from './require-manageable.ts';
import type { OperatedUser } from './schemas.ts';

/**
 * Turns off the two-factor authentication of a user who lost their device, like the command on the server, and mails
 * them. Throws `not_found`, and what `requireManageable` throws.
 */
export async function disableTwoFactorOfUser(
  context: AuthorizedContext,
  tools: RemovalTools,
  userId: string,
): Promise<OperatedUser> {
  return context.database.transaction(async (tx) => {
    const user = await lockUserById(tx, { userId });
    if (user === undefined) {
      throw notFound('user');
    }
    await requireManageable(tx, context.principal, userId);
    await takeAwayTwoFactor(tx, tools, user, staffActorOf(context, INSTALLATION));
    return getOperatedUser(tx, userId);
  });
}
