import type { AuditActor } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';

/**
 * What this room needs from the room above that owns OAuth apps and grants. It is injected, because auth does not
 * depend on that room. Everything runs in the caller's transaction.
 */
export interface ConnectedApps {
  /** Ends all grants of a user, with their tokens, and the user's logins at the authorization server. */
  endAccessOfUser(tx: Queries, userId: string): Promise<void>;
  /**
   * Ends a user's login at the authorization server. Returns false if it has already ended or belongs to another user.
   */
  endBrowserLogin(tx: Queries, userId: string, id: string): Promise<boolean>;
  /** Ends a grant with all its tokens. Returns false if it has already ended. */
  endGrant(tx: Queries, organizationId: string, grantId: string): Promise<boolean>;
  /** Locks the apps that a user registered. Call it before `endAccessOfUser`: apps are locked before grants. */
  lockAppsOfCreator(tx: Queries, userId: string): Promise<readonly LockedApp[]>;
  /** The grant of each refresh token, valid or not; undefined for unknown tokens. */
  findGrantsByRefreshTokens(
    database: Queries,
    hashes: readonly Buffer[],
  ): Promise<ReadonlyArray<GrantOfToken | undefined>>;
  /** Whether a user authorized an app or logged in at the authorization server since this time. */
  hasActivitySince(database: Queries, userId: string, since: Date): Promise<boolean>;
  /** Whether anyone authorized an app for an organization since this time. */
  hasActivityInOrganization(database: Queries, organizationId: string, since: Date): Promise<boolean>;
}

/** An app locked by the transaction. */
export interface LockedApp {
  organizationId: string;
  /** Deletes it on behalf of this actor, with its secrets, grants and tokens. */
  remove(actor: AuditActor): Promise<void>;
}

/** The grant that a refresh token belongs to. */
export interface GrantOfToken {
  id: string;
  userId: string;
  organizationId: string;
}
