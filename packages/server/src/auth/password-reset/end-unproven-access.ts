import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { presentApiToken } from '../api-tokens/present-api-token.ts';
import { revokeApiTokensOfUser } from '../api-tokens/queries.ts';
import { endOauthApp } from '../oauth-apps/end-oauth-app.ts';
import { lockOauthAppsOfCreator, type OauthAppRow } from '../oauth-apps/queries.ts';
import { deleteBrowserLoginsOfUser } from '../oauth-grants/queries.ts';
import type { AccountActor } from '../record-account-audit.ts';

/**
 * Takes from an account all by which whoever registered it could still get in, once the owner of its address claims it: until
 * now nobody had proved to be that. API tokens and registered apps; not the second factor, for a mailbox alone must not
 * open an account that has one: where a stranger set it up, the operator takes it away. The caller has ended the logins, so
 * that no request under way makes another of them, and holds the apps.
 */
export async function endUnprovenAccess(
  tx: Queries,
  actor: AccountActor,
  userId: string,
  apps: readonly UnprovenApp[],
): Promise<void> {
  const actorIn = (organizationId: string): AuditActor => ({ ...actor, organizationId });
  for (const token of await revokeApiTokensOfUser(tx, userId)) {
    await recordAudit(tx, actorIn(token.organization_id), {
      action: 'api_token.revoked',
      targetType: 'api_token',
      targetId: token.id,
      before: presentApiToken(token),
    });
  }
  for (const app of apps) {
    await endOauthApp(tx, actorIn(app.organization_id), app);
  }
}

/**
 * Locks the apps that a user registered, before their grants are ended: browser logins, apps and grants are locked in this
 * order everywhere (see oauth-grants/end-grants.ts).
 */
export async function lockUnprovenApps(tx: Queries, userId: string): Promise<UnprovenApp[]> {
  await deleteBrowserLoginsOfUser(tx, userId);
  return lockOauthAppsOfCreator(tx, userId);
}

type UnprovenApp = OauthAppRow & { organization_id: string };
