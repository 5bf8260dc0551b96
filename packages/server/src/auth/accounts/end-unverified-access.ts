import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { presentApiToken } from '../api-tokens/present-api-token.ts';
import { updateApiTokensOfUserRevoked } from '../api-tokens/queries.ts';
import type { LockedApp } from '../connected-apps.ts';
import type { AccountActor } from '../record-account-audit.ts';

/**
 * Ends all other access to an account when the owner of its address claims it. The address was not verified until now,
 * so a stranger may have registered it. API tokens are revoked and registered apps deleted. The second factor stays,
 * because access to a mailbox alone must not be enough for an account that has one: if a stranger set it up, the
 * operator removes it. The caller has ended the logins, so no request in flight creates another token, and has locked
 * the apps.
 */
export async function endUnverifiedAccess(
  tx: Queries,
  actor: AccountActor,
  userId: string,
  apps: readonly LockedApp[],
): Promise<void> {
  const actorIn = (organizationId: string): AuditActor => ({ ...actor, organizationId });
  for (const token of await updateApiTokensOfUserRevoked(tx, { userId })) {
    await recordAudit(tx, actorIn(token.organization_id), {
      action: 'api_token.revoked',
      targetType: 'api_token',
      targetId: token.id,
      before: presentApiToken(token),
    });
  }
  for (const app of apps) {
    await app.remove(actorIn(app.organizationId));
  }
}
