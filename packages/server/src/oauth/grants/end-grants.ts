import type { Queries } from '../../database/index.ts';
import { deleteBrowserLoginsOfUser } from './browser-login-queries.ts';
import {
  deleteArtifactsOfGrants,
  deleteArtifactsOfUser,
  type EndedGrantRow,
  updateBearerTokensOfGrantsRevoked,
  updateGrantEnded,
  updateGrantsOfAppEnded,
  updateGrantsOfMemberEnded,
  updateGrantsOfUserEnded,
} from './queries.ts';

/*
 * The order of locks, for everything that ends or writes data of a grant: the user, the user's browser logins, the
 * membership, the app, the grants by their identifiers, then bearer tokens, codes and refresh tokens. A transaction
 * that changes any of the last three, even one family of tokens, has first locked the grant: by `lockLiveGrant` to
 * write a token, by `lockGrant` to end some, or by marking it as ended. These locks on the grant are exclusive, so
 * transactions queue there and never deadlock.
 *
 * Only statements after the lock see rows written before it was granted, so they must not be merged into the locking
 * statement, whose snapshot is older.
 */

/** Ends a grant with all its tokens; returns false if it has already ended. */
export async function endGrant(tx: Queries, organizationId: string, grantId: string): Promise<boolean> {
  const ended = await updateGrantEnded(tx, { organizationId, id: grantId });
  await endTokens(tx, ended);
  return ended.length > 0;
}

/** Ends all grants of a user, and the user's logins at the authorization server, after a password change. */
export async function endGrantsOfUser(tx: Queries, userId: string): Promise<void> {
  // Browsers first: this waits for an authorization in progress, and the next statement finds its grant.
  await deleteBrowserLoginsOfUser(tx, userId);
  await endTokens(tx, await updateGrantsOfUserEnded(tx, { userId }));
  await deleteArtifactsOfUser(tx, { userId });
}

/** Ends all grants of a user in one organization. Call it after removing the membership, not before. */
export async function endGrantsOfMember(tx: Queries, organizationId: string, userId: string): Promise<void> {
  await endTokens(tx, await updateGrantsOfMemberEnded(tx, { organizationId, userId }));
}

/** Ends all grants to an app. Call it after marking the app as deleted, not before. */
export async function endGrantsOfApp(tx: Queries, appId: string): Promise<void> {
  await endTokens(tx, await updateGrantsOfAppEnded(tx, { appId }));
}

async function endTokens(tx: Queries, grants: readonly EndedGrantRow[]): Promise<void> {
  if (grants.length > 0) {
    await updateBearerTokensOfGrantsRevoked(tx, { grants });
    await deleteArtifactsOfGrants(tx, { grantIds: grants.map((grant) => grant.id) });
  }
}
