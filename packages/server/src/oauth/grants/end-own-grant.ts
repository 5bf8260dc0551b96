import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { endGrant } from './end-grants.ts';
import { presentGrant } from './present-grant.ts';
import { findGrantOfUser } from './queries.ts';

/** Ends a grant of the caller with all its tokens; throws `not_found` for a grant that is not theirs. */
export async function endOwnGrant(context: AuthorizedContext, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await findGrantOfUser(tx, { userId: context.principal.userId, id });
    if (row === undefined || !(await endGrant(tx, row.organization_id, id))) {
      throw notFound('oauth_grant');
    }
    // In the log of the organization where the app acted, which may differ from that of this request.
    const actor = { ...actorOf(context), organizationId: row.organization_id };
    await recordAudit(tx, actor, {
      action: 'oauth_grant.ended',
      targetType: 'oauth_grant',
      targetId: id,
      before: presentGrant(row),
    });
  });
}
