import type { ConnectedApps, LockedApp } from '../auth/index.ts';
import type { Queries } from '../database/index.ts';
import { endOauthApp } from './apps/end-oauth-app.ts';
import { lockOauthAppsOfCreator } from './apps/queries.ts';
import { findOauthActivityInOrganization, findOauthActivityOfUser } from './erasure-queries.ts';
import { deleteBrowserLogin, deleteBrowserLoginsOfUser } from './grants/browser-login-queries.ts';
import { endGrant, endGrantsOfUser } from './grants/end-grants.ts';
import { findGrantsByRefreshTokens } from './grants/queries.ts';

/** The dependencies of the room below on this one. */
export const CONNECTED_APPS: ConnectedApps = {
  endAccessOfUser: endGrantsOfUser,
  endBrowserLogin: deleteBrowserLogin,
  endGrant,
  lockAppsOfCreator,
  findGrantsByRefreshTokens,
  hasActivitySince: async (database, userId, since) =>
    (await findOauthActivityOfUser(database, { userId, since })).is_active,
  hasActivityInOrganization: async (database, organizationId, since) =>
    (await findOauthActivityInOrganization(database, { organizationId, since })).is_active,
};

/**
 * Locks the apps that a user registered, before their grants end: browser logins, apps and grants are locked in this
 * order everywhere (see grants/end-grants.ts).
 */
async function lockAppsOfCreator(tx: Queries, userId: string): Promise<LockedApp[]> {
  await deleteBrowserLoginsOfUser(tx, userId);
  const rows = await lockOauthAppsOfCreator(tx, { userId });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    remove: (actor) => endOauthApp(tx, actor, row),
  }));
}
