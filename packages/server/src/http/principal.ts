import type { Role, Scope } from './scopes.ts';
import type { StaffRole } from './staff-roles.ts';

/**
 * Who sends a request: a user, acting in one organization, with the rights of the token and of the user's role. Or a
 * program of the operator's, whose `userId` is the token's own identifier: if it names no organization, its organization is
 * the empty text, which none has, and it holds no scope, so that code which forgets to check the kind finds nothing that
 * it may do or see.
 */
export interface Principal {
  userId: string;
  organizationId: string;
  role: Role;
  tokenKind: MemberTokenKind | 'operator' | 'activation' | 'portal';
  /** The identifier of the login session, the API token, the OAuth grant or the operator token. */
  tokenSourceId: string;
  /** Set where the session is a browser's, known by its cookie. */
  byCookie?: true;
  /** Session tokens hold every scope that the role allows. */
  scopes: 'all' | readonly Scope[];
  /** How far the organization's own clock runs ahead of real time, in milliseconds (sandbox time travel). */
  clockOffsetMs: number;
  tier: 'free' | 'pro' | 'enterprise';
  /** Whether the vendor has suspended the organization. Of staff and operator tokens that act for it, it is not asked. */
  isSuspended?: true;
  /** The staff role of the user or operator token. It counts only if the login passed two-factor; a token always has. */
  staff?: { role: StaffRole; passedTwoFactor: boolean };
  /**
   * Set for staff and operator tokens that act for an organization without being a member. They are its admin then,
   * within the staff role, and are never shown a secret.
   */
  acting?: { type: 'staff' | 'operator_token'; staffRole: StaffRole };
  /** Set for the token of a machine that was activated with a license key: nobody's user, with its id where a user's would be. */
  activation?: { licenseId: string; hardwareId: string };
  /** Set for the page behind a portal link, whose id stands where a user's would. The user who created the link answers for it. */
  portal?: { createdBy: string };
}

/** The user who sends a request, or answers for it; null for a program of the vendor's. */
export function userOf({ tokenKind, userId, portal }: Principal): string | null {
  if (portal !== undefined) {
    return portal.createdBy;
  }
  return tokenKind === 'operator' || tokenKind === 'activation' ? null : userId;
}

/** The kinds of token that belong to a member of an organization. */
export type MemberTokenKind = 'session' | 'api' | 'oauth';

/** What a bearer token turned out to be. */
export type TokenOutcome =
  | { kind: 'valid'; principal: Principal }
  | { kind: 'expired'; expiredAtMs: number }
  | { kind: 'invalid' }
  /** A good token with an X-Organization-Id that its user is no member of, or that does not exist. */
  | { kind: 'foreign-organization' }
  /** Staff who name an organization to act for, but whose login did not pass two-factor. */
  | { kind: 'without-two-factor' };

/** Finds out whose a token is; handed in by app.ts, since the tokens belong to the room auth. */
export interface TokenResolver {
  resolve(token: string, organizationId: string | undefined): Promise<TokenOutcome>;
  /**
   * Whose the token was when it was last resolved, a moment ago, without asking the database: good for counting a request
   * and for finding its organization, and for nothing else until the token was checked again.
   */
  recall(token: string, organizationId: string | undefined): RecalledPrincipal | undefined;
  /** Ends a token that was seen in the clear; returns whether there was one to end. */
  revokeLeaked(token: string): Promise<boolean>;
}

/** Whose a token was a moment ago, with its SHA-256, which is needed to check it again. */
export interface RecalledPrincipal {
  principal: Principal;
  tokenHash: Buffer;
}

/**
 * The token of a request whose use case checks it by itself, in the statement that does the work: one round trip instead
 * of two. The principal is then only recalled, and nothing may depend on it that the statement does not check.
 */
export interface UncheckedToken {
  /** SHA-256 of the token, as the database keeps it. */
  hash: Buffer;
  /** Resolves the token after all; throws the refusal if it is no longer valid. */
  confirm(): Promise<Principal>;
}
