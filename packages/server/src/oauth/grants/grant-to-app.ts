import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { lockGrantParties, upsertGrant } from './queries.ts';

/**
 * Lets an app do something for a user in one organization: writes the grant, or adds the scopes to the one that lives.
 * Undefined when the app was deleted or the user is no member of the organization. That the scopes are among the app's
 * own is for the caller to see to.
 */
export async function grantToApp(
  tx: Queries,
  wish: { organizationId: string; userId: string; appId: string; scopes: readonly string[] },
): Promise<{ id: string; scopes: string[] } | undefined> {
  // A request that deletes the app or removes the member ends the grants afterwards, and finds this one.
  if (!(await lockGrantParties(tx, wish))) {
    return undefined;
  }
  return upsertGrant(tx, { ...wish, id: newId('oauthGrant') });
}
