import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { lockMemberRole } from '../../organizations/index.ts';
import { lockLiveApp, upsertGrant } from './queries.ts';

/**
 * Grants an app scopes for a user in one organization: inserts the grant, or adds the scopes to the live one. Undefined
 * if the app was deleted or the user is not a member of the organization. The caller checks that the scopes are among
 * the app's own.
 */
export async function grantToApp(
  tx: Queries,
  wish: { organizationId: string; userId: string; appId: string; scopes: readonly string[] },
): Promise<{ id: string; scopes: string[] } | undefined> {
  // Locked, so that a request that removes the member or deletes the app waits, then ends the grants, and finds this one.
  if ((await lockMemberRole(tx, wish)) === undefined || (await lockLiveApp(tx, { appId: wish.appId })) === 0) {
    return undefined;
  }
  return upsertGrant(tx, { ...wish, id: newId('oauthGrant') });
}
