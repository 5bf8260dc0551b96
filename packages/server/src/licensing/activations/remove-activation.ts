import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, notFound } from '../../http/index.ts';
import { lockLicense } from '../licenses/queries.ts';
import { requireLicense } from '../licenses/require-license.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { endSessions } from '../seats/end-sessions.ts';
import { cancelWaitsOf } from '../waits/reactions.ts';
import { presentActivation } from './present-activation.ts';
import { deleteActivation, listSessionsOfActivation } from './queries.ts';

/** Revokes an activation: its token becomes invalid, and its seat is free immediately. Throws not_found. */
export async function removeActivation(
  context: AuthorizedContext,
  tools: Pick<LicensingTools, 'outbox'>,
  licenseId: string,
  id: string,
): Promise<Answer<undefined>> {
  const { organizationId, clockOffsetMs, userId } = context.principal;
  await requireLicense(context, licenseId);
  await context.database.transaction(async (tx) => {
    // Under this lock, no previously admitted acquire can take a seat afterwards.
    await lockLicense(tx, { organizationId, id: licenseId });
    const row = await deleteActivation(tx, { organizationId, licenseId, id });
    if (row === undefined) {
      throw notFound('activation');
    }
    const held = await listSessionsOfActivation(tx, { organizationId, licenseId, id });
    const sessionIds = held.map((session) => session.session_id);
    const releasedBy = () => userId;
    await endSessions(tx, tools, { organizationId, clockOffsetMs, sessionIds, status: 'released', releasedBy });
    await cancelWaitsOf(tx, { organizationId, clockOffsetMs }, id, 'activation_revoked');
    await recordAudit(tx, actorOf(context), {
      action: 'activation.revoked',
      targetType: 'activation',
      targetId: id,
      before: presentActivation(row),
    });
  });
  return { data: undefined };
}
