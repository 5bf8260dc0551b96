import type { Role, Scope } from './scopes.ts';
import type { StaffRole } from './staff-roles.ts';

/**
 * The sender of a request: a user, acting in one organization, with the rights of the token and of the user's role. Or
 * a program of the operator, whose `userId` is the token's own identifier: if it names no organization, its
 * organization is the empty text and it has no scopes, so that code that forgets to check the kind grants it nothing.
 */
export interface Principal {
  userId: string;
  organizationId: string;
  role: Role;
  tokenKind: MemberTokenKind | 'operator' | 'activation' | 'portal';
  /** The identifier of the login session, API token, OAuth grant or operator token. */
  tokenSourceId: string;
  /** Set for a browser session, identified by its cookie. */
  byCookie?: true;
  /** Session tokens have every scope that the role allows. */
  scopes: 'all' | readonly Scope[];
  /** How far the organization's own clock runs ahead of real time, in milliseconds (sandbox time travel). */
  clockOffsetMs: number;
  tier: 'free' | 'pro' | 'enterprise';
  /** Whether the vendor has suspended the organization. Not checked for staff and operator tokens that act for it. */
  isSuspended?: true;
  /** The staff role of the user or operator token. It counts only if the login passed two-factor; a token always has. */
  staff?: { role: StaffRole; passedTwoFactor: boolean };
  /**
   * Set for staff and operator tokens that act for an organization without being a member. They act as its admin,
   * within the staff role, and are never shown a secret.
   */
  acting?: { type: 'staff' | 'operator_token'; staffRole: StaffRole };
  /**
   * Set for the token of a machine that was activated with a license key. It has no user; its own ID takes that field.
   */
  activation?: { licenseId: string; hardwareId: string };
  /**
   * Set for the page behind a portal link, whose ID takes the place of the user's. The user who created the link is
   * responsible for it.
   */
  portal?: { createdBy: string };
}

/** The user who sends a request or is responsible for it; null for a program of the vendor. */
export function userOf({ tokenKind, userId, portal }: Principal): string | null {
  if (portal !== undefined) {
    return portal.createdBy;
  }
  return tokenKind === 'operator' || tokenKind === 'activation' ? null : userId;
}

/** The kinds of token that belong to a member of an organization. */
export type MemberTokenKind = 'session' | 'api' | 'oauth';

/** The outcome of resolving a bearer token. */
export type TokenOutcome =
  | { kind: 'valid'; principal: Principal }
  | { kind: 'expired'; expiredAtMs: number }
  | { kind: 'invalid' }
  /** A valid token with an X-Organization-Id that its user is not a member of, or that does not exist. */
  | { kind: 'foreign-organization' }
  /** Staff who name an organization to act for, but whose login did not pass two-factor. */
  | { kind: 'without-two-factor' };

/** Resolves tokens; injected by app.ts, because the tokens belong to the auth room. */
export interface TokenResolver {
  resolve(token: string, organizationId: string | undefined): Promise<TokenOutcome>;
  /**
   * The principal of the token when it was last resolved, a moment ago, without a database query. Only for counting a
   * request and finding its organization, until the token is checked again.
   */
  recall(token: string, organizationId: string | undefined): RecalledPrincipal | undefined;
  /** Revokes a token that was sent unencrypted; returns whether there was one to revoke. */
  revokeLeaked(token: string): Promise<boolean>;
}

/** The principal of a token a moment ago, with its SHA-256, which is needed to check it again. */
export interface RecalledPrincipal {
  principal: Principal;
  tokenHash: Buffer;
}

/**
 * The token of a request whose use case checks it in its own statement, which saves a round trip. The principal is then
 * only recalled, and nothing may depend on it that the statement does not check.
 */
export interface UncheckedToken {
  /** SHA-256 of the token, as stored. */
  hash: Buffer;
  /** Resolves the token; throws the refusal if it is no longer valid. */
  confirm(): Promise<Principal>;
}
